"""Partners: each differs from the expert by the rules of its traits, and by nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from homebody.core import DONE, WAIT, Policy
from homebody.core.play.rounds import play
from homebody.core.play.session import Event
from homebody.goals.partnr import Evaluation, TerminalSatisfactionConstraint
from homebody.suites import get_suite
from homebody.suites.partnr.expert import Expert
from homebody.suites.partnr.expert.partner import WORK, partner_policy
from homebody.suites.partnr.partners import PARTNERS, Traits
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, Settings
from homebody.suites.partnr.suite import PLAYING
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.simulation.relations import room_of
from suites.partnr.homes import FULL, make_task, of

LAZY = PARTNERS["lazy"]
THINGS = ("cup_0", "cup_1", "plate_0", "book_0")
SEEDS = range(6)


def moving(
    *places: str, settings: Settings = FULL, seed: int = 0, **assigned: Sequence[int]
) -> PartnrTask:
    """Four objects to the bed, from the counter or from each of four places."""
    propositions = tuple(of("is_on_top", [name], ["bed_0"]) for name in THINGS)
    evaluation = Evaluation(propositions, (), (TerminalSatisfactionConstraint((0, 1, 2, 3)),))
    at = places or ("counter_0",) * 4
    task = make_task(
        evaluation, *zip(THINGS, at, strict=True), settings=settings, name="moving", seed=seed
    )
    episode = replace(task.episode, assigned={role: tuple(own) for role, own in assigned.items()})
    return replace(task, episode=episode)


def idle(_: object, role: str) -> Any:
    return DONE


def experts(session: PartnrSession) -> dict[str, Policy]:
    """An expert for each role, which do not agree on anything."""
    made = {role: Expert(session) for role in session.roles}
    return dict.fromkeys(made, lambda _, role: made[role].act(role))


def played(task: PartnrTask, traits: Traits, other: Policy | None = None) -> PartnrSession:
    """A partner as the human, beside an expert unless another is given."""
    session = PartnrSession(task)
    robot = other or experts(session)[ROBOT]
    return play(session, {ROBOT: robot, HUMAN: partner_policy(session, traits)})  # type: ignore[return-value]


def done_by(session: PartnrSession, role: str = HUMAN) -> list[Event]:
    """What a role did, other than to wait."""
    log = session.simulation.log
    return [event for event in log if event.role == role and event.action != WAIT]


def works(session: PartnrSession, role: str = HUMAN) -> list[str]:
    """The objects that a role put down or changed, in order."""
    return [
        event.action.args[0]
        for event in done_by(session, role)
        if event.ok and event.action.name in WORK
    ]


@pytest.mark.parametrize("settings", [FULL, Settings()], ids=["full", "partial"])
def test_without_traits_a_partner_is_an_expert(settings: Settings) -> None:
    task = moving(settings=settings)
    session = PartnrSession(task)
    play(session, experts(session))
    assert played(task, Traits()).entries == session.entries


def test_the_policies_of_the_suite_are_the_partners() -> None:
    assert tuple(PARTNERS) == PLAYING.partners[: len(PARTNERS)]
    task = moving(settings=Settings(human="fickle"))
    one = PartnrSession(task)
    rng = np.random.default_rng(0)
    made = PLAYING.players(one, {"human": "fickle", "robot": "idle"}, rng)
    two = played(task, PARTNERS["fickle"], idle)
    assert play(one, made).entries == two.entries


@pytest.mark.parametrize("name", PARTNERS)
def test_the_seed_decides(name: str) -> None:
    def entries(seed: int) -> object:
        return played(moving(seed=seed), PARTNERS[name], idle).entries

    assert entries(1) == entries(1)
    drawn = PARTNERS[name].part == "share" or name in ("forgetful", "fickle", "habitual")
    assert (len({str(entries(seed)) for seed in SEEDS}) > 1) == drawn


# -- what each of them does -----------------------------------------------------------------------


def test_who_is_fair_does_every_second_object_and_leaves_the_others() -> None:
    for seed in SEEDS:
        session = played(moving(seed=seed), PARTNERS["fair"], idle)
        assert len(set(works(session))) == 2
        assert session.progress() == 0.5
    firsts = {works(played(moving(seed=seed), PARTNERS["fair"], idle))[0] for seed in SEEDS}
    assert len(firsts) > 1  # chance decides whose is the first


def test_who_is_fair_does_what_the_instruction_assigns_to_them() -> None:
    session = played(moving(human=(0, 1, 2), robot=(3,)), PARTNERS["fair"], idle)
    assert sorted(works(session)) == ["cup_0", "cup_1", "plate_0"]


def test_who_is_fair_does_what_only_they_can_do() -> None:
    names = ["plate_0", "cup_0", "cup_1"]
    evaluation = Evaluation(tuple(of("is_clean", [name]) for name in names))
    dirty = {name: {"clean": False} for name in names}
    places = [(name, "counter_0") for name in names]
    session = played(make_task(evaluation, *places, states=dirty), PARTNERS["fair"], idle)
    assert session.judgement().success
    assert sorted(works(session)) == sorted(names)


def test_who_is_fair_waits_for_the_others_share() -> None:
    """As long as the other can act; a person may take minutes."""
    session = PartnrSession(moving())
    late = 9_000

    def slow(_: object, role: str) -> Any:
        return WAIT if session.clock < late else DONE

    play(session, {ROBOT: partner_policy(session, PARTNERS["fair"]), HUMAN: slow})
    assert session.clock >= late
    assert session.progress() == 0.5


def test_who_is_slow_waits_after_each_action_as_long_as_it_took() -> None:
    events = done_by(played(moving(), PARTNERS["slow"], idle))
    assert len(events) > 2
    for event, later in pairwise(events):
        assert later.start - event.end >= event.end - event.start
    quick = done_by(played(moving(), Traits(), idle))
    assert events[-1].end > 1.7 * quick[-1].end


def test_who_is_lazy_works_in_the_room_where_they_are_and_rests_after_work() -> None:
    start = PartnrSession(moving()).simulation.state
    assert room_of(start, HUMAN) == start.house.piece["dresser_0"].room
    places = ("nightstand_0", "dresser_0", "workbench_0", "shelf_0")
    assert sorted(works(played(moving(*places), LAZY, idle))) == sorted(THINGS[:2])
    session = played(moving(*places), LAZY)
    assert session.judgement().success
    assert not {*THINGS[2:]} & {*works(session)}
    rests = [
        later.start - event.end
        for seed in SEEDS
        for event, later in pairwise(done_by(played(moving(seed=seed, human=range(4)), LAZY)))
        if event.ok and event.action.name in WORK
    ]
    assert rests
    assert min(rests) >= 30 * 30


def test_who_is_lazy_does_what_is_assigned_to_them_anywhere() -> None:
    session = played(moving(human=(0, 1, 2, 3)), LAZY, idle)
    assert session.judgement().success


def test_who_is_forgetful_looks_in_wrong_places_first() -> None:
    """Half of the times that they set out, and never without the trait."""
    wrong = {
        traits: sum(
            event.action.name == "Navigate"
            and event.action.args[0] not in (*THINGS, "counter_0", "bed_0")
            for seed in SEEDS
            for event in done_by(played(moving(seed=seed), traits, idle))
        )
        for traits in (Traits(), PARTNERS["forgetful"])
    }
    assert wrong[Traits()] == 0
    assert 0.25 <= wrong[PARTNERS["forgetful"]] / (len(SEEDS) * len(THINGS)) <= 1.0


def test_who_is_forgetful_takes_up_again_what_they_put_down() -> None:
    """Each object once, and it comes back to its place."""
    session = played(moving(), Traits(repeats=1.0), idle)
    assert session.judgement().success
    *before, last = works(session)
    assert sorted([*before, last, last]) == sorted([*THINGS, *THINGS])  # all is done then


def test_who_is_fickle_puts_back_what_they_took_and_turns_to_another_object() -> None:
    session = played(moving(), Traits(wavers=1.0), idle)
    assert session.judgement().success
    puts = [
        (event.action.args[0], event.action.args[2])
        for event in done_by(session)
        if event.ok and event.action.name in ("Place", "Rearrange")
    ]
    for name in THINGS:
        assert [target for thing, target in puts if thing == name] == ["counter_0", "bed_0"]
    assert puts[0][0] != puts[1][0]
    assert works(played(moving(), Traits(), idle)) != works(session)


def test_who_is_bossy_does_what_is_the_others_and_does_it_again() -> None:
    task = moving(human=(0,), robot=(1, 2, 3))
    own = {name: works(played(task, PARTNERS[name])) for name in ("bossy", "slow")}
    assert set(own["slow"]) <= {"cup_0"}
    assert set(own["bossy"]) > {"cup_0"}
    session = played(moving(), Traits(corrects=1.0))
    assert session.judgement().success
    by_robot, by_human = works(session, ROBOT), works(session)
    assert by_robot
    assert set(by_robot[:-1]) <= set(by_human)


def test_who_has_habits_goes_from_room_to_room_and_to_a_room_of_their_own() -> None:
    places = ("sofa_0", "counter_0", "kids_table_0", "shelf_0")
    rooms = set()
    for seed in SEEDS:
        session = played(moving(*places, seed=seed), PARTNERS["habitual"], idle)
        house = session.simulation.state.house
        order = [room.name for room in house.rooms]
        assert session.judgement().success
        came = [
            order.index(house.piece[house.thing[name].place[0]].room) for name in works(session)
        ]
        assert came == sorted(came)
        (own,) = {
            event.action.args[0]
            for event in done_by(session)
            if event.action.name == "Navigate" and event.action.args[0] in order
        }
        rooms.add(own)
    assert len(rooms) > 1


def test_who_has_habits_closes_what_they_opened() -> None:
    evaluation = Evaluation(
        (of("is_inside", ["cup_0"], ["fridge_0"]), of("is_on_top", ["book_0"], ["bed_0"]))
    )
    task = make_task(evaluation, ("cup_0", "counter_0"), ("book_0", "kids_table_0"))
    for traits in (PARTNERS["habitual"], Traits()):
        session = played(task, traits, idle)
        assert session.judgement().success
        opened = session.simulation.state.is_in_state("fridge_0", "open")
        assert opened != traits.closes


@pytest.mark.parametrize("name", PARTNERS)
def test_beside_an_expert_every_task_is_solved(name: str) -> None:
    suite = get_suite("partnr.val")
    for identifier in ("val-18-0", "val-58-77", "val-78-154", "val-98-231"):
        task = suite.task(identifier)
        output = suite.answer("expert", task, settings={HUMAN: name})
        record = suite.score(task, output).record
        assert record["success"], record["explanation"]
        assert record["settings"] == {HUMAN: name}
