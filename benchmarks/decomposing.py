"""What the measures of subgoal decomposition say of decomposing, copying, and what is between.

    python benchmarks/decomposing.py        # both worlds, all tasks: a minute and a half

Each line rewrites what an agent answers. Success and SR@k are in % of the tasks; "found" is the
share of the actions to the goal that the search found by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from homebody.core import CORRECTED, Score
from homebody.suites import get_suite
from homebody.suites.eai.behavior import baselines as behavior_baselines
from homebody.suites.eai.behavior import subgoal_decomposition as behavior
from homebody.suites.eai.behavior.prompts import listed_goals as behavior_goals
from homebody.suites.eai.virtualhome import baselines as virtualhome_baselines
from homebody.suites.eai.virtualhome import subgoal_decomposition as virtualhome
from homebody.suites.eai.virtualhome.prompts import listed_goals as virtualhome_goals

MOST = 5
AGENT = "character.65"
GOALS: dict[str, Callable[[Any], list[str]]] = {
    "virtualhome": virtualhome_goals,
    "behavior": behavior_goals,
}
ROTE: dict[str, tuple[Callable[..., str], Callable[..., Any]]] = {
    "virtualhome": (virtualhome.as_states, virtualhome_baselines.copied_plan),
    "behavior": (behavior.as_states, behavior_baselines.copied_plan),
}
USUAL = {  # what goes without saying: going to a thing, taking it
    "virtualhome": re.compile(rf"(NEXT_TO|FACING|INSIDE)\({re.escape(AGENT)}, [^)]*\)"),
    "behavior": re.compile(r"(not )?holds_[lr]h\([^)]*\)"),
}


def every(number: int) -> Callable[[str, Any, list[str]], list[str]]:
    return lambda world, task, subgoals: subgoals[::-1][::number][::-1]


def joined(world: str, task: Any, subgoals: list[str]) -> list[str]:
    return [" and ".join(subgoals[at : at + 2]) for at in range(0, len(subgoals), 2)]


def brief(world: str, task: Any, subgoals: list[str]) -> list[str]:
    return [text for text in subgoals if not USUAL[world].fullmatch(text)]


def line_by_line(world: str, task: Any, subgoals: list[str]) -> list[str]:
    goals = GOALS[world](task)
    return [*(subgoals[:-1] if goals else subgoals), *goals]


def with_usual(world: str, task: Any, subgoals: list[str]) -> list[str]:
    """Goes to each thing, or takes it, before the goal that names it."""
    answer: list[str] = []
    for text in line_by_line(world, task, subgoals):
        things = re.findall(r"\w+\.\d+", text) if " or " not in text else []
        if world == "behavior":
            placed = re.fullmatch(r"(?:inside|ontop|under|nextto)\(([\w.]+), [\w.]+\)", text)
            answer += [f"holds_rh({placed[1]})"] if placed else []
        else:
            objects = task.task.initial.objects
            near = [x for x in things if x != AGENT and "ROOM" not in objects[x].properties]
            answer += [f"NEXT_TO({AGENT}, {thing})" for thing in near]
        answer.append(text)
    return answer


def rote(world: str, task: Any, subgoals: list[str]) -> list[str]:
    """The plan of the copycat of action sequencing, told as the states that it goes through."""
    tell, plan = ROTE[world]
    told: list[str] = json.loads(tell(task, plan(task)))["output"]
    return told


def rote_and_goal(world: str, task: Any, subgoals: list[str]) -> list[str]:
    return [*rote(world, task, subgoals), *(subgoals[-1:] if GOALS[world](task) else [])]


def same(world: str, task: Any, subgoals: list[str]) -> list[str]:
    return subgoals


ANSWERS = {
    "oracle": ("oracle", same),
    "usual steps omitted": ("oracle", brief),
    "two and two joined": ("oracle", joined),
    "every 2nd subgoal": ("oracle", every(2)),
    "every 4th subgoal": ("oracle", every(4)),
    "copycat": ("copycat", same),
    "a condition a line": ("copycat", line_by_line),
    "usual steps before each": ("copycat", with_usual),
    "rote plan": ("copycat", rote),
    "rote plan, then the goal": ("copycat", rote_and_goal),
    "frequent": ("frequent", same),
    "random": ("random", same),
}


def score(world: str, name: str, task: Any) -> Score:
    """Return the score of one rewriting of an agent's output for a task."""
    suite = get_suite(f"eai.{world}.subgoal_decomposition")
    agent, rewrite = ANSWERS[name]
    output = suite.text_agents[agent].answer(task, np.random.default_rng(0))
    subgoals = rewrite(world, task, json.loads(output)["output"])
    return suite.score(task, json.dumps({"output": subgoals}), CORRECTED)


def line(name: str, scores: Sequence[Score]) -> str:
    """Return the line of the table for the scores of one rewriting."""
    records = [each.record for each in scores if each.valid]
    done = [record for record in records if record["success"]]
    found = [record["searched_actions"] for record in done]
    rates = [len(done), *(sum(max(f, default=0) <= k for f in found) for k in range(MOST))]
    actions = sum(sum(record["subgoal_actions"]) for record in done)
    cells = "".join(f"{100 * rate / len(records):7.1f}" for rate in rates[1:])
    share = f"{100 * sum(map(sum, found)) / actions:8.1f}" if actions else f"{'-':>8}"
    return f"{name:26}{100 * rates[0] / len(records):9.1f}{cells}{share}"


def main() -> None:
    for world in GOALS:
        tasks = list(get_suite(f"eai.{world}.subgoal_decomposition").tasks.load(CORRECTED))
        heads = "".join(f"{f'SR@{most}':>7}" for most in range(MOST))
        print(f"{world:26}{'success':>9}{heads}{'found':>8}")
        for name in ANSWERS:
            print(line(name, [score(world, name, task) for task in tasks]), flush=True)


if __name__ == "__main__":
    main()
