"""The expert: solves evaluation functions of every kind, with any partner, and can break orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pytest

from homebody.core import Action
from homebody.core.play import policies
from homebody.core.play.rounds import play
from homebody.goals.partnr import (
    Constraint,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.suites.partnr.expert import Expert, play_expert, reverse_order
from homebody.suites.partnr.expert.requirements import has_breakable_order
from homebody.suites.partnr.session import MAX_WAIT, PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, Settings
from homebody.suites.partnr.tasks import PartnrTask, load
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND
from suites.partnr.homes import FULL, home, make_task, of, replay
from thorough import part_of

THINGS = (
    ("cup_0", "counter_0"),
    ("cup_1", "sofa_0"),
    ("cup_2", "fridge_0", "within"),
    ("plate_0", "coffee_table_0"),
    ("book_0", "bed_0"),
    ("basket_0", "sofa_0"),
    ("ball_0", "basket_0", "within"),
    ("lunch_box_0", "fridge_0", "within"),
    ("apple_0", "lunch_box_0", "within"),
    ("pitcher_0", "counter_0"),
    ("table_lamp_0", "nightstand_0"),
)
STATES: Mapping[str, Mapping[str, bool]] = {
    "cup_0": {"clean": False, "filled": False},
    "cup_1": {"clean": True, "filled": True},
    "cup_2": {"clean": False, "filled": False},
    "plate_0": {"clean": False},
    "pitcher_0": {"filled": True},
    "lunch_box_0": {"open": False},
    "table_lamp_0": {"powered_on": False},
    "stove_0": {"powered_on": True},
    "fridge_0": {"open": False},
    "bed_0": {"clean": False},
}
BOTH = "receptacle_handles"


def together(*things: str) -> Proposition:
    return Proposition("is_clustered", tuple((one,) for one in things), (1,) * len(things))


def task_of(
    *propositions: Proposition,
    dependencies: tuple[Dependency, ...] = (),
    constraints: tuple[Constraint, ...] = (),
    passing: tuple[int, ...] = (),
    settings: Settings = FULL,
    things: tuple[tuple[str, ...], ...] = THINGS,
    seed: int = 0,
) -> PartnrTask:
    """A task in which all but the ``passing`` propositions must hold at the end."""
    ends = tuple(index for index in range(len(propositions)) if index not in passing)
    evaluation = Evaluation(
        propositions, dependencies, (*constraints, TerminalSatisfactionConstraint(ends))
    )
    there = {one[0] for one in things}
    names = set(STATES) & (there | {"stove_0", "fridge_0", "bed_0"})
    states = {name: STATES[name] for name in STATES if name in names}
    return make_task(evaluation, *things, states=states, settings=settings, seed=seed)


def order(*edges: tuple[int, int]) -> TemporalConstraint:
    return TemporalConstraint(edges)


KINDS: Mapping[str, PartnrTask] = {
    "any of several on any of several": task_of(
        of("is_on_top", ["cup_0", "cup_1"], ["table_0", "kids_table_0"])
    ),
    "two of three on the same": task_of(
        of("is_on_top", ["cup_0", "cup_1", "cup_2"], ["kids_table_0", "bed_0"], number=2, same=True)
    ),
    "inside, which is closed": task_of(of("is_inside", ["book_0"], ["wardrobe_0"])),
    "inside an object": task_of(of("is_inside", ["cup_0"], ["basket_0"])),
    "out of a box in a fridge, both closed": task_of(of("is_on_top", ["apple_0"], ["counter_1"])),
    "in a room": task_of(of("is_in_room", ["cup_0", "book_0"], ["playroom_0"], number=2)),
    "on the floor of a room": task_of(
        of("is_on_floor", ["ball_0"]), of("is_in_room", ["ball_0"], ["bedroom_0"])
    ),
    "next to another": task_of(of("is_next_to", ["cup_0"], ["book_0"])),
    "next to furniture": task_of(of("is_next_to", ["book_0"], ["fridge_0"])),
    "next to another while both are somewhere": task_of(
        of("is_on_top", ["cup_0"], ["bed_0", "kids_table_0"]),
        of("is_on_top", ["cup_1"], ["bed_0", "kids_table_0"]),
        of("is_next_to", ["cup_0"], ["cup_1"]),
        dependencies=(Dependency((2,), (0, 1), "while_satisfied"),),
    ),
    "next to another on the floor": task_of(
        of("is_on_floor", ["cup_0"]),
        of("is_on_floor", ["ball_0"]),
        of("is_next_to", ["ball_0"], ["cup_0"]),
        dependencies=(Dependency((2,), (0, 1), "while_satisfied"),),
    ),
    "a cluster anywhere": task_of(together("cup_0", "ball_0", "apple_0")),
    "a cluster somewhere": task_of(
        of("is_on_top", ["cup_0", "cup_1", "plate_0"], ["bed_0"], number=3),
        together("cup_0", "cup_1", "plate_0"),
    ),
    "clean, which only people do": task_of(
        of("is_clean", ["cup_0"]), of("is_clean", ["plate_0"]), of("is_clean", ["bed_0"])
    ),
    "already dirty is left so": task_of(
        of("is_dirty", ["cup_0", "cup_2"]), of("is_clean", ["plate_0"])
    ),
    "filled at a tap and brought": task_of(
        of("is_filled", ["cup_0"]), of("is_on_top", ["cup_0"], ["table_0", "kids_table_0"])
    ),
    "emptied": task_of(of("is_empty", ["pitcher_0"]), of("is_filled", ["cup_1"])),
    "on and off": task_of(of("is_powered_on", ["table_lamp_0"]), of("is_powered_off", ["stove_0"])),
    "there and back": task_of(
        of("is_on_top", ["cup_0"], ["bed_0"]),
        of("is_on_top", ["cup_0"], ["counter_0"]),
        dependencies=(Dependency((1,), (0,), "after_satisfied"),),
        constraints=(order((0, 1)),),
        passing=(0,),
    ),
    "once it is no longer on": task_of(
        of("is_powered_on", ["table_lamp_0"]),
        of("is_on_top", ["book_0"], ["coffee_table_0"]),
        dependencies=(Dependency((1,), (0,), "after_unsatisfied"),),
        passing=(0,),
    ),
    "once it is no longer there": task_of(
        of("is_on_top", ["cup_0"], ["bed_0"]),
        of("is_on_top", ["book_0"], ["coffee_table_0"]),
        dependencies=(Dependency((1,), (0,), "after_unsatisfied"),),
        passing=(0,),
    ),
    "what counts only a moment later": task_of(
        of("is_on_top", ["cup_0"], ["bed_0"]),
        of("is_clean", ["cup_1"]),  # it is, but counts only afterwards
        of("is_on_top", ["book_0"], ["coffee_table_0"]),
        dependencies=(
            Dependency((1,), (0,), "after_satisfied"),
            Dependency((2,), (1,), "after_satisfied"),
        ),
    ),
    "before something else": task_of(
        of("is_on_top", ["cup_0"], ["bed_0"]),
        of("is_clean", ["plate_0"]),
        dependencies=(Dependency((1,), (0,), "before_satisfied"),),
        passing=(1,),  # afterwards it no longer counts
    ),
    "while any of two": task_of(
        of("is_on_top", ["cup_0"], ["bed_0"]),
        of("is_on_top", ["cup_1"], ["bed_0"]),
        of("is_clean", ["plate_0"]),
        dependencies=(Dependency((2,), (0, 1), "while_satisfied", "any"),),
    ),
    "the same place": task_of(
        of("is_on_top", ["cup_0"], ["bed_0", "table_0", "kids_table_0"]),
        of("is_on_top", ["book_0"], ["sofa_0", "kids_table_0", "coffee_table_0"]),
        constraints=(SameArgConstraint((0, 1), (BOTH, BOTH)),),
    ),
    "the same place, later": task_of(
        of("is_on_top", ["cup_0", "cup_1"], ["bed_0", "kids_table_0"]),
        of("is_on_top", ["book_0"], ["sofa_0", "kids_table_0", "shelf_1"]),
        constraints=(SameArgConstraint((0, 1), (BOTH, BOTH)), order((1, 0))),
    ),
    "different places": task_of(
        of("is_on_top", ["cup_0"], ["kids_table_0", "bed_0"]),
        of("is_on_top", ["cup_1"], ["kids_table_0", "bed_0"]),
        constraints=(DifferentArgConstraint((0, 1), (BOTH, BOTH)),),
    ),
    "different things": task_of(
        of("is_on_top", ["cup_0", "cup_1"], ["kids_table_0"]),
        of("is_on_top", ["cup_0", "cup_1"], ["kids_table_0", "bed_0"]),
        constraints=(DifferentArgConstraint((0, 1), ("object_handles",) * 2),),
    ),
    "the same thing": task_of(
        of("is_on_top", ["cup_0", "cup_1"], ["kids_table_0"]),
        of("is_clean", ["cup_2", "cup_0"]),
        constraints=(SameArgConstraint((0, 1), ("object_handles",) * 2), order((0, 1))),
    ),
    "an order with branches": task_of(
        of("is_on_top", ["book_0"], ["table_0", "coffee_table_0"]),
        of("is_clean", ["cup_0"]),
        of("is_in_room", ["ball_0"], ["playroom_0"]),
        of("is_powered_on", ["table_lamp_0"]),
        constraints=(order((0, 1), (0, 2), (1, 3), (2, 3)),),
    ),
    "later things not by accident": task_of(
        of("is_in_room", ["book_0"], ["living_room_0"]),
        of("is_on_top", ["book_0"], ["coffee_table_0", "sofa_0", "tv_stand_0"]),
        constraints=(order((0, 1)),),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_it_solves_every_kind(kind: str) -> None:
    session = play_expert(KINDS[kind])
    result = session.judgement()
    assert result.success, result.explanation
    assert session.clock < 6_000


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_done_by_doing_nothing(kind: str) -> None:
    session = PartnrSession(KINDS[kind])
    play(session, {})
    assert not session.judgement().success


@pytest.mark.parametrize("kind", list(KINDS)[::3])
@pytest.mark.parametrize(
    "settings",
    [
        Settings(team="single"),
        Settings(),
        Settings(perception="erring", skills="failing"),
        Settings(perception="learned", skills="learned"),
    ],
    ids=["alone", "partial", "failing and erring", "learned"],
)
def test_it_copes_with_other_settings(kind: str, settings: Settings) -> None:
    task = KINDS[kind]
    result = play_expert(PartnrTask(task.episode, settings, seed=1)).judgement()
    assert result.success, result.explanation


def test_two_are_faster_than_one() -> None:
    alone = both = 0
    for kind in ("in a room", "a cluster somewhere", "different places", "an order with branches"):
        both += play_expert(KINDS[kind]).clock
        alone += play_expert(PartnrTask(KINDS[kind].episode, Settings("single"))).clock
    assert both < 0.8 * alone


def test_both_agents_do_something_at_the_same_time() -> None:
    log = play_expert(KINDS["different places"]).simulation.log
    work = {one.role: one for one in log if one.action.name == "Rearrange"}
    assert set(work) == {ROBOT, HUMAN}
    assert work[ROBOT].start < work[HUMAN].end
    assert work[HUMAN].start < work[ROBOT].end


@pytest.mark.parametrize("kind", ["different places", "inside an object", "a cluster somewhere"])
def test_the_robot_alone_does_what_it_can(kind: str) -> None:
    """Its partner says Done at once, or waits for ever."""
    session = PartnrSession(KINDS[kind])
    expert = Expert(session)
    play(session, {ROBOT: lambda _, agent: expert.act(agent)})
    assert session.judgement().success

    session = PartnrSession(KINDS[kind])
    expert = Expert(session)
    play(session, {ROBOT: lambda _, agent: expert.act(agent), HUMAN: _waiting})
    assert session.judgement().success


def _waiting(session: PartnrSession, agent: str) -> Action:
    return Action("Wait") if session.clock < 5_000 else Action("Done")


def test_what_the_partner_holds_on_to_is_replaced_by_another() -> None:
    session = PartnrSession(KINDS["any of several on any of several"])
    expert = Expert(session)
    calls = [Action("Navigate", ("cup_0",)), Action("Pick", ("cup_0",))]

    def keeps(_: PartnrSession, __: str) -> Action:
        return calls.pop(0) if calls else Action("Done")

    play(session, {ROBOT: lambda _, agent: expert.act(agent), HUMAN: keeps})
    assert session.simulation.state.places["cup_0"][0] == HUMAN
    assert session.judgement().success


def test_it_stops_when_only_its_partner_could_go_on() -> None:
    session = PartnrSession(KINDS["clean, which only people do"])
    expert = Expert(session)
    play(session, {ROBOT: lambda _, agent: expert.act(agent)})
    assert session.ending is not None
    assert session.clock < 10_000


@pytest.mark.parametrize("seed", range(4))
def test_a_partner_who_acts_at_random_does_not_stop_it(seed: int) -> None:
    """What the partner does after everything was done cannot be mended, but it all gets done."""
    kinds = [*KINDS.values()]
    session = PartnrSession(kinds[7 * seed])
    expert = Expert(session)
    chance = policies.random(session, np.random.default_rng(seed))
    play(session, {HUMAN: lambda _, agent: expert.act(agent), ROBOT: chance})
    result = session.judgement()
    assert all(at is not None for at in result.satisfied_at), result.explanation


@pytest.mark.parametrize("kind", list(KINDS)[::4])
def test_it_succeeds_beside_whoever_undoes_nothing(kind: str) -> None:
    """However much the partner stands and walks in its way, and opens and shuts."""
    session, chance = PartnrSession(KINDS[kind]), np.random.default_rng(len(kind))
    expert = Expert(session)

    def strolls(_: object, agent: str) -> Action:
        options = session.observe(agent).options
        harmless = [
            one for one in options if one.name in ("Navigate", "Explore", "Open", "Close", "Done")
        ]
        return harmless[int(chance.integers(len(harmless)))]

    play(session, {HUMAN: lambda _, agent: expert.act(agent), ROBOT: strolls})
    assert session.judgement().success, session.judgement().explanation


def test_room_is_made_where_it_is_full() -> None:
    things: tuple[tuple[str, ...], ...] = (("basket_0", "sofa_0"),)
    for number in range(40):
        more = *things, (f"cup_{number}", "nightstand_0")
        try:
            home(*more)
        except ValueError:
            break
        things = more
    assert len(things) > 3
    task = task_of(of("is_on_top", ["basket_0"], ["nightstand_0"]), things=things)
    assert play_expert(task).judgement().success


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_order_fails_and_is_explained(kind: str) -> None:
    task = KINDS[kind]
    if not has_breakable_order(task.episode.evaluation):
        assert play_expert(task, reverse_order).judgement().success
        return
    result = play_expert(task, reverse_order).judgement()
    assert not result.success
    assert "wrong order" in result.explanation


def test_its_transcript_replays() -> None:
    task = KINDS["filled at a tap and brought"]
    again = replay(task, play_expert(task).transcript().encode())
    assert again.judgement().success
    assert again.clock == play_expert(task).clock


def test_it_does_the_same_again() -> None:
    task = KINDS["a cluster anywhere"]
    assert play_expert(task).transcript() == play_expert(task).transcript()


def test_what_cannot_be_is_left_and_the_rest_done() -> None:
    task = task_of(of("is_dirty", ["plate_0"]), of("is_on_top", ["cup_0"], ["bed_0"]))
    clean = make_task(
        task.episode.evaluation, *THINGS, states={**STATES, "plate_0": {"clean": True}}
    )
    session = play_expert(clean)
    assert session.judgement().percent_complete == 0.5
    assert session.ending is not None
    assert session.clock < 3_000


def random_transcript(task: PartnrTask, seed: int) -> str:
    session = PartnrSession(task)
    policy = policies.random(session, np.random.default_rng(seed))
    return play(session, dict.fromkeys(session.roles, policy)).transcript().encode()


def test_random_runs_are_seeded_and_mostly_possible() -> None:
    task = KINDS["in a room"]
    text = random_transcript(task, 3)
    assert text == random_transcript(task, 3)
    assert text != random_transcript(task, 4)
    session = replay(task, text)
    results = [one for one in session.simulation.log if one.action.name != "Wait"]
    assert sum(one.ok for one in results) > len(results) / 3
    assert {one.action.name for one in results} >= {"Explore", "Navigate"}


@pytest.mark.slow
def test_waiting_is_one_action() -> None:
    """Until something is seen, nobody else does anything (which is looked at once a second), or
    20 s have passed."""
    waits = 0
    for task in part_of(load("val")[:60:2]):
        session = play_expert(task)
        log = session.simulation.log
        for one in log:
            if one.action.name == "Wait":
                waits += 1
                others = [e.end for e in log if e.role != one.role]
                after = min((one.end - end for end in others if end <= one.end), default=MAX_WAIT)
                assert one.end - one.start == MAX_WAIT or after <= STEPS_PER_SECOND, task.id
        clocks = session.simulation_judge.clocks
        assert len(set(clocks)) == len(clocks)  # no step of the judge's because of it
    assert 0 < waits < 3 * 30


def test_who_waits_gets_ready() -> None:
    """Who has to wipe a cup and then turn on a lamp goes there while another is still busy."""
    log = play_expert(KINDS["an order with branches"]).simulation.log
    went = [one for one in log if one.role == HUMAN and one.action.name == "Navigate"]
    moved = [one.end for one in log if one.action.name == "Rearrange"]
    # the cup is to be cleaned once the book is moved, the lamp turned on when all that is done
    assert went[0].action.args == ("cup_0",)
    assert went[0].start < went[0].end < moved[0]
    assert went[1].action.args == ("table_lamp_0",)
    assert went[1].start < moved[1]


def test_what_is_at_hand_is_not_left_for_something_else() -> None:
    """Nobody goes to a thing and then away from it, to come back to it later."""
    for task in part_of(load("val")[1:80:2]):
        log = [one for one in play_expert(task).simulation.log if one.ok]
        for role in (ROBOT, HUMAN):
            own = [one for one in log if one.role == role and one.action.name != "Wait"]
            for first, then in pairwise(own):
                walked = first.action.name == then.action.name == "Navigate"
                assert not walked or first.action.args != then.action.args, task.id


@pytest.mark.parametrize("settings", [FULL, Settings()], ids=["full", "partial"])
@pytest.mark.parametrize(
    "kind", ["a cluster somewhere", "next to another while both are somewhere"]
)
def test_what_belongs_together_is_put_there_once(kind: str, settings: Settings) -> None:
    """Whoever comes second puts it next to what the first has put there, and waits for that."""
    log = play_expert(PartnrTask(KINDS[kind].episode, settings)).simulation.log
    put = Counter(
        one.action.args[0] for one in log if one.ok and one.action.name in ("Place", "Rearrange")
    )
    assert set(put.values()) == {1}
    assert len(put) > 1


@pytest.mark.slow
def test_it_does_not_do_the_same_again_and_again() -> None:
    for task in load("val")[:200:3]:
        log = [one for one in play_expert(task).simulation.log if one.ok]
        for role in (ROBOT, HUMAN):
            own = [one.action for one in log if one.role == role]
            own = [action for action in own if action.name not in ("Wait", "Navigate")]
            assert not any(first == then for first, then in pairwise(own)), task.id


def test_the_robot_is_there_when_what_it_will_bring_is_clean() -> None:
    """It takes it then, though it is asked before the human, who has just wiped it."""
    task = task_of(
        of("is_clean", ["plate_0"]),
        of("is_clean", ["cup_0"]),
        of("is_on_top", ["plate_0"], ["bed_0"]),
        of("is_on_top", ["cup_0"], ["bed_0"]),
        constraints=(order((0, 2), (1, 2), (0, 3), (1, 3)),),
        settings=Settings(),
    )
    session = play_expert(task)
    assert session.judgement().success
    log = [one for one in session.simulation.log if one.ok]
    wiped = [one.end for one in log if one.action.name == "Clean"]
    robot = [one for one in log if one.role == ROBOT]
    assert robot[0].action.name == "Navigate"
    assert robot[0].start == 0 < wiped[0]
    brought = {one.role for one in log if one.action.name in ("Place", "Rearrange")}
    assert brought == {ROBOT, HUMAN}


@pytest.mark.slow
def test_nothing_that_belongs_elsewhere_is_carried_back() -> None:
    for task in load("val")[:150:3]:
        targets: dict[str, set[str]] = {}
        for proposition in task.episode.evaluation.propositions:
            if proposition.predicate in ("is_on_top", "is_inside", "is_in_room"):
                for name in proposition.lists[0]:
                    targets.setdefault(name, set()).update(proposition.lists[1])
        for one in play_expert(task).simulation.log:
            if one.ok and one.action.name in ("Place", "Rearrange"):
                name, _, target, *_ = one.action.args
                back = target == task.house.thing[name].place[0]
                assert not back or target in targets.get(name, {target}), task.id
