"""Translate states and goals of the BEHAVIOR world to PDDL, and plans back to its actions.

:func:`translate` writes a domain and a problem for one goal, as small as possible:

- It has only the objects of the goal and the objects that they require: tools, sinks, fridges,
  pans, and their present and future containers. It has only the relevant places: the places in the
  goal, the places where an object is cleaned, soaked, frozen or cooked, and the floor.
- Only the right hand is used. The left hand stays empty, so that one hand is always free. Objects
  can be put aside on the floor.
- The location of an object is one of ``in``, ``on``, ``onfloor``, ``held`` and ``nowhere``. Each
  kind of location has its own operator that ends it, so planners recognise that an object is in one
  place. ``within`` (at any depth), ``deep-in`` (inside a container) and ``shut`` (in something
  closed) are derived.

:class:`homebody.worlds.behavior.Behavior` can execute every plan of the problem. Steps that are
unnecessary in the world (cleaning that removed the dust has removed the stain, too) can be omitted.
If there is no plan, the goal is unreachable with these tools and places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from homebody.core.action import Action
from homebody.core.formula import FALSE, TRUE, And, Atom, Formula, Not, Or
from homebody.core.state import State
from homebody.worlds.behavior.actions import RELATIONS, STATES
from homebody.worlds.behavior.pddl import AXIOMS, PREDICATES, STEPS, operators
from homebody.worlds.behavior.planning_scope import PlanningScope, is_movable, is_never_there
from homebody.worlds.behavior.view import StateView
from homebody.worlds.behavior.world import Behavior

CHANGING = frozenset({*STATES, *RELATIONS})
"""Predicates of facts that actions change."""
_ABILITY = {
    "open": "openable",
    "toggled_on": "toggleable",
    "cooked": "cookable",
    "frozen": "freezable",
    "sliced": "sliceable",
    "soaked": "soakable",
}


@dataclass(frozen=True)
class Planning:
    """A problem for a planner.

    Attributes:
        domain: The domain, as PDDL with derived predicates.
        problem: The problem; its objects are the domain's constants.
        names: Name in PDDL -> object.
    """

    domain: str
    problem: str
    names: Mapping[str, str]

    def actions(self, steps: Iterable[tuple[str, Sequence[str]]]) -> tuple[Action, ...]:
        """Return a plan's steps (operator and its arguments) as actions of the world."""
        done = []
        for operator, args in steps:
            name, places = STEPS[operator]
            done.append(Action(name, tuple(self.names[args[i]] for i in places)))
        return tuple(done)


def simplify(
    world: Behavior, state: State, formula: Formula, definitions: Mapping[str, Formula]
) -> tuple[Formula, dict[str, Formula]]:
    """Simplify a goal: replace facts that no action can change by their truth values.

    The result is ``FALSE`` if the goal requires a change that no action makes.

    Args:
        world: Provides the goal's view of states.
        state: The initial state.
        formula: Ground; ``And``, ``Or`` and ``Not``. A defined atom stands for its definition.
        definitions: Name -> formula over facts and earlier names.
    """
    view, goal_view = world.conditions(state), world.view(state)
    values: dict[str, Formula] = {}

    def simplify_part(part: Formula) -> Formula:
        match part:
            case Atom(predicate, args):
                if not args and predicate in values:
                    value = values[predicate]
                    return value if value in (TRUE, FALSE) else part
                if _can_change(view, part):
                    return part
                return TRUE if goal_view.holds(predicate, args) else FALSE
            case Not(body):
                value = simplify_part(body)
                if value in (TRUE, FALSE):
                    return FALSE if value == TRUE else TRUE
                return Not(value)
            case And(parts):
                left = tuple(p for inner in parts if (p := simplify_part(inner)) != TRUE)
                return FALSE if FALSE in left else And(left)
            case Or(parts):
                left = tuple(p for inner in parts if (p := simplify_part(inner)) != FALSE)
                return TRUE if TRUE in left else Or(left)
        raise ValueError(f"not a ground formula of and, or and not: {part}")

    for name, body in definitions.items():
        values[name] = simplify_part(body)
    result = simplify_part(formula)
    return result, {n: body for n, body in values.items() if body not in (TRUE, FALSE)}


def _can_change(view: StateView, atom: Atom) -> bool:
    """Return whether some action might make a false fact true, or a true fact false."""
    state = view.state
    if atom.predicate in STATES:
        (name,) = atom.args
        if is_never_there(view, name):
            return False
        if state.holds("PART", (name,)):
            return True  # a part takes over the states of its whole
        now = state.holds(atom.predicate, (name,))
        if atom.predicate in ("dusty", "stained"):
            return now
        if not state.holds(_ABILITY[atom.predicate], (name,)):
            return False
        return not (now and atom.predicate in ("cooked", "sliced"))
    if atom.predicate not in RELATIONS:
        return False
    thing, place = atom.args
    moves = [is_movable(view, name) for name in atom.args]
    match atom.predicate:
        case "inside":
            if state.holds("FLOOR", (place,)):
                return False
            return moves[0] or any(is_movable(view, place) for _, place in view.supports_of(thing))
        case "ontop" | "onfloor":
            return moves[0]
    return any(moves)


