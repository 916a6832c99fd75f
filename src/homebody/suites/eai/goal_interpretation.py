"""Goal interpretation: from an instruction to symbolic goals (EAI paper, 2.3 and D.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from homebody.core import Prompting, Protocol, Reporting, Score, Scoring, Suite, TextAgent
from homebody.core.published import Published
from homebody.core.score import cut_text
from homebody.core.suite import Experiments, Summary
from homebody.core.viewing import Ability, Viewing
from homebody.suites.eai.agents import always
from homebody.suites.eai.measures import percent_measures, precision_recall_f1
from homebody.suites.eai.plan_results import AnnotatedTask, cut_list
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.reading import OFF_FORMAT
from homebody.suites.eai.solution import show_solution
from homebody.suites.eai.submission import submission_of
from homebody.suites.eai.world import EaiWorld

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T", bound=AnnotatedTask)

MAX_LISTED = 5
"""Maximum number of goals of a kind that an explanation lists."""


def compared_text(counts: Sequence[int], named: Mapping[str, Sequence[str]]) -> str:
    """Return a string such as ``"2 right, 1 wrong, 0 missed. Wrong: ON(lamp)."``.

    Args:
        counts: Numbers of right, wrong and missed goals.
        named: Heading -> goals listed under it; headings without goals are omitted.
    """
    numbers = zip(counts, ("right", "wrong", "missed"), strict=True)
    sentences = [", ".join(f"{number} {kind}" for number, kind in numbers)]
    sentences += [
        cut_list(f"{kind}: ", goals, MAX_LISTED) for kind, goals in named.items() if goals
    ]
    return ". ".join(sentences) + "."


def odd_keys(wanted: Iterable[str], keys: Iterable[Any]) -> dict[str, Sequence[str]]:
    """Return the missing lists and the keys that were not requested, for :func:`compared_text`."""
    wanted, keys = list(wanted), list(keys)
    return {
        "Lists that are missing": [repr(name) for name in wanted if name not in keys],
        "Keys that were not requested": [repr(key) for key in keys if key not in wanted],
    }


def goals_score(
    task: AnnotatedTask,
    counts: Sequence[int],
    noted: Mapping[str, Any],
    *,
    format_errors: int,
    hallucinations: int,
    explanation: str,
    crash: str = "",
) -> Score:
    """Return metrics and record of a comparison.

    Args:
        task: The task.
        counts: Numbers of right, wrong and missed goals of all kinds.
        noted: Further fields of the record, after the task.
        format_errors: Number of malformed goals; an unreadable output counts as one.
        hallucinations: Number of goals with names that do not exist.
        explanation: Explanation for people.
        crash: The exception that would have ended the published evaluation, or an empty string.
    """
    precision, recall, f1 = precision_recall_f1(counts)
    record: dict[str, Any] = {
        "identifier": task.id,
        "task": task.task.name,
        "categories": list(task.categories),
        **noted,
        "format_errors": format_errors,
        "hallucinations": hallucinations,
        "precision": round(precision, 6),
        "recall": round(recall, 6),
        "f1": round(f1, 6),
        "explanation": cut_text(explanation),
    }
    if crash:
        record["published_crash"] = crash
    metrics = {
        "precision": precision,
        # above 1 where a protocol counts repeated goals; the record keeps the full value
        "recall": min(recall, 1.0),
        "f1": min(f1, 1.0),
        "format_error": float(format_errors > 0),
        "hallucination": float(hallucinations > 0),
    }
    return Score(task.id, metrics, record)


@dataclass(frozen=True, slots=True)
class MicroAverages:
    """Precision, recall and F1 over the goals of all tasks, in percent.

    Attributes:
        kinds: Kind of goal in records -> its name in the summary.
        titles: The names in the summary, and ``all`` -> headers of tables.
    """

    kinds: Mapping[str, str]
    titles: Mapping[str, str]

    def count(self, score: Score) -> Counter[str]:
        """Count the true positives, false positives and false negatives of one output."""
        if not score.valid:
            return Counter()
        counts = score.record["counts"]
        return Counter({f"{kind} {at}": counts[kind][at] for kind in self.kinds for at in range(3)})

    def rates(self, sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
        """Compute the rates. Unless ``exact``, they are rounded as in the published summary, and 0
        of 0 is 0."""
        totals = {
            name: [sums.get(f"{kind} {at}", 0) for at in range(3)]
            for kind, name in self.kinds.items()
        }
        totals["all"] = [sum(counts[at] for counts in totals.values()) for at in range(3)]
        return {
            f"{name}_{metric}": value
            for name, counts in totals.items()
            for metric, value in zip(
                ("precision", "recall", "f1"), percent_measures(counts, exact=exact), strict=True
            )
        }

    def summary(self) -> Summary:
        """Return the rates and their columns in tables."""
        metrics = {"P": "precision", "R": "recall", "F1": "f1"}
        columns = {
            f"{title} {short}": (f"{name}_{metric}",)
            for name, title in self.titles.items()
            for short, metric in metrics.items()
        }
        return Summary(self.count, self.rates, columns)


def make_suite(
    world: EaiWorld[T],
    tasks: int,
    *,
    score: Callable[[T, str, Protocol], Score],
    summary: Summary,
    prompting: Prompting[T],
    agents: Mapping[str, Callable[[T, np.random.Generator], str]],
    empty: str,
    aliases: Mapping[str, str] = MappingProxyType({}),
) -> Suite[T]:
    """Make the suite of goal interpretation in a world.

    Args:
        world: The world.
        tasks: Number of its tasks.
        score: Compares predicted goals with annotated goals.
        summary: Summary of scores.
        prompting: Requests the goals.
        agents: Name -> output of the agent.
        empty: An output without goals.
        aliases: Other identifiers in published files -> id of the task.
    """
    name = f"eai.{world.name}.goal_interpretation"
    submission = submission_of(name)
    return Suite(
        name=name,
        title=f"Turn an instruction into symbolic goals (EAI, {world.title}, {tasks} tasks)",
        tasks=world.tasks,
        scoring=Scoring(score, PROTOCOLS),
        reporting=Reporting(
            summary=summary,
            measures=OFF_FORMAT,
            tallies={"Format errors": "format_errors", "Halluc. goals": "hallucinations"},
        ),
        published=Published(
            world.quirks, world.is_loaded_for, aliases=aliases, submission=submission
        ),
        viewing=Viewing(
            abilities=(Ability("Goal interpretation", "f1"),),
            faults=frozenset({"format_error", "hallucination"}),
            solution=show_solution,
        ),
        experiments=Experiments(demands=world.demands.goals),
        prompting=prompting,
        text_agents={
            **{agent: TextAgent(answer) for agent, answer in agents.items()},
            "empty": always(empty),
        },
    )
