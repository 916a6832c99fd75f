"""The 30 actions of BEHAVIOR as data (EAI paper, tables 27 and 28).

Facts: unary ``open toggled_on cooked frozen sliced soaked dusty stained``, ``holds_lh`` and
``holds_rh`` (of the object in the hand); binary ``inside ontop under nextto onfloor touching`` and
``part_of`` (half, whole), which never changes. Abilities (``openable`` ...) and the marks of
:mod:`homebody.worlds.behavior.scene` are object properties. Derived predicates are in capitals and
defined in :mod:`homebody.worlds.behavior.world`.

homebody's rules where the paper does not say:

- A hand can take over the object in the other hand. A hand cannot place its object in, on or next
  to the contents of this object, or next to the object in the other hand.
- A sliced whole cannot be acted on (affordance), except that slicing it again is additional; its
  halves are absent until it is sliced, which is a missing step. An object in a hand cannot be
  sliced (the paper's own example of a wrong order).
- Floors cannot be grasped and cannot contain objects, and objects cannot be put next to or under a
  floor.
- An object that is put next to or under another gets the same support: the same container, the same
  object below, or the same floor. An object that is put inside a container, or on or next to
  something inside it, has to fit into the container.
- When an object is grasped, the relations of the object and its contents to other objects end: next
  to, under and above.
- A released object is on the floor of the room where the agent acted last.
- Transferring moves the objects directly in or on the held object. There must be at least one.
- Cleaning removes what the available tools can remove: dust, stains or both. A tool cannot clean
  itself.
- A dishwasher that is switched on cleans everything inside it.

Releasing, placing and transferring are never additional steps; all other actions can be. Releasing
an object that is not held is the paper's own example of a missing step or a wrong order (appendix
D.2). Placing and transferring name the place, but not the object, which must be in the hand. With
an empty hand, the error is a missing step or a wrong order.

The schemas also contain the published simulator's differences, by quirk;
:mod:`homebody.worlds.behavior.published` describes the quirks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from homebody.core.action import ActionSchema, Effect
from homebody.core.formula import (
    EQUALS,
    TRUE,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    conjunction,
)

AGENT, OBJ, DEST = "?agent", "?obj", "?dest"
STATES = ("open", "toggled_on", "cooked", "frozen", "sliced", "soaked", "dusty", "stained")
RELATIONS = ("inside", "ontop", "under", "nextto", "onfloor", "touching")
EDGES = ("nextto", "under", "onfloor", "touching")
"""Relations other than support, which is ``inside`` or ``ontop``; an object has one support."""
HANDS = {"LEFT": "holds_lh", "RIGHT": "holds_rh"}
PUBLISHED_ONLY_NAMES = ("BURN",)
"""Names that the published evaluator accepts as actions, but that are not actions of any world."""


def atom(predicate: str, *args: str) -> Atom:
    """Return ``predicate(args...)``."""
    return Atom(predicate, args)


def holds_something(hand: str) -> Formula:
    """Return that something is in the hand."""
    return Exists("?held", atom(hand, "?held"))


def reachable(thing: str) -> Formula:
    """Return the condition that the object is not inside something closed."""
    return Not(atom("SHUT_IN", thing))


def whole(thing: str) -> Formula:
    """Return the condition that the object is not cut into halves."""
    return Not(atom("HALVED", thing))


def apart(hand: str, thing: str) -> Formula:
    """Return the condition that the object is neither in the hand nor in or on the held object."""
    return Not(atom(f"CARRIED_{hand[-2:].upper()}", thing))


def fits(hand: str) -> Formula:
    """Return the condition that the held object is not too big for the target."""
    return Not(Exists("?held", conjunction(atom(hand, "?held"), atom("TOO_BIG", "?held", OBJ))))


def has_room(hand: str, thing: str = OBJ) -> Formula:
    """Return the condition that the held object is not too big for the container of ``thing``."""
    no_room = And((atom(hand, "?held"), atom("NO_ROOM", "?held", thing)))
    return Not(Exists("?held", no_room))


def contents(hand: str, *also: Formula) -> Formula:
    """Return the condition that something is directly in or on the held object."""
    lies = conjunction(atom("LIES", "?content", "?held"), *also)
    return Exists("?held", conjunction(atom(hand, "?held"), Exists("?content", lies)))


def contents_fit(hand: str) -> Formula:
    """Return the condition that nothing in or on the held object is too big for the target."""
    return Not(contents(hand, atom("TOO_BIG", "?content", OBJ)))


FREE_HAND = atom("FREE_HAND", AGENT)
REACHABLE, WHOLE = reachable(OBJ), whole(OBJ)
NO_FLOOR = Not(atom("FLOOR", OBJ))
IS_OPEN = Implies(atom("openable", OBJ), atom("open", OBJ))
HOLDS_SLICER = Exists("?tool", conjunction(atom("HELD", "?tool"), atom("slicer", "?tool")))
CAN_BE_DIRTY = Or((atom("dustyable", OBJ), atom("stainable", OBJ)))
CLEAN_ALREADY = And((Not(atom("dusty", OBJ)), Not(atom("stained", OBJ))))
CAN_REMOVE = {"dusty": atom("CAN_DUST", OBJ), "stained": atom("CAN_WASH", OBJ)}


def add(*atoms: Atom, when: Formula = TRUE) -> Effect:
    """Return an effect that adds facts."""
    return Effect(add=atoms, when=when)


def delete(*atoms: Atom) -> Effect:
    """Return an effect that deletes facts."""
    return Effect(delete=atoms)


def edges(first: str, second: str) -> tuple[Atom, ...]:
    """Return every relation of :data:`EDGES` from one object to another."""
    return tuple(atom(name, first, second) for name in EDGES)


def each(
    variables: str,
    *condition: Formula,
    add: tuple[Atom, ...] = (),
    delete: tuple[Atom, ...] = (),
    when: Formula = TRUE,
) -> Effect:
    """Return an effect that applies for every matching binding of the space-separated
    ``variables``."""
    return Effect(add, delete, when, tuple(variables.split()), conjunction(*condition))


def leave_support(thing: str) -> Effect:
    """Return an effect that removes the object from its support or container."""
    support = (atom("inside", thing, "?place"), atom("ontop", thing, "?place"))
    return each("?place", atom("LIES", thing, "?place"), delete=support)


class _Builder:
    """Collects schemas and keeps the effects of quirks in one place."""

    def __init__(self, quirks: frozenset[str]) -> None:
        self.quirks = quirks
        self.schemas: dict[str, ActionSchema] = {}

    def schema(
        self,
        name: str,
        affordances: tuple[Formula, ...] = (),
        intended: Formula | None = None,
        preconditions: tuple[Formula, ...] = (),
        effects: tuple[Effect, ...] = (),
        objects: tuple[str, ...] = (OBJ,),
    ) -> None:
        """Add an action, with the conditions and effects that all actions share."""
        wholes = tuple(whole(thing) for thing in objects)
        if name == "SLICE" and "check_order" not in self.quirks:
            wholes = ()  # slicing again is an additional step
        there = tuple(Not(atom("ABSENT", thing)) for thing in objects)
        if "parts_exist_unsliced" in self.quirks:
            there = ()
        near = tuple(reachable(thing) for thing in objects)
        self.schemas[name] = ActionSchema(
            name,
            (Parameter(AGENT, "agent"), *(Parameter(thing) for thing in objects)),
            (*affordances, *wholes),
            intended,
            (*there, *near, *preconditions),
            (*self.arrive(objects), *effects),
        )

    def arrive(self, objects: tuple[str, ...]) -> tuple[Effect, ...]:
        """Return the effects of the agent's walk: the agent leaves other objects and may change the
        floor."""
        effects: tuple[Effect, ...] = ()
        if "navigate_crashes" not in self.quirks:
            apart = (atom("nextto", AGENT, "?left"), atom("nextto", "?left", AGENT))
            behind = tuple(Not(atom(EQUALS, "?left", thing)) for thing in objects)
            effects = (each("?left", atom("nextto", AGENT, "?left"), *behind, delete=apart),)
        if "released_things_float" not in self.quirks:
            moves = atom("MOVES_TO", OBJ, "?room")
            here = atom("onfloor", AGENT, "?here")
            effects += (
                each("?room", moves, add=(atom("onfloor", AGENT, "?room"),)),
                each("?room ?here", moves, here, delete=(here,)),
            )
        return effects

    def edge(
        self, relation: str, first: str, second: str, *given: Formula, free: str = ""
    ) -> Effect:
        """Return an effect that relates two objects; published: instead of their other
        relations."""
        others = tuple(a for a in edges(first, second)[:3] if a.predicate != relation)
        keep = "one_relation_per_pair" not in self.quirks
        fact = atom(relation, first, second)
        return each(free, *given, add=(fact,), delete=() if keep else others)

    def rest_on(self, moved: str, variables: str, *given: Formula) -> tuple[Effect, ...]:
        """Return effects that put objects on top of a target, or on the floor if it is a floor."""
        floor = atom("FLOOR", OBJ)
        ontop = each(variables, *given, add=(atom("ontop", moved, OBJ),), when=Not(floor))
        return ontop, self.edge("onfloor", moved, OBJ, *given, floor, free=variables)

    # -- hands ----------------------------------------------------------------------------------

    def grasp(self, name: str, hand: str, other: str) -> None:
        here, part, thing = atom(hand, OBJ), "?part", "?thing"
        within = atom("WITHIN", part, OBJ)
        outside: Formula = Not(atom("WITHIN", thing, OBJ))
        if "contents_keep_neighbours" in self.quirks:
            within, outside = atom(EQUALS, part, OBJ), TRUE
        effects = [
            leave_support(OBJ),
            each(
                f"{part} {thing}",
                within,
                atom("EDGE", part, thing),
                outside,
                delete=edges(part, thing),
            ),
            each(
                f"{part} {thing}",
                within,
                atom("EDGE", thing, part),
                outside,
                delete=edges(thing, part),
            ),
            delete(atom(other, OBJ)),
            add(here),
        ]
        if "big_contents_stay_behind" in self.quirks:
            left = (atom("inside", "?big", OBJ), atom("ontop", "?big", OBJ))
            big = atom("MUCH_BIGGER", "?big", OBJ)
            effects.append(each("?big", atom("LIES", "?big", OBJ), big, delete=left))
        too_big = atom("TOO_BIG_TO_HOLD", OBJ)
        in_either = "other_hand_is_additional_step" in self.quirks
        self.schema(
            name,
            (NO_FLOOR, Not(too_big)),
            Or((here, atom(other, OBJ))) if in_either else here,
            (Not(holds_something(hand)),),
            tuple(effects),
        )

    def release(self, name: str, hand: str) -> None:
        intended: Formula | None = None
        if "release_by_relations" in self.quirks:
            intended = And((Not(holds_something(hand)), Not(atom("RELATED", OBJ))))
        falls = each("?floor", atom("FLOOR_OF", AGENT, "?floor"), add=(_ON_FLOOR,))
        effects: tuple[Effect, ...] = (delete(atom(hand, OBJ)),)
        if "released_things_float" not in self.quirks:
            effects = (*effects, falls)
        self.schema(name, (), intended, (atom(hand, OBJ),), effects)

    # -- placing --------------------------------------------------------------------------------

    def place(self, side: str, hand: str) -> None:
        moved, held = "?moved", atom(hand, "?moved")
        given = (holds_something(hand), apart(hand, OBJ))
        let_go = each(moved, held, delete=(held,))
        loose = "place_anywhere" in self.quirks
        beside = () if loose else (NO_FLOOR,)
        put_down = () if loose else (Not(atom("HELD", OBJ)),)
        room = () if loose else (has_room(hand),)
        crashes = "floor_as_container_crashes" in self.quirks
        to_floor = each(moved, held, add=(atom("inside", moved, OBJ),))
        self.schema(
            f"{side}_PLACE_INSIDE",
            (*(() if crashes else (NO_FLOOR,)), fits(hand)),
            None,
            (IS_OPEN, *given),
            (let_go, to_floor),
        )
        ontop = self.rest_on(moved, moved, held)
        self.schema(f"{side}_PLACE_ONTOP", (), None, (*given, *room), (let_go, *ontop))
        floor = atom("STANDS_ON", OBJ, "?floor")
        support = (
            each(
                f"{moved} ?place",
                held,
                atom("inside", OBJ, "?place"),
                add=(atom("inside", moved, "?place"),),
            ),
            each(
                f"{moved} ?place",
                held,
                atom("ontop", OBJ, "?place"),
                add=(atom("ontop", moved, "?place"),),
            ),
            self.edge("onfloor", moved, "?floor", held, floor, free=f"{moved} ?floor"),
        )
        under = self.edge("under", moved, OBJ, held, NO_FLOOR, free=moved)
        self.schema(
            f"{side}_PLACE_UNDER",
            beside,
            None,
            (*given, *put_down, *room),
            (let_go, under, *support),
        )
        there = self.edge("nextto", moved, OBJ, held, NO_FLOOR, free=moved)
        back = self.edge("nextto", OBJ, moved, held, free=moved)
        self.schema(
            f"{side}_PLACE_NEXTTO",
            beside,
            None,
            (*given, *put_down, *room),
            (let_go, there, back, *support),
        )
        same_floor = And((atom("FLOOR", DEST), atom(EQUALS, OBJ, DEST)))
        there = self.edge("nextto", moved, OBJ, held, Not(same_floor), free=moved)
        on_dest = each(
            moved, held, add=(atom("ontop", moved, DEST),), when=Not(atom("FLOOR", DEST))
        )
        on_floor = self.edge("onfloor", moved, DEST, held, atom("FLOOR", DEST), free=moved)
        self.schema(
            f"{side}_PLACE_NEXTTO_ONTOP",
            (*beside, *(() if loose else (Not(atom(EQUALS, OBJ, DEST)),))),
            None,
            (*given, apart(hand, DEST), *put_down, *(() if loose else (has_room(hand, DEST),))),
            (let_go, there, back, on_dest, on_floor),
            (OBJ, DEST),
        )

    def transfer(self, side: str, hand: str) -> None:
        content, held = "?content", "?held"
        lies = (atom(hand, held), atom("LIES", content, held))
        variables = f"{held} {content}"
        part, thing = "?part", "?thing"
        parted = Or((Not(atom("WITHIN", thing, held)), atom(EQUALS, thing, held)))
        effects = (
            each(
                variables,
                *lies,
                delete=(atom("inside", content, held), atom("ontop", content, held)),
            ),
            each(
                f"{variables} {part} {thing}",
                *lies,
                atom("WITHIN", part, content),
                atom("EDGE", part, thing),
                parted,
                delete=(*edges(part, thing), *edges(thing, part)),
            ),
        )
        given = (holds_something(hand), apart(hand, OBJ))
        crashes = "transfer_crashes" in self.quirks
        empty: tuple[Formula, ...] = (contents(hand),)
        no_floor = () if crashes or "floor_as_container_crashes" in self.quirks else (NO_FLOOR,)
        self.schema(
            f"{side}_TRANSFER_CONTENTS_INSIDE",
            (*no_floor, contents_fit(hand)),
            None,
            (IS_OPEN, *given, *(() if crashes else empty)),
            (*effects, each(variables, *lies, add=(atom("inside", content, OBJ),))),
        )
        something = Implies(holds_something(hand), contents(hand))
        self.schema(
            f"{side}_TRANSFER_CONTENTS_ONTOP",
            (something,) if crashes else (),
            None,
            (*given, *(() if crashes else empty)),
            (*effects, *self.rest_on(content, variables, *lies)),
        )

    # -- states ---------------------------------------------------------------------------------

    def turn(
        self,
        name: str,
        ability: str,
        state: str,
        *preconditions: Formula,
        off: bool = False,
        free_hand: bool = True,
        effects: tuple[Effect, ...] = (),
    ) -> None:
        """Add an action that makes a state true, or false."""
        fact = atom(state, OBJ)
        if free_hand or "free_hand_always_needed" in self.quirks:
            preconditions = (FREE_HAND, *preconditions)
        self.schema(
            name,
            (atom(ability, OBJ),),
            Not(fact) if off else fact,
            preconditions,
            (delete(fact) if off else add(fact), *effects),
        )

    def slice(self) -> None:
        part, half, other = "?part", atom("part_of", "?part", OBJ), "?other"
        uncut = Not(atom("PART", OBJ))
        effects = [
            leave_support(OBJ),
            *(
                each("?part ?place", half, fact, add=(atom(name, part, "?place"),))
                for name in ("inside", "ontop")
                for fact in (atom(name, OBJ, "?place"),)
            ),
            each(
                f"{part} ?place {other}",
                half,
                atom("LIES", OBJ, "?place"),
                atom("LIES", part, other),
                delete=(atom("inside", part, other), atom("ontop", part, other)),
            ),
            each(other, atom("EDGE", OBJ, other), delete=edges(OBJ, other), when=uncut),
            each(other, atom("EDGE", other, OBJ), delete=edges(other, OBJ), when=uncut),
            *(
                effect
                for name in EDGES
                for effect in (
                    self.edge(name, part, other, half, atom(name, OBJ, other), free="?part ?other"),
                    self.edge(name, other, part, half, atom(name, other, OBJ), free="?part ?other"),
                )
            ),
            each(part, half, add=(atom("sliced", part),)),
            *(
                effect
                for name in STATES
                if name != "sliced"
                for fact in (atom(name, OBJ),)
                for effect in (
                    each(part, half, add=(atom(name, part),), when=fact),
                    each(part, half, delete=(atom(name, part),), when=Not(fact)),
                )
            ),
        ]
        if "sliced_whole_keeps_contents" not in self.quirks:
            effects += [
                each(
                    "?on ?part",
                    atom(name, "?on", OBJ),
                    atom("FIRST_PART", part, OBJ),
                    delete=(atom(name, "?on", OBJ),),
                    add=(atom(name, "?on", part),),
                )
                for name in ("inside", "ontop")
            ]
        put_down = Not(atom("HELD", OBJ))
        self.turn(
            "SLICE",
            "sliceable",
            "sliced",
            HOLDS_SLICER,
            *(() if "free_hand_always_needed" in self.quirks else (put_down,)),
            free_hand=False,
            effects=tuple(effects),
        )

    def clean(self) -> None:
        ways = tuple(And((atom(dirt, OBJ), tool)) for dirt, tool in CAN_REMOVE.items())
        effects = tuple(
            Effect(delete=(atom(dirt, OBJ),), when=tool) for dirt, tool in CAN_REMOVE.items()
        )
        self.schema("CLEAN", (CAN_BE_DIRTY,), CLEAN_ALREADY, (Or(ways),), effects)


_ON_FLOOR = atom("onfloor", OBJ, "?floor")


@cache
def action_schemas(quirks: frozenset[str] = frozenset()) -> Mapping[str, ActionSchema]:
    """Return all actions by name, with published behaviour where ``quirks`` say so.

    Args:
        quirks: Names in :data:`homebody.worlds.behavior.published.QUIRKS`. Other names, and quirks
            that do not affect schemas, are ignored.
    """
    build = _Builder(quirks)
    there, back = atom("nextto", AGENT, OBJ), atom("nextto", OBJ, AGENT)
    build.schema("NAVIGATE_TO", intended=there, effects=(add(there, back),))
    for side, hand in HANDS.items():
        other = next(name for name in HANDS.values() if name != hand)
        build.grasp(f"{side}_GRASP", hand, other)
        build.release(f"{side}_RELEASE", hand)
        build.place(side, hand)
        build.transfer(side, hand)
    build.turn("OPEN", "openable", "open", Not(atom("toggled_on", OBJ)))
    build.turn("CLOSE", "openable", "open", off=True)
    washed = each(
        "?dish",
        atom("WASHED_BY", "?dish", OBJ),
        delete=(atom("dusty", "?dish"), atom("stained", "?dish")),
    )
    closed = Not(atom("open", OBJ))
    build.turn("TOGGLE_ON", "toggleable", "toggled_on", closed, effects=(washed,))
    build.turn("TOGGLE_OFF", "toggleable", "toggled_on", off=True)
    build.slice()
    build.clean()
    build.turn("SOAK", "soakable", "soaked", atom("IN_WATER", OBJ))
    build.turn("DRY", "soakable", "soaked", off=True, free_hand=False)
    chilled = () if "freeze_anywhere" in quirks else (atom("CHILLED", OBJ),)
    build.turn("FREEZE", "freezable", "frozen", *chilled)
    build.turn("UNFREEZE", "freezable", "frozen", off=True, free_hand=False)
    build.turn("COOK", "cookable", "cooked", atom("IN_COOKER", OBJ))
    return build.schemas
