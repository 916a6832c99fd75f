"""The labels of EmbodiedEval, on facts made by hand and on runs that were played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from homebody.core import CORRECTED, Action
from homebody.core.play.failures import KEY, find_labels
from homebody.core.play.run_facts import GoalFacts, RunFacts, WorldChange
from homebody.core.play.transcript import Transcript, TranscriptEntry
from homebody.suites.embodiedeval.failures import HELD, LABELS, PlayFacts, deciding_views
from homebody.suites.embodiedeval.game import EmbodiedGame, TakenStep
from homebody.suites.embodiedeval.interactions import AGENT, NOT_SEEN
from homebody.suites.embodiedeval.suite import PLAYING
from homebody.worlds.house.play.navigation_graph import GraphView
from suites.embodiedeval.small_tasks import task_of

HERE, THERE = GraphView(0, 0, 0), GraphView(1, 0, 0)
NONE = PlayFacts("attribute_qa", False, False, 0, 0, (), (HERE,))
WRONG = replace(NONE, answered_wrong=True)


def step(text: str, ok: bool, feedback: str = "", kind: str = "pick_up") -> TakenStep:
    return TakenStep(text, kind, ok, feedback, HERE, ())


def walk(*views: GraphView) -> tuple[TakenStep, ...]:
    return tuple(TakenStep("move forward", "move", True, "", view, ()) for view in views)


def labels(own: PlayFacts, changes: Any = ()) -> list[str]:
    facts = RunFacts("rule", (AGENT,), goal=GoalFacts(changes=changes, own=own))
    names = {label.name for label in LABELS}
    return [label for label in find_labels(facts, LABELS) if label in names]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (NONE, []),
        (WRONG, ["wrong answer", "hallucination in grounding"]),
        (replace(WRONG, counts=True), ["wrong answer", "miscounted"]),
        (
            replace(WRONG, category="spatial_qa"),
            ["wrong answer", "lack of spatial reasoning"],
        ),
        (replace(WRONG, missed=2), ["wrong answer", "insufficient exploration"]),
        (replace(WRONG, category="social_interaction"), ["wrong answer"]),
        (replace(NONE, missed=1), ["insufficient exploration"]),
        (replace(NONE, unread=1), ["unread reply"]),
        (replace(NONE, steps=(step("a", False, NOT_SEEN),)), ["hallucination in grounding"]),
        (replace(NONE, steps=(step("a", False), step("a", False))), ["wrong planning"]),
        (replace(NONE, steps=(step("a", False), step("b", False))), []),
        (replace(NONE, steps=(step("a", False), step("a", True))), []),
        (replace(NONE, steps=walk(THERE, HERE, THERE, HERE)), ["wrong planning"]),
        (replace(NONE, steps=walk(THERE, HERE)), []),
        (
            replace(NONE, steps=(*walk(THERE, HERE), step("a", True), *walk(THERE, HERE))),
            [],
        ),
    ],
)
def test_rules(own: PlayFacts, expected: list[str]) -> None:
    assert labels(own) == expected


def test_taking_an_object_again_is_bad_planning() -> None:
    again = [WorldChange(clock, AGENT, "cup_0", frozenset({HELD}), put=False) for clock in (1, 2)]
    assert labels(NONE, tuple(again)) == ["wrong planning"]
    assert labels(NONE, tuple(again[:1])) == []


def score(category: str, family: str, *actions: Action) -> dict[str, Any]:
    task = task_of(category, family)
    calls = [f"{action.name}[{', '.join(action.args)}]" for action in actions]
    entries = tuple(TranscriptEntry(at, AGENT, call) for at, call in enumerate(calls))
    text = Transcript(entries=entries).encode()
    return dict(PLAYING.score(task, text, CORRECTED).record)


def oracle_actions(category: str, family: str) -> list[Action]:
    game = EmbodiedGame(task_of(category, family))
    found = []
    for text in game.task.plan:
        found.append(next(each for each in game.options() if game.text(each) == text))
        game.do(found[-1])
    return found


def test_a_wrong_answer_before_and_after_looking() -> None:
    kind = "attribute_qa", "quantity"
    task = task_of(*kind)
    wrong = next(each for each in task.answers if f"choose {each.text}" not in task.predicates)
    answer = Action("Answer", (wrong.text,))
    *way, right = oracle_actions(*kind)
    assert score(*kind, *way, right)[KEY] == []
    assert score(*kind, answer)[KEY] == ["wrong answer", "insufficient exploration"]
    assert score(*kind, *way, answer)[KEY] == ["wrong answer", "miscounted"]


def test_who_does_not_get_there_has_explored_too_little() -> None:
    kind = "object_interaction", "pick_up"
    way = oracle_actions(*kind)
    assert score(*kind, *way)[KEY] == []
    (option,) = way[-1].args
    found = score(*kind, *(Action("Do", (option,)) for _ in range(3)), Action("Done"))[KEY]
    assert {"gave up", "refused", "wrong planning"} & {*found} >= {"gave up", "wrong planning"}


def test_views_that_decide_are_where_something_is_done() -> None:
    task = task_of("attribute_qa", "quantity")
    last, every = deciding_views(task, every=False), deciding_views(task, every=True)
    first = EmbodiedGame(task).view
    assert len(last) == 1
    assert last < every
    assert (first.point, first.heading) in every - last
