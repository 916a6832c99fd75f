"""Changes of an instruction in the middle of a run, derived from an episode and its house.

The person who gave the instruction either adds a request ("One more thing: please put the hat on
the desk in the bedroom, too.") or replaces a target ("Change of plan: put the hat on the desk in
the bedroom instead."). The choice is seeded by the episode's id. The words are unambiguous: the
object is the only one of its category in the house, the furniture the only one of its category in
its room, and the room the only one of its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from homebody.core import HomebodyError
from homebody.core.ground.seeds import generator, shuffle
from homebody.core.ground.sharing import never_changes
from homebody.goals.partnr import (
    Episode,
    Evaluation,
    Proposition,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.goals.partnr.evaluation_function import check
from homebody.suites.partnr.episodes.predicates import STATES
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.model.told_apart import words_of
from homebody.worlds.house.simulation.placing import fit, receptacles


@never_changes
@dataclass(frozen=True, slots=True)
class Change:
    """A change of an instruction.

    Attributes:
        kind: ``adds`` or ``replaces``.
        words: The words of the person.
        evaluation: The evaluation function of the whole run. The propositions of the episode keep
            their indices.
    """

    kind: str
    words: str
    evaluation: Evaluation


def make_change(episode: Episode, house: House, kind: str) -> Change:
    """Return the change of an episode.

    ``adds``: an object that the episode does not mention has to be on furniture that it does not
    mention. ``replaces``: an object has to be on other furniture than the instruction says. Nothing
    may depend on its old place: the proposition has no dependency and no argument constraint, and
    nothing has to come after it. If an episode has no such proposition, a request is added instead.

    Raises:
        HomebodyError: No object or no furniture of the house can be named.
    """
    state = HouseState.start(house, {})
    rng = generator(f"change {episode.id} {kind}")
    if kind == "replaces":
        for index in shuffle(rng, _replaceable(episode.evaluation, house)):
            proposition = episode.evaluation.propositions[index]
            ((name,), *old) = proposition.lists
            for piece in shuffle(rng, _targets(state, name, {*chain(*old)})):
                words = f"Change of plan: put {_words(house, name, piece)} instead."
                return Change(kind, words, _replace(episode.evaluation, index, name, piece.name))
    named = set(chain.from_iterable(chain(*(p.lists for p in episode.evaluation.propositions))))
    for name in shuffle(rng, [name for name in _objects(state) if name not in named]):
        for piece in shuffle(rng, _targets(state, name, named)):
            words = f"One more thing: please put {_words(house, name, piece)}, too."
            return Change("adds", words, _add(episode.evaluation, name, piece.name))
    raise HomebodyError(
        f"nothing in the house of {episode.id[:80]} can be asked for unambiguously",
        "use change=none",
    )


def _replaceable(evaluation: Evaluation, house: House) -> list[int]:
    """Return the propositions whose target can be replaced."""
    propositions = evaluation.propositions
    tied = {i for gate in evaluation.dependencies for i in (*gate.propositions, *gate.depends_on)}
    for part in evaluation.constraints:
        if isinstance(part, TemporalConstraint):
            tied.update(first for first, _ in part.edges)
        elif not isinstance(part, TerminalSatisfactionConstraint):
            tied.update(part.propositions)
    counts = Counter(thing.category for thing in house.things)
    users = Counter(
        name
        for proposition in propositions
        if proposition.predicate not in STATES
        for name in set(chain(*proposition.lists))
    )
    return [
        index
        for index, proposition in enumerate(propositions)
        if index not in tied
        and proposition.predicate in ("is_on_top", "is_inside", "is_in_room")
        and len(proposition.lists[0]) == proposition.number == 1
        and users[name := proposition.lists[0][0]] == 1
        and name in house.thing
        and counts[house.thing[name].category] == 1
    ]


def _objects(state: HouseState) -> list[str]:
    """Return the objects that lie on furniture, can be carried, and are alone in their category."""
    house = state.house
    counts = Counter(thing.category for thing in house.things)
    return [
        thing.name
        for thing in house.things
        if counts[thing.category] == 1
        and "grabbable" in catalogue().affordances.get(thing.category, {"grabbable"})
        and (holder := state.places[thing.name][0]) in house.piece
        and state.places[thing.name][1] in {s.name for s in receptacles(state, holder, "on")}
    ]


def _targets(state: HouseState, name: str, avoided: set[str]) -> list[Furniture]:
    """Return the furniture with room for an object that words can name: where the catalogue lists
    such objects; without such furniture, what is neither wet, hot nor a seat."""
    house = state.house
    kind = catalogue().things.get(house.thing[name].category)
    usual = kind.places if kind is not None else ()
    kinds = Counter(room.kind for room in house.rooms)
    pieces = Counter((piece.room, piece.category) for piece in house.furniture)
    holder = state.places[name][0]
    found = [
        piece
        for piece in house.furniture
        if kinds[house.room[piece.room].kind] == pieces[piece.room, piece.category] == 1
        and avoided.isdisjoint((piece.name, piece.room))
        and piece.name != holder
        and any(_fits(state, name, piece, space) for space in _tops(state, piece))
    ]
    return [piece for piece in found if piece.category in usual] or [
        piece for piece in found if catalogue().takes_anything(piece.category)
    ]


def _tops(state: HouseState, piece: Furniture) -> Iterator[str]:
    return (space.name for space in receptacles(state, piece.name, "on"))


def _fits(state: HouseState, name: str, piece: Furniture, space: str) -> bool:
    toward = state.box(piece.name).centre
    return fit(state, name, (piece.name, space), toward) is not None


def _words(house: House, name: str, piece: Furniture) -> str:
    """Return ``the hat on the desk in the living room``."""
    named = house.thing[name].category, piece.category, house.room[piece.room].kind
    return "the {} on the {} in the {}".format(*map(words_of, named))


def _add(evaluation: Evaluation, name: str, target: str) -> Evaluation:
    wanted = Proposition("is_on_top", ((name,), (target,)))
    return _with_last(evaluation, (*evaluation.propositions, wanted), len(evaluation.propositions))


def _replace(evaluation: Evaluation, index: int, name: str, target: str) -> Evaluation:
    propositions = list(evaluation.propositions)
    propositions[index] = Proposition("is_on_top", ((name,), (target,)))
    return _with_last(evaluation, propositions, index)


def _with_last(
    evaluation: Evaluation, propositions: Sequence[Proposition], index: int
) -> Evaluation:
    """Return an evaluation function with other propositions, one of which holds at the end."""
    last = TerminalSatisfactionConstraint((index,))
    constraints = (*evaluation.constraints, last)
    return check(replace(evaluation, propositions=tuple(propositions), constraints=constraints))
