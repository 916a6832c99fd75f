"""Which episodes are tasks, and which are rejected, and as what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from homebody.authoring.partnr import make as making
from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.instantiate import instantiate
from homebody.authoring.partnr.make import make
from homebody.authoring.partnr.verify import examine, verify
from homebody.core import HomebodyError
from homebody.goals.partnr import (
    Dependency,
    Episode,
    Evaluation,
    Proposition,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.suites.partnr.episodes.kinds import KINDS, kinds
from homebody.suites.partnr.episodes.scene import scene
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.tasks import PartnrTask
from suites.partnr.homes import replay

SEED = 2_004


def piece(category: str) -> str:
    """The largest of a category, where three things have room."""
    pieces = [one for one in scene(SEED).furniture if one.category == category]
    return max(pieces, key=lambda one: one.size[0] * one.size[1]).name


TABLE, COUNTER, BED = piece("coffee_table"), piece("counter"), piece("bed")
WARDROBE = piece("wardrobe")


def episode(
    evaluation: Evaluation | Sequence[Proposition],
    states: Mapping[str, Mapping[str, bool]] | None = None,
) -> Episode:
    """A dirty cup, a plate and an apple on a counter."""
    if not isinstance(evaluation, Evaluation):
        given = tuple(evaluation)
        ends = TerminalSatisfactionConstraint(tuple(range(len(given))))
        evaluation = Evaluation(given, (), (ends,))
    draft = Draft(
        "Do it.",
        (
            Placement("cup", 1, COUNTER, "on", {"clean": False, "filled": False}),
            Placement("plate", 1, COUNTER, "on", {"clean": False}),
            Placement("apple", 1, COUNTER),
        ),
        evaluation,
        states or {},
    )
    return instantiate("e", SEED, draft, np.random.default_rng(2))


def on(name: str, *places: str) -> Proposition:
    return Proposition("is_on_top", ((name,), places))


def of(predicate: str, *lists: tuple[str, ...]) -> Proposition:
    return Proposition(predicate, lists)


def test_a_task_is_solved_and_the_run_replays() -> None:
    wanted = episode([on("cup_0", TABLE), of("is_clean", ("cup_0",))])
    found = verify(wanted)
    assert found.episode is wanted
    task = PartnrTask(wanted, Settings(observability="full"))
    run = replay(task, found.transcript)
    assert run.judgement().success
    assert run.clock == found.steps > 0


CASES: list[tuple[Sequence[Proposition], FailureMode]] = [
    ((), FailureMode.SATISFIED),
    ((on("cup_0", COUNTER),), FailureMode.SATISFIED),
    ((on("cup_0", TABLE), of("is_dirty", ("plate_0",))), FailureMode.SATISFIED),
    ((on("cup_7", TABLE),), FailureMode.HALLUCINATION),
    ((on("cup_0", "throne_0"),), FailureMode.HALLUCINATION),
    ((on("cup_0", "kitchen_0"),), FailureMode.ROOM_OR_FURNITURE),
    ((of("is_in_room", ("cup_0",), (TABLE,)),), FailureMode.ROOM_OR_FURNITURE),
    ((of("is_clean", ("kitchen_0",)),), FailureMode.ROOM_OR_FURNITURE),
    ((on(BED, TABLE),), FailureMode.ENTITY),
    ((of("is_clustered", ("cup_0",), (TABLE,)),), FailureMode.INCORRECT_AMBIGUITY),
    ((of("is_powered_on", ("cup_0",)),), FailureMode.PREDICATE),
    ((of("is_clean", (piece("ceiling_lamp"),)),), FailureMode.PREDICATE),
    ((of("is_inside", ("cup_0",), (TABLE,)),), FailureMode.PREDICATE),
    ((on("cup_0", "apple_0"),), FailureMode.PREDICATE),
    ((on("cup_0", TABLE, TABLE),), FailureMode.INCORRECT_AMBIGUITY),
    ((Proposition("is_on_top", (("cup_0",), (TABLE,)), (2,)),), FailureMode.INCORRECT_AMBIGUITY),
    ((on("cup_0", TABLE), on("cup_0", BED)), FailureMode.CONTRADICTION),
    (
        (of("is_in_room", ("cup_0",), ("bathroom_0",)), on("cup_0", TABLE)),
        FailureMode.CONTRADICTION,
    ),
    ((of("is_clean", ("cup_0",)), of("is_dirty", ("cup_0",))), FailureMode.CONTRADICTION),
]


@pytest.mark.parametrize(("wanted", "failure"), CASES)
def test_what_is_no_task_is_rejected(wanted: Sequence[Proposition], failure: FailureMode) -> None:
    if failure is FailureMode.INCORRECT_AMBIGUITY and wanted[0].predicate == "is_clustered":
        wanted = [Proposition("is_clustered", (("cup_0",), ("plate_0",)), (1, 2))]
    with pytest.raises(Rejected) as caught:
        examine(episode(wanted))
    assert caught.value.failure is failure, caught.value.why


def test_things_need_not_end_where_they_only_pass() -> None:
    first, then = on("cup_0", TABLE), on("cup_0", BED)
    moved = Evaluation(
        (first, then),
        (Dependency((1,), (0,), "after_satisfied"),),
        (TemporalConstraint(((0, 1),)), TerminalSatisfactionConstraint((1,))),
    )
    assert verify(episode(moved)).steps > 0


def test_what_waits_for_something_later_is_rejected() -> None:
    wrong = Evaluation(
        (on("cup_0", TABLE), on("plate_0", TABLE)),
        (Dependency((0,), (1,), "after_satisfied"),),
        (TemporalConstraint(((0, 1),)),),
    )
    with pytest.raises(Rejected) as caught:
        examine(episode(wrong))
    assert caught.value.failure is FailureMode.TEMPORAL_GROUPING


def test_what_the_expert_cannot_do_is_rejected() -> None:
    # next to each other, and yet in rooms apart: no contradiction of places by name
    apart = [
        of("is_next_to", ("cup_0",), ("plate_0",)),
        of("is_in_room", ("cup_0",), ("bathroom_0",)),
        of("is_in_room", ("plate_0",), ("living_room_0",)),
    ]
    wanted = episode([*apart[1:]])
    assert verify(wanted)
    gated = Evaluation(tuple(apart), (Dependency((0,), (1, 2), "while_satisfied"),), ())
    with pytest.raises(Rejected) as caught:
        verify(episode(gated))
    assert caught.value.failure is FailureMode.UNSOLVED
    assert "next to" in caught.value.why


def test_houses_of_others_are_rejected() -> None:
    published = Episode("1", "104862660_172226844", "Do it.", Evaluation((on("a", "b"),)))
    with pytest.raises(Rejected) as caught:
        examine(published)
    assert caught.value.failure is FailureMode.HALLUCINATION


def test_episodes_by_number() -> None:
    failures: Counter[FailureMode] = Counter()
    for index in range(12):
        made, rejected = make("val", SEED + index % 3, index)
        failures += rejected
        assert made.id == f"val-{SEED + index % 3}-{index}"
        assert KINDS[index % 4] in kinds(made.evaluation)
    assert failures.total() <= 3  # nearly all first drafts are tasks
    one, _ = make("val", SEED, 5)
    assert make("val", SEED, 5)[0] == one
    other, _ = make("test", SEED, 5)
    assert other.instruction != one.instruction


def test_making_gives_up_with_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(_: Episode) -> None:
        raise Rejected(FailureMode.UNSOLVED, "no")

    monkeypatch.setattr(making, "verify", reject)
    monkeypatch.setattr(making, "TRIES", 3)
    with pytest.raises(HomebodyError, match="not solved"):
        make("val", SEED, 0)
