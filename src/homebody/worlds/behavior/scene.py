"""Scenes: objects and stated facts -> the initial state.

homebody's rules where BDDL is not specific:

- Facts that are not stated are false, except for :func:`assumed_facts`.
- If an object is stated to be on top of one object and inside another, it rests on the nearer one.
  If both are the same object, it is on top (as in the published simulator). It may also be
  ``onfloor``: towels on floors are flat.
- ``ontop`` a floor is ``onfloor``.
- Each sliceable object has two halves, which have its abilities and its size. They are absent until
  it is sliced; if it is sliced at first, they take its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from homebody.core.state import Fact, Object, State
from homebody.worlds.behavior.actions import EDGES, RELATIONS, STATES
from homebody.worlds.behavior.sizes import litres, word

POTS = frozenset({"caldron", "casserole", "cauldron", "kettle", "pot", "saucepan", "stockpot"})
PANS = frozenset({"frying_pan", "griddle", "pan", "skillet", "wok", "cookie_sheet"})
MARKS = {
    "COOKER": PANS | (POTS - {"kettle"}),
    "POT": POTS | {"pan", "teapot"},
    "FRIDGE": frozenset({"electric_refrigerator", "fridge", "refrigerator", "deep-freeze"}),
    "SINK": frozenset({"sink"}),
    "DISHWASHER": frozenset({"dishwasher"}),
    "CLEANSER": frozenset({"detergent", "soap"}),
    "HUNG": frozenset({"door", "window"}),
}
"""Mark -> words for the kinds or categories with this mark. ``HUNG`` objects are fixed but can be
grasped."""
_START_OPEN = frozenset({"carton"})


@dataclass(frozen=True, slots=True)
class Thing:
    """An object in a scene.

    Attributes:
        name: Its name in plans ("strawberry_0").
        category: Its category in goals ("strawberry.n.01").
        kind: Its actual kind: synset, or model name.
        abilities: Abilities of the kind, from the taxonomy ("openable", "cleaningTool" ...).
        fixed: True if it is built into the scene.
        floor: True for a floor.
        litres: Volume of its bounding box. If ``None``, the volume of ``kind`` or, if that is
            unknown, of ``category``.
    """

    name: str
    category: str
    kind: str
    abilities: frozenset[str] = frozenset()
    fixed: bool = False
    floor: bool = False
    litres: float | None = None

    @property
    def words(self) -> frozenset[str]:
        """The words for the kind and the category."""
        return frozenset({word(self.kind), word(self.category)})


@dataclass(frozen=True, slots=True)
class SizedObject(Object):
    """An object of this world, with a size in litres."""

    litres: float = field(default=1.0, compare=False)


def parts(thing: Thing) -> tuple[str, ...]:
    """Return the names of an object's halves; none if it cannot be sliced."""
    if "sliceable" not in thing.abilities or thing.floor:
        return ()
    return f"{thing.name}_part_0", f"{thing.name}_part_1"


