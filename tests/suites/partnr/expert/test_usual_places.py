"""Where the expert puts a thing that belongs in a room: where things of its kind usually are."""

from __future__ import annotations

import pytest

from homebody.goals.partnr import Evaluation, Proposition, TerminalSatisfactionConstraint
from homebody.suites.partnr.expert import play_expert
from homebody.suites.partnr.expert.usual_places import is_usual_on
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.tasks import PartnrTask, load
from suites.partnr.homes import FULL, make_task, of


def end_of(task: PartnrTask, name: str) -> str:
    """Category of what a thing is on in the end, or ``floor``."""
    session = play_expert(task)
    assert session.judgement().success
    holder = session.simulation.state.places[name][0]
    piece = task.house.piece.get(holder)
    return "floor" if piece is None else piece.category


def task_of(
    *propositions: Proposition, seed: int = 0, at: str = "counter_0", on: bool = False
) -> PartnrTask:
    names = dict.fromkeys(name for one in propositions for name in one.lists[0])
    ends = TerminalSatisfactionConstraint(tuple(range(len(propositions))))
    evaluation = Evaluation(propositions, (), (ends,))
    states = {"stove_0": {"powered_on": on}}
    return make_task(evaluation, *((name, at) for name in names), states=states, seed=seed)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("thing", "room", "on"),
    [
        ("bucket_0", "bedroom_0", {"floor"}),
        ("bucket_0", "living_room_0", {"floor"}),
        ("bucket_0", "bathroom_0", {"floor"}),
        ("cushion_0", "living_room_0", {"sofa", "armchair"}),
        ("pillow_0", "bedroom_0", {"bed"}),
        ("cleaning_cloth_0", "bedroom_0", {"nightstand", "dresser", "desk"}),
        ("cleaning_cloth_0", "living_room_0", {"coffee_table", "side_table", "tv_stand"}),
        ("cleaning_cloth_0", "bathroom_0", {"bathroom_cabinet"}),
    ],
)
def test_it_puts_things_in_rooms_where_they_usually_are(
    thing: str, room: str, on: set[str], seed: int
) -> None:
    assert end_of(task_of(of("is_in_room", [thing], [room]), seed=seed), thing) in on


def test_among_usual_places_one_is_drawn() -> None:
    book = of("is_in_room", ["vase_0"], ["living_room_0"])
    tasks = [task_of(book, seed=seed) for seed in range(12)]
    ends = {end_of(task, "vase_0") for task in tasks}
    assert len(ends) > 1
    assert all(is_usual_on("vase", on) for on in ends)
    assert end_of(tasks[3], "vase_0") == end_of(tasks[3], "vase_0")


def test_nothing_is_put_on_a_hot_stove() -> None:
    """Though pans are usually there."""
    pan = of("is_in_room", ["pan_0"], ["kitchen_0"])
    hot, cold = (
        {end_of(task_of(pan, seed=seed, at="sofa_0", on=on), "pan_0") for seed in range(10)}
        for on in (True, False)
    )
    assert "stove" in cold
    assert "stove" not in hot


def test_of_furniture_to_choose_from_it_takes_what_is_usual() -> None:
    pieces = ["bed_0", "nightstand_0", "shelf_0", "shelf_1"]
    assert end_of(task_of(of("is_on_top", ["drill_0"], pieces)), "drill_0") == "shelf"


def test_buckets_of_the_tasks_end_on_floors() -> None:
    """No evaluation function asks for that: a nightstand would do."""
    checked = 0
    for task in load("val"):
        ends = [
            prop
            for prop in task.episode.evaluation.propositions
            if prop.predicate == "is_in_room" and prop.lists[0] == ("bucket_0",)
        ]
        others = [
            prop
            for prop in task.episode.evaluation.propositions
            if "bucket_0" in (name for names in prop.lists for name in names)
        ]
        if ends and ends == others:
            assert end_of(task, "bucket_0") in ("floor", "workbench"), task.id
            checked += 1
            if checked == 4:
                return
    assert checked, "there are no buckets any more: look for other things"


@pytest.mark.parametrize("settings", [FULL, Settings()], ids=["full", "partial"])
@pytest.mark.parametrize("seed", range(3))
def test_who_brings_more_sees_what_another_brings(settings: Settings, seed: int) -> None:
    """Two with a towel each do not find out at the cabinet that there is room for one; nobody
    throws theirs on the floor because another stands at its door."""
    towels = tuple(of("is_in_room", [f"towel_{number}"], ["bathroom_0"]) for number in range(4))
    evaluation = Evaluation(towels, (), (TerminalSatisfactionConstraint((0, 1, 2, 3)),))
    at = ("bed_0", "sofa_0", "bed_0", "sofa_0")
    things = [(f"towel_{number}", piece) for number, piece in enumerate(at)]
    task = make_task(evaluation, *things, seed=seed, settings=settings)
    session = play_expert(task)
    assert session.judgement().success
    assert all(event.ok for event in session.simulation.log)
    ends = [session.simulation.state.places[name][0] for name, _ in things]
    assert not any(end in task.house.floors for end in ends)
