"""BEHAVIOR's actions as PDDL operators, for :mod:`homebody.worlds.behavior.planning_problem`.

Actions that change a state of an object (open, clean, cook ...) are generated from the schemas of
:mod:`homebody.worlds.behavior.actions`. A :class:`Way` is one operator of such an action: if a
derived predicate covers several ways (cleaned with a wet tool, in a machine ...), a planner needs
an operator for each. ``means`` lists deviations from the schema, which keep planning small.

The operators for moving and cutting objects are defined here, one for each kind of place of an
object (in, on, on the floor, nowhere). The schemas find places with quantifiers and derived
predicates, which are too complex for a planner. Everything that these operators allow is also
possible by the schemas:

- only the right hand is used; it is empty or not (``empty``);
- sizes and purpose decide beforehand where an object may go (``may-in``, ``may-on`` ...);
- an object that has a place exists, and is not a sliced whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from homebody.core.formula import FALSE, TRUE, Atom, Formula, Not, Parameter
from homebody.planning.pddl import Operator, operator_text, parse_expression
from homebody.planning.pddl.schemas import Wording, simplify
from homebody.worlds.behavior.actions import AGENT, FREE_HAND, OBJ, STATES, action_schemas

_HOW = ("in", "on", "floor", "loose")


@dataclass(frozen=True, slots=True)
class Way:
    """One way to change a state, as an operator over ``?x`` (the object) and ``place``.

    Attributes:
        name: The operator's name.
        action: The action that it implements.
        place: Another parameter: a tool, or the required place of the object.
        means: Predicate of the schema -> its meaning for this operator, in PDDL.
        given: Further preconditions.
    """

    name: str
    action: str
    place: str = ""
    means: Mapping[str, str] = field(default_factory=dict)
    given: str = "(and)"

    def operator(self) -> Operator:
        """Return the schema in the planner's vocabulary."""
        schema = action_schemas()[self.action]
        conditions = (
            *schema.affordances,
            *(() if schema.intended is None else (Not(schema.intended),)),
            *schema.preconditions,
        )
        effects = [
            replace(effect, when=simplify(effect.when, self._grant)) for effect in schema.effects
        ]
        wording = Wording(_planner_words)
        return wording.operator(
            self.name,
            [Parameter(name) for name in ("?x", self.place) if name],
            [parse_expression(self.given), *(simplify(c, self._translate) for c in conditions)],
            effects,
        )

    def _translate(self, part: Formula) -> Formula:
        """Return the meaning of a condition's atom for this operator."""
        if isinstance(part, Atom) and part.predicate in self.means:
            return parse_expression(self.means[part.predicate])
        return part

    def _grant(self, part: Formula) -> Formula:
        """Simplify an atom in the condition of an effect, given that the preconditions hold."""
        meant = self._translate(part)
        return part if meant == part else FALSE if meant == FALSE else TRUE


@cache
def _state_operators() -> tuple[str, ...]:
    return tuple(operator_text(way.operator()) for way in WAYS)


def _both(means: str) -> Mapping[str, str]:
    """Return meanings with which dust and stains are both removed, even if the object is not
    dirty."""
    return {"CAN_DUST": means, "CAN_WASH": means, "dusty": _ALWAYS, "stained": _ALWAYS}


def _planner_words(fact: Atom) -> Formula | None:
    """Translate an atom of the schemas to the planner's vocabulary; None if impossible."""
    if AGENT in fact.args:  # plans have no agent, and one hand is always free
        return TRUE if fact == FREE_HAND else None
    args = tuple("?x" if arg == OBJ else arg for arg in fact.args)
    if fact.predicate in _WORDS:
        return parse_expression(_WORDS[fact.predicate].format(*args))
    return None if fact.predicate.isupper() else Atom(fact.predicate, args)


_WORDS = {
    "ABSENT": "(not (there {0}))",
    "HALVED": "(not (there {0}))",
    "SHUT_IN": "(shut {0})",
    "WASHED_BY": "(and (dirt {0}) (dishwasher {1}) (deep-in {0} {1}))",
    "dustyable": "(dirt {0})",
    "stainable": "(dirt {0})",
    "toggleable": "(switch {0})",
}
_TOOL, _NEVER, _ALWAYS = "(held ?t) (not (= ?x ?t))", "(or)", "(and)"
WAYS = (
    Way("open-up", "OPEN"),
    Way("shut-up", "CLOSE"),
    Way("switch-on", "TOGGLE_ON", given="(openable ?x)"),
    Way("switch-on-plain", "TOGGLE_ON", "", {"open": _NEVER}, "(not (openable ?x))"),
    Way("switch-off", "TOGGLE_OFF"),
    Way(
        "clean-dry",
        "CLEAN",
        "?t",
        {"CAN_DUST": f"(and (tool ?t) {_TOOL})", "stained": _NEVER, "CAN_WASH": _NEVER},
    ),
    Way("clean-wet", "CLEAN", "?t", _both(f"(and (tool ?t) (soaked ?t) {_TOOL})")),
    Way(
        "clean-soap",
        "CLEAN",
        "?t",
        {"CAN_WASH": f"(and (cleanser ?t) {_TOOL})", "dusty": _NEVER, "CAN_DUST": _NEVER},
    ),
    Way(
        "clean-machine",
        "CLEAN",
        "?p",
        _both("(and (washer ?p) (toggled_on ?p) (within ?x ?p))"),
    ),
    Way("soak", "SOAK", "?p", {"IN_WATER": "(and (water ?p) (within ?x ?p) (runs ?p))"}),
    Way(
        "soak-running",
        "SOAK",
        "?p",
        {"IN_WATER": "(and (water ?p) (within ?x ?p) (toggled_on ?p))"},
    ),
    Way("dry", "DRY"),
    Way("freeze", "FREEZE", "?p", {"CHILLED": "(and (cold ?p) (deep-in ?x ?p))"}),
    Way("unfreeze", "UNFREEZE"),
    Way("cook", "COOK", "?p", {"IN_COOKER": "(and (cooker ?p) (within ?x ?p))"}),
)
"""The ways to change states."""

