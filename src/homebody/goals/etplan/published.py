"""Success by the published code of ET-Plan-Bench, as named quirks.

The scripts behind the paper's figures ignore criteria: a run succeeds if its last action was
executed. There is also a checker of criteria, which no script calls. It cannot read the released
criteria, because it has no class ``robot``. homebody's version has this class.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.core.world import Trace
from homebody.goals.etplan.criterion import CLOSE, Condition, Criterion, members_of, pairs_of

ACTIONS_DECIDE: Final = "actions_decide"
ONE_LIST: Final = "steps_are_one_list"
NARROWED: Final = "candidates_are_narrowed"
ONLY_CLOSE: Final = "only_close_ever_holds"
QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    ACTIONS_DECIDE: (
        "The criterion is not evaluated. The robot counts as close to everything that it walked to"
        " or handled since the previous step. What it put on or in something since then counts as"
        " both on it and in it, whatever happened later. What it did not put there itself does not"
        " count: what was there already, and what came there in another object. If objects were"
        " only to be found, it is enough that any two objects of these classes were in the relation"
        " at some time. The other quirks then have no effect.",
        "The criterion is judged by the states.",
    ),
    ONE_LIST: (
        "Steps are ignored: all conditions have to hold at the end.",
        "The steps have to hold one after the other, and the last one at the end. What a step puts"
        " somewhere has to be put there after the previous step.",
    ),
    NARROWED: (
        "Conditions are evaluated one by one. Each condition keeps the objects of its two classes"
        " that meet it with any object of the other class. The next condition ignores which"
        " objects belong together.",
        "One object of each class has to meet all conditions.",
    ),
    ONLY_CLOSE: (
        "`ON` and `INSIDE` never hold, because the code compares an edge of the graph with a word."
        " `FACING` is unknown. Criteria with these relations are therefore never met.",
        "All relations are judged.",
    ),
}
"""Quirk -> the behaviour of the published code, and ours."""


def merge_stages(criterion: Criterion) -> Criterion:
    """Return a criterion with all conditions in one stage."""
    return Criterion((tuple(dict.fromkeys(criterion.conditions)),))


def judge_by_actions(criterion: Criterion, trace: Trace) -> list[list[bool]]:
    """For each stage in order, return the truth of its conditions, as the actions meet them."""
    objects, members = trace.initial.objects, members_of(trace.initial, criterion.classes)
    handled = [
        [objects[arg].category for arg in action.args if arg in objects] for action in trace.actions
    ]

    def find_first(condition: Condition, at: int) -> int | None:
        """Return the number of actions after which a condition is met, at least ``at``."""
        if condition.reaches:
            met = [condition.second in classes for classes in handled]
        elif condition in criterion.puts and condition.relation != CLOSE:
            pair = [condition.first, condition.second]
            met = [
                action.name == "Place" and classes == pair
                for action, classes in zip(trace.actions, handled, strict=True)
            ]
        else:
            anywhere = any(pairs_of(state, condition, members) for state in trace.states)
            return at if anywhere else None
        return next((i + 1 for i in range(max(at - 1, 0), len(met)) if met[i]), None)

    result: list[list[bool]] = []
    at: int | None = 0
    for stage in criterion.stages:
        if at is None:
            result.append([False] * len(stage))
            continue
        times = [find_first(condition, at) for condition in stage]
        result.append([time is not None for time in times])
        at = None if None in times else max(time for time in times if time is not None)
    return result


def judge_by_narrowing(
    criterion: Criterion, trace: Trace, *, only_close: bool = False
) -> list[list[bool]]:
    """For each stage, return the truth of its conditions. Objects are narrowed down condition by
    condition, and all conditions before the first failure hold.

    Args:
        criterion: The criterion.
        trace: The run.
        only_close: True if all relations but ``CLOSE`` never hold.
    """
    members = dict(members_of(trace.initial, criterion.classes))
    result: list[list[bool]] = []
    now, last = 0, len(trace.states) - 1
    for number, stage in enumerate(criterion.stages, 1):
        held = 0
        if all(map(all, result)):
            for index in range(last if number == len(criterion.stages) else now, last + 1):
                left, held = dict(members), 0
                for condition in stage:
                    unknown = only_close and condition.relation != CLOSE
                    pairs = [] if unknown else pairs_of(trace.states[index], condition, left)
                    if not pairs:
                        break
                    left[condition.first] = list(dict.fromkeys(pair[0] for pair in pairs))
                    left[condition.second] = list(dict.fromkeys(pair[1] for pair in pairs))
                    held += 1
                if held == len(stage):
                    members, now = left, index
                    break
        result.append([place < held for place in range(len(stage))])
    return result
