"""What learned skills and learned perception of PARTNR do to two scripted planners.

    python benchmarks/partnr_learned.py [--split val] [--every 10]

The planners are the expert, which knows everything, and a reader, which knows the goal but only its
own world graph and retries a failed action once (``literal_reader.py``). Prints steps, success and
percent complete under each setting, also relative to the row above, beside the rows of table 2 of
the paper, against which the rates of ``suites/partnr/episode_start.py`` are calibrated.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, stdev

from literal_reader import Reader

from homebody.core import Action, Policy
from homebody.core.play.rounds import play
from homebody.suites.partnr.expert import play_expert
from homebody.suites.partnr.session import THINK, PartnrSession
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.tasks import PartnrTask, load

Run = tuple[float, float, float]
"""Steps, success and percent complete."""
SETTINGS = {
    "oracle": Settings(),
    "failing, erring": Settings(skills="failing", perception="erring"),
    "learned skills": Settings(skills="learned"),
    "learned skills and perception": Settings(skills="learned", perception="learned"),
    "oracle, 4.55 s per answer": Settings(clock="wall"),
}
SECONDS = 4.55
"""Time of an answer, from appendix A.8 of the paper."""
RELATIVE_TO = {
    "failing, erring": "oracle",
    "learned skills": "oracle",
    "learned skills and perception": "learned skills",
    "oracle, 4.55 s per answer": "oracle",
}
PAPER: dict[str, Run] = {
    "oracle": (3295.20, 0.73, 0.86),
    "learned skills": (6494.88, 0.57, 0.76),
    "learned skills and perception": (12490.80, 0.30, 0.56),
}
"""Rows (e), (h) and (i) of table 2 of the paper: ReAct, decentralised, partial observability."""


def read(task: PartnrTask) -> PartnrSession:
    """Return a finished session in which readers play both roles."""
    session = PartnrSession(task)

    thinks = task.settings.clock == "wall"

    def policy(role: str) -> Policy:
        reader = Reader(session, role)
        decided: list[Action] = []

        def act(session: PartnrSession, role: str) -> Action:
            if decided:
                return decided.pop()
            action = reader.act()
            if thinks:
                decided.append(action)
                return Action(THINK, (str(math.ceil(SECONDS * session.rate)),))
            return action

        return act

    play(session, {role: policy(role) for role in session.roles})
    return session


def measure(session: PartnrSession) -> Run:
    """Return the measures of a finished session."""
    judgement = session.judgement()
    return session.clock, float(judgement.success), judgement.percent_complete


def show(name: str, runs: Sequence[Run], base: Sequence[Run] | None) -> None:
    """Print the means of runs, each with its standard error if there are several, and their ratio
    to the means of others."""
    cells = []
    for at, digits in enumerate((0, 2, 2)):
        values = [run[at] for run in runs]
        mean, text = fmean(values), f"{fmean(values):.{digits}f}"
        if len(values) > 1:
            text += f" ± {stdev(values) / math.sqrt(len(values)):.{digits}f}"
        if base is not None:
            text += f" (x {mean / fmean(run[at] for run in base):.2f})"
        cells.append(text)
    print(f"{name:<30} {cells[0]:<20} {cells[1]:<22} {cells[2]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--split", choices=("val", "test"), default="val")
    parser.add_argument("--every", type=int, default=10, help="take each of so many tasks")
    given = parser.parse_args()
    tasks = load(given.split)[:: given.every]
    for planner, make in (("expert", play_expert), ("reader", read)):
        print(f"{planner}, {len(tasks)} tasks of {given.split}: steps, success, percent complete")
        runs: dict[str, Sequence[Run]] = {}
        for name, settings in SETTINGS.items():
            if settings.clock == "wall" and planner == "expert":
                continue  # it does not think
            runs[name] = [measure(make(replace(task, settings=settings))) for task in tasks]
            show(name, runs[name], runs.get(RELATIVE_TO.get(name, "")))
    print("paper, 1000 tasks of its val")
    for name, row in PAPER.items():
        base = RELATIVE_TO.get(name, "")
        show(name, [row], [PAPER[base]] if base else None)


if __name__ == "__main__":
    main()