STEPS: Mapping[str, tuple[str, tuple[int, ...]]] = {
    **{f"grasp-{how}": ("RIGHT_GRASP", (0,)) for how in _HOW},
    "put-in": ("RIGHT_PLACE_INSIDE", (1,)),
    **{f"put-{how}": ("RIGHT_PLACE_ONTOP", (1,)) for how in ("on", "floor")},
    **{
        f"put-{side}-{how}": (f"RIGHT_PLACE_{name}", (1,))
        for side, name in (("next", "NEXTTO"), ("under", "UNDER"))
        for how in _HOW
    },
    **{f"put-next-{how}-there": ("RIGHT_PLACE_NEXTTO_ONTOP", (1, 2)) for how in ("on", "floor")},
    "let-go": ("RIGHT_RELEASE", (0,)),
    **{f"slice-{how}": ("SLICE", (0,)) for how in _HOW},
    **{way.name: (way.action, (0,)) for way in WAYS},
}
"""Operator -> action of the world, and the positions of the action's objects in the operator."""

_LOCATIONS = {
    "in": ("?p", "(in {} ?p)"),
    "on": ("?p", "(on {} ?p)"),
    "floor": ("?p", "(onfloor {} ?p)"),
    "loose": ("", "(nowhere {})"),
}
"""Suffix of operators -> variable of the place, and the fact that an object is there."""

PREDICATES = (
    "(empty)", "(held ?x)", "(nowhere ?x)", "(in ?x ?p)", "(on ?x ?p)", "(onfloor ?x ?p)",
    "(flat ?x ?p)", "(stands ?x ?p)", "(nextto ?x ?y)", "(under ?x ?y)", "(there ?x)",
    *(f"({state} ?x)" for state in STATES),
    "(movable ?x)", "(openable ?x)", "(switch ?x)", "(dirt ?x)", "(soakable ?x)",
    "(cookable ?x)", "(freezable ?x)", "(slicer ?x)", "(tool ?x)", "(cleanser ?x)",
    "(water ?p)", "(runs ?p)", "(washer ?p)", "(dishwasher ?p)", "(cooker ?p)", "(cold ?p)",
    "(ground ?p)", "(may-in ?x ?p)", "(may-on ?x ?p)", "(may-next ?x ?y)", "(may-under ?x ?y)",
    "(halves ?x ?a ?b)", "(within ?x ?p)", "(deep-in ?x ?p)", "(shut ?x)", "(tight ?x ?p)",
    "(no-room ?x ?p)",
)  # fmt: skip

AXIOMS = (
    "  (:derived (within ?x ?p) (or (in ?x ?p) (on ?x ?p)"
    " (exists (?z) (and (in ?x ?z) (within ?z ?p)))"
    " (exists (?z) (and (on ?x ?z) (within ?z ?p)))))",
    "  (:derived (deep-in ?x ?p) (or (in ?x ?p)"
    " (exists (?z) (and (in ?x ?z) (deep-in ?z ?p)))"
    " (exists (?z) (and (on ?x ?z) (deep-in ?z ?p)))))",
    "  (:derived (shut ?x) (or"
    " (exists (?p) (and (in ?x ?p) (openable ?p) (not (open ?p))))"
    " (exists (?p) (and (in ?x ?p) (shut ?p)))"
    " (exists (?p) (and (on ?x ?p) (shut ?p)))))",
    "  (:derived (no-room ?x ?p) (exists (?c) (and (tight ?x ?c) (deep-in ?p ?c))))",
)


def _operator(name: str, parameters: str, conditions: str, effects: str) -> str:
    return (
        f"  (:action {name}\n    :parameters ({parameters})\n"
        f"    :precondition (and {conditions})\n    :effect (and {effects}))"
    )