def assumed_facts(things: Sequence[Thing], facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return initial facts that are assumed although they are not stated.

    Cartons are open: ten ground truths put objects into one, four take objects out of one, and none
    opens one.

    Args:
        things: The scene's objects.
        facts: The stated facts; ``("not", "open", name)`` is respected.
    """
    stated = {fact[-1] for fact in facts if fact[:-1] in (("open",), ("not", "open"))}
    return tuple(
        ("open", thing.name)
        for thing in things
        if "openable" in thing.abilities and thing.words & _START_OPEN and thing.name not in stated
    )


def scene(things: Sequence[Thing], facts: Iterable[Fact], agent: str = "agent.n.01_1") -> State:
    """Return the initial state of a scene.

    Args:
        things: Everything but the agent and the halves of sliceable objects.
        facts: The stated facts; ``("not", ...)`` states that a fact is false.
        agent: The acting object's name.

    Raises:
        ValueError: Names are duplicated or unknown, a fact has a wrong number of arguments, or
            facts contradict each other.
    """
    objects: list[Object] = [SizedObject(agent, "agent.n.01", frozenset({"AGENT"}), 100.0)]
    belongs: list[Fact] = []
    for thing in things:
        size = litres(thing.kind, (thing.category,)) if thing.litres is None else thing.litres
        if not size > 0:
            raise ValueError(f"{thing.name} has no size: {size} litres")
        properties = thing.abilities | {
            mark for mark, words in MARKS.items() if thing.words & words
        }
        properties |= {"FIXED"} if thing.fixed else frozenset()
        properties |= {"FLOOR"} if thing.floor else frozenset()
        objects.append(SizedObject(thing.name, thing.category, properties, size))
        for name in parts(thing):
            objects.append(SizedObject(name, thing.category, properties | {"PART"}, size))
            belongs.append(("part_of", name, thing.name))
    by_name = {item.name: item for item in objects}
    stated = _check_facts(facts, by_name)
    return State.from_facts(objects, [*_halve(_keep_nearest_support(stated), belongs), *belongs])


def _check_facts(facts: Iterable[Fact], objects: dict[str, Object]) -> list[Fact]:
    """Return the positive facts, each once. ``nextto`` is included in both directions."""
    positive: dict[Fact, None] = {}
    negative: set[Fact] = set()
    for fact in facts:
        denied = fact[:1] == ("not",)
        stated = tuple(fact[1:] if denied else fact)
        predicate, args = (stated[0], stated[1:]) if stated else ("", ())
        unary = predicate in STATES or predicate in ("holds_lh", "holds_rh")
        if not 1 <= len(args) <= 2 or (unary and len(args) != 1):
            raise ValueError(f"wrong number of objects: {fact!r}")
        if predicate in RELATIONS and len(args) != 2:
            raise ValueError(f"wrong number of objects: {fact!r}")
        for name in args:
            if name not in objects:
                raise ValueError(f"fact {fact!r} names an unknown object {name!r}")
        if len(args) == 2 and args[0] == args[1] and predicate in RELATIONS:
            raise ValueError(f"{args[0]} cannot be {predicate} itself")
        if predicate in ("holds_lh", "holds_rh"):
            raise ValueError(f"hands must be empty initially: {fact!r}")
        if len(args) == 2 and "FLOOR" in objects[args[1]].properties:
            if predicate == "ontop":
                stated = ("onfloor", *args)
            elif predicate == "inside":
                raise ValueError(f"{args[1]} is a floor: {fact!r}")
        elif predicate == "onfloor":
            raise ValueError(f"{args[1]} is not a floor: {fact!r}")
        if predicate in ("inside", "ontop", "onfloor") and "FLOOR" in objects[args[0]].properties:
            raise ValueError(f"{args[0]} is a floor: {fact!r}")
        if denied:
            negative.add(stated)
            continue
        positive[stated] = None
        if predicate in ("nextto", "touching"):
            positive[predicate, args[1], args[0]] = None
    for stated in positive:
        if stated in negative:
            raise ValueError(f"stated both true and false: {stated!r}")
    return list(positive)


def _keep_nearest_support(facts: list[Fact]) -> list[Fact]:
    """Keep the nearest support of each object. Raises ValueError if supports contradict."""
    below: dict[str, dict[str, str]] = {}  # thing -> support -> relation
    for fact in facts:
        if fact[0] in ("inside", "ontop"):
            supports = below.setdefault(fact[1], {})
            nearer = "ontop" if fact[0] == "ontop" else supports.get(fact[2], "inside")
            supports[fact[2]] = nearer
    above: dict[str, set[str]] = {}  # thing -> all that it rests on, at any depth
    for start in below:
        seen: set[str] = set()
        frontier = [start]
        for name in frontier:
            for support in below.get(name, ()):
                if support == start:
                    raise ValueError(f"{start} would be in or on itself")
                if support not in seen:
                    seen.add(support)
                    frontier.append(support)
        above[start] = seen
    kept: dict[str, str] = {}
    for name, places in below.items():
        nearest = [s for s in places if set(places) - {s} <= above.get(s, set())]
        if not nearest:
            raise ValueError(f"{name} cannot be in or on all of {', '.join(sorted(places))}")
        kept[name] = nearest[0]
    nearest_only: list[Fact] = [(below[name][place], name, place) for name, place in kept.items()]
    return [*(fact for fact in facts if fact[0] not in ("inside", "ontop")), *nearest_only]


def _halve(facts: list[Fact], belongs: list[Fact]) -> list[Fact]:
    """Replace objects that are sliced at first by their halves."""
    cut = {fact[1] for fact in facts if fact == ("sliced", fact[1])}
    halves: dict[str, list[str]] = {}
    for _, half, whole in belongs:
        if whole in cut:
            halves.setdefault(whole, []).append(half)
    if not halves:
        return facts
    result: list[Fact] = []
    for fact in facts:
        if len(fact) == 2:
            result.append(fact)
            result += [(fact[0], half) for half in halves.get(fact[1], ())]
            continue
        predicate, thing, other = fact
        firsts = halves.get(thing, [thing])
        seconds = halves.get(other, [other])
        if predicate not in EDGES:
            seconds = seconds[:1]  # one support
        result += [(predicate, first, second) for first in firsts for second in seconds]
    return result