def translate(
    world: Behavior, state: State, formula: Formula, definitions: Mapping[str, Formula]
) -> Planning:
    """Return the planning problem of a goal that :func:`simplify` returned and that is not false.

    Raises:
        ValueError: A hand holds something, or the goal is not a ground formula of and, or and not.
    """
    if world.conditions(state).held_objects():
        raise ValueError("the hands must be empty")
    scope = PlanningScope(world.conditions(state))
    scope.add_goal(formula, definitions)
    return _Writer(scope).write(formula, definitions)


def _any_of(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"(or {' '.join(texts)})"


class _Writer:
    def __init__(self, scope: PlanningScope) -> None:
        self.scope = scope
        self.view = scope.view
        self.state = scope.state
        self.names: dict[str, str] = {}
        for name in scope.objects:
            plain = re.sub(r"[^a-z0-9_-]", "-", f"x-{name}".lower())
            while plain in self.names:
                plain += "-"
            self.names[plain] = name
        self.word = {name: plain for plain, name in self.names.items()}
        containers = {place for _, place in scope.into}
        containers |= {p for _, p in self.state.match("inside", (None, None)) if p in self.word}
        self.tight = [
            (name, place)
            for name in scope.moved
            for place in sorted(containers)
            if name != place and self.view.is_too_big(name, place)
        ]
        self.derived: dict[str, str] = {}
        self.defined: frozenset[str] = frozenset()

    def write(self, formula: Formula, definitions: Mapping[str, Formula]) -> Planning:
        self.defined = frozenset(definitions)
        bodies = {name: self.condition_text(body) for name, body in definitions.items()}
        goal = self.condition_text(formula)
        # the prefix `is-` distinguishes names of disjunctions from names of definitions
        named = {**{text: f"is-{i}" for i, text in enumerate(self.derived)}}
        goals = [f"  (:derived ({name}) {text})" for text, name in named.items()]
        goals += [f"  (:derived ({name}) {text})" for name, text in bodies.items()]
        types = "".join(f"\n    {self.word[n]} - {self.type_of(n)}" for n in self.scope.objects)
        predicates = "\n    ".join(PREDICATES)
        extra = "".join(f"\n    ({name})" for name in (*named.values(), *bodies))
        domain = "\n".join(
            [
                "(define (domain behavior)",
                "  (:requirements :adl :derived-predicates)",
                "  (:types floor near thing - object)",
                f"  (:constants{types})",
                f"  (:predicates\n    {predicates}{extra})",
                *AXIOMS,
                *goals,
                *operators(
                    edges=bool(self.scope.edges),
                    cut=bool(self.scope.cut),
                    floors=bool(self.scope.floors),
                    tight=bool(self.tight),
                ),
                ")",
            ]
        )
        facts = "\n    ".join(sorted(dict.fromkeys(self.initial_facts())))
        problem = (
            "(define (problem task)\n  (:domain behavior)\n"
            f"  (:init\n    {facts})\n  (:goal {goal}))"
        )
        return Planning(f"{domain}\n", f"{problem}\n", self.names)

    def type_of(self, name: str) -> str:
        if self.state.holds("FLOOR", (name,)):
            return "floor"
        return "near" if name in self.scope.edges else "thing"

    # -- conditions of the goal -------------------------------------------------------------------

    def condition_text(self, formula: Formula) -> str:
        """Return a condition in PDDL. Disjunctions inside conjunctions become derived predicates,
        so that the planner does not multiply them out."""
        match formula:
            case Atom():
                return self.fact_text(formula)
            case Not(Atom() as atom):
                words = self.fact_text(atom)
                return f"(not {self.name_text(words)})"
            case And(parts):
                return f"(and {' '.join(self.name_text(self.condition_text(p)) for p in parts)})"
            case Or(parts):
                return f"(or {' '.join(self.condition_text(part) for part in parts)})"
        raise ValueError(f"not a ground formula of and, or and not: {formula}")

    def new_name(self, text: str) -> str:
        number = self.derived.setdefault(text, f"is-{len(self.derived)}")
        return f"({number})"

    def fact_text(self, atom: Atom) -> str:
        """Return the PDDL of a goal's fact. A sliced whole has the facts that both halves have."""
        if not atom.args or atom.predicate in self.defined:
            return f"({atom.predicate})"
        subject, *objects = atom.args
        halves = self.scope.pieces(subject)[1:]
        if not objects:
            if not halves or atom.predicate == "sliced":
                return f"({atom.predicate} {self.word[subject]})"
            both = " ".join(f"({atom.predicate} {self.word[half]})" for half in halves)
            whole = f"({atom.predicate} {self.word[subject]}) (there {self.word[subject]})"
            return f"(or (and {whole}) (and {both} (sliced {self.word[subject]})))"
        others = self.scope.pieces(objects[0])

        def ways(thing: str) -> list[str]:
            return [way for other in others for way in self.relate(atom.predicate, thing, other)]

        choices = ways(subject)
        if halves:
            choices.append(
                f"(and {' '.join(self.name_text(_any_of(ways(half))) for half in halves)})"
            )
        return _any_of(choices)

    def name_text(self, text: str) -> str:
        """Return the condition, or the name of a derived predicate if it is a disjunction."""
        return self.new_name(text) if text.startswith("(or ") else text

    def relate(self, predicate: str, first: str, second: str) -> list[str]:
        """Return alternative conditions. Each of them means that one object has a relation to
        another."""
        a, b = self.word[first], self.word[second]
        match predicate:
            case "inside":
                return [f"(deep-in {a} {b})"]
            case "ontop" | "onfloor" if self.state.holds("FLOOR", (second,)):
                return [f"(onfloor {a} {b})", f"(flat {a} {b})"]
            case "ontop":
                return [f"(on {a} {b})"]
            case "touching":
                rests = ("in", "on", "onfloor", "flat")
                return [f"({name} {x} {y})" for x, y in ((a, b), (b, a)) for name in rests]
        return [f"({predicate} {a} {b})"]

    # -- the initial state ---------------------------------------------------------------------

    def initial_facts(self) -> Iterator[str]:
        yield "(empty)"
        holds = self.state.holds
        for name in self.scope.objects:
            yield from self.location_facts(name)
            word = self.word[name]
            for state in STATES:
                if state != "open" and holds(state, (name,)):
                    yield f"({state} {word})"
            if holds("open", (name,)) or not holds("openable", (name,)):
                yield f"(open {word})"
            if not self.view.is_halved(name) and not self.view.is_absent(name):
                yield f"(there {word})"
            for mark in ("cookable", "freezable", "slicer"):
                if holds(mark, (name,)):
                    yield f"({mark} {word})"
            if holds("openable", (name,)):
                yield f"(openable {word})"
            if holds("cleaningTool", (name,)):
                yield f"(tool {word})"
            if holds("CLEANSER", (name,)):
                yield f"(cleanser {word})"
            if self.view.is_sink(name) or holds("POT", (name,)):
                yield f"(water {word})"
                if holds("POT", (name,)) or not holds("toggleable", (name,)):
                    yield f"(runs {word})"
            if self.view.is_sink(name) or holds("DISHWASHER", (name,)):
                yield f"(washer {word})"
            if holds("DISHWASHER", (name,)):
                yield f"(dishwasher {word})"
            if holds("COOKER", (name,)) or holds("heatSource", (name,)):
                yield f"(cooker {word})"
            if holds("coldSource", (name,)) or holds("FRIDGE", (name,)):
                yield f"(cold {word})"
        for mark, marked in (
            ("movable", self.scope.moved),
            ("switch", self.scope.switched),
            ("dirt", self.scope.dirty),
            ("soakable", self.scope.soaking),
        ):
            yield from (f"({mark} {self.word[name]})" for name in marked)
        for mark, pairs in (
            ("may-in", self.scope.into),
            ("may-on", self.scope.onto),
            ("may-next", self.scope.beside),
            ("may-under", self.scope.below),
        ):
            yield from (f"({mark} {self.word[a]} {self.word[b]})" for a, b in pairs)
        yield from (f"(tight {self.word[a]} {self.word[b]})" for a, b in self.tight)
        for floor in self.scope.floors:
            yield f"(ground {self.word[floor]})"
        for name in self.scope.cut:
            halves = sorted(self.state.sources("part_of", name))
            if len(halves) == 2 and holds("sliceable", (name,)):
                yield f"(halves {' '.join(self.word[n] for n in (name, *halves))})"

    def location_facts(self, name: str) -> Iterator[str]:
        word = self.word[name]
        support = self.view.support(name)
        floors = [f for f in sorted(self.state.targets("onfloor", name)) if f in self.word]
        if support is not None:
            yield f"({'in' if support[0] == 'inside' else 'on'} {word} {self.word[support[1]]})"
            yield from (f"(flat {word} {self.word[floor]})" for floor in floors)
        elif floors:
            yield f"(onfloor {word} {self.word[floors[0]]})"
            yield from (f"(flat {word} {self.word[floor]})" for floor in floors[1:])
        elif not self.view.is_absent(name) and not self.view.is_halved(name):
            yield f"(nowhere {word})"
            stands = self.view.stands_on(name)
            if stands in self.word and stands != name:
                yield f"(stands {word} {self.word[stands]})"
        if name in self.scope.edges:
            for relation in ("nextto", "under"):
                for other in sorted(self.state.targets(relation, name)):
                    if other in self.scope.edges:
                        yield f"({relation} {word} {self.word[other]})"