def operators(*, edges: bool, cut: bool, floors: bool, tight: bool) -> Iterator[str]:
    """Yield all operators.

    Args:
        edges: Include relations next to and under.
        cut: Include slicing.
        floors: True if there is a floor to put objects on; otherwise objects can only be released.
        tight: True if some objects are too big for containers. Then operators check the size before
            they put an object into one, or next to or on something inside one.
    """
    room = " (not (no-room ?x {}))" if tight else ""
    loose = " (forall (?f - floor) (and (not (flat ?x ?f)) (not (stands ?x ?f))))"
    if edges:
        apart = "(and (not ({0} ?x ?y)) (not ({0} ?y ?x)))"
        carried = (
            "(forall (?y ?z - near) (when (and (within ?y ?x) (not (within ?z ?x)))"
            " (and (not ({0} ?y ?z)) (not ({0} ?z ?y)))))"
        )
        for name in ("nextto", "under"):
            loose += f" (forall (?y - near) {apart.format(name)}) {carried.format(name)}"
    for how, (place, at) in _LOCATIONS.items():
        yield _operator(
            f"grasp-{how}",
            f"?x {place}".strip(),
            f"(movable ?x) {at.format('?x')} (empty) (not (shut ?x))",
            f"(held ?x) (not (empty)) (not {at.format('?x')}){loose}",
        )
    let_go = "(not (held ?x)) (empty)"
    near = "(held ?x) {0} (not (shut ?p)) (not (within ?p ?x))"
    yield _operator(
        "put-in", "?x ?p", near.format("(may-in ?x ?p) (open ?p)"), f"{let_go} (in ?x ?p)"
    )
    yield _operator(
        "put-on", "?x ?p", near.format("(may-on ?x ?p)") + room.format("?p"), f"{let_go} (on ?x ?p)"
    )
    yield _operator("put-floor", "?x ?p", "(held ?x) (ground ?p)", f"{let_go} (onfloor ?x ?p)")
    if not floors:
        yield _operator("let-go", "?x", "(held ?x)", f"{let_go} (nowhere ?x)")
    if edges:
        yield from _beside_operators(let_go, floors, room)
    yield from _state_operators()
    if cut:
        yield from _slicing_operators(edges)


def _beside_operators(let_go: str, floors: bool, room: str) -> Iterator[str]:
    """Yield operators for next to and under: the object gets the support of the other."""
    for side, fact in (("next", "(nextto ?x ?y) (nextto ?y ?x)"), ("under", "(under ?x ?y)")):
        given = f"(held ?x) (may-{side} ?x ?y) (there ?y) (not (shut ?y)) (not (within ?y ?x))"
        for how, stands, result in (
            ("in", "(in ?y ?p)", "(in ?x ?p)"),
            ("on", "(on ?y ?p)", "(on ?x ?p)"),
            ("floor", "(onfloor ?y ?p)", "(onfloor ?x ?p)"),
            ("loose", "(nowhere ?y) (stands ?y ?p)", "(onfloor ?x ?p)")
            if floors
            else ("loose", "(nowhere ?y)", "(nowhere ?x)"),
        ):
            place = " ?p" if "?p" in stands else ""
            yield _operator(
                f"put-{side}-{how}",
                f"?x ?y{place}",
                f"{given} {stands}{room.format('?y')}",
                f"{let_go} {fact} {result}",
            )
    given = "(held ?x) (may-next ?x ?y) (there ?y) (not (held ?y)) (not (shut ?y))"
    both = f"{let_go} (nextto ?x ?y) (nextto ?y ?x)"
    apart = "(not (within ?y ?x)) (not (= ?y ?p)) (not (= ?x ?p))"
    yield _operator(
        "put-next-on-there",
        "?x ?y ?p",
        f"{given} {apart} (may-on ?x ?p) (not (shut ?p)) (not (within ?p ?x)){room.format('?p')}",
        f"{both} (on ?x ?p)",
    )
    yield _operator(
        "put-next-floor-there",
        "?x ?y ?p",
        f"{given} {apart} (ground ?p)",
        f"{both} (onfloor ?x ?p)",
    )


def _slicing_operators(edges: bool) -> Iterator[str]:
    copied = " ".join(
        f"(when ({s} ?x) (and ({s} ?a) ({s} ?b)))"
        for s in STATES
        if s not in ("sliced", "open", "toggled_on")
    )
    if edges:
        copied += " ".join(
            f" (forall (?y - near) (and (when ({r} ?x ?y) (and ({r} ?a ?y) ({r} ?b ?y)))"
            f" (when ({r} ?y ?x) (and ({r} ?y ?a) ({r} ?y ?b)))"
            f" (not ({r} ?x ?y)) (not ({r} ?y ?x))))"
            for r in ("nextto", "under")
        )
    for how, (place, at) in _LOCATIONS.items():
        yield _operator(
            f"slice-{how}",
            f"?x ?a ?b ?t {place}".strip(),
            "(halves ?x ?a ?b) (there ?x) (not (sliced ?x)) (slicer ?t) (held ?t)"
            f" {at.format('?x')} (not (shut ?x))",
            f"(sliced ?x) (sliced ?a) (sliced ?b) (not (there ?x)) (there ?a) (there ?b)"
            f" (not {at.format('?x')}) {at.format('?a')} {at.format('?b')} {copied}",
        )
