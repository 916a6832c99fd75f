"""The facts of a session for failure analysis (:mod:`homebody.core.play.failures`).

A part of the goal is a literal of the nearest way to reach it. Types of errors of single
actions are counted in the record (:data:`.scoring.KINDS`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from homebody.core import ErrorType, State, Trace
from homebody.core.formula import Not, atom_of
from homebody.core.play.run_facts import GoalFacts, GoalPart, WorldChange
from homebody.suites.eai.interactive.scene import Scene
from homebody.suites.eai.interactive.session import ROLE, EaiSession

WALKS: Final = frozenset({"WALK", "TURNTO", "LOOKAT"})
"""The actions that handle nothing."""
PUTS: Final = frozenset({"ontop", "inside", "onfloor", "under"})
"""The relations, in lower case, that say where an object was put."""


def find_facts(session: EaiSession, record: Mapping[str, Any]) -> GoalFacts:
    """Return the facts of a finished session."""
    scene, trace = session.scene, session.trace()
    steps = zip(trace.indices, trace.states[1:], strict=True)
    failures = [failure for _, failure in trace.skipped]
    tried = (*trace.actions, *(failure.action for failure in failures))
    return GoalFacts(
        tuple(_list_parts(scene, trace)),
        tuple(each for clock, state in steps for each in _changes(scene, clock, state)),
        session.knowledge(ROLE).seen,
        frozenset(name for action in tried if action.name not in WALKS for name in action.args[:1]),
        any(failure.error is ErrorType.WRONG_ORDER for failure in failures),
    )


def _list_parts(scene: Scene, trace: Trace) -> Iterator[GoalPart]:
    """Yield the literals of the nearest way to reach the goal."""
    for literal in scene.eai.nearest(scene.annotated_task, trace):
        atom, negated = atom_of(literal), isinstance(literal, Not)
        thing, end = _read(scene, atom.predicate, atom.args)
        held = [
            scene.world.view(state).holds(atom.predicate, atom.args) is not negated
            for state in trace.states
        ]
        yield GoalPart(
            str(literal),
            held[-1],
            frozenset(filter(None, (thing,))),
            frozenset({f"not_{end}" if negated else end}),
            held=any(held),
            holds=held[-1],
        )


def _changes(scene: Scene, clock: int, after: State) -> Iterator[WorldChange]:
    """Yield the changes that lead to a state."""
    deleted, added = after.change_from
    for facts, holds in ((added, True), (deleted, False)):
        for predicate, *arguments in facts:
            puts = predicate.lower() in PUTS and arguments[-1] not in scene.rooms
            thing, end = _read(scene, predicate, tuple(arguments))
            is_state = " " not in end
            if thing and (is_state or (puts and holds)):
                ends = frozenset({end if holds else f"not_{end}"})
                yield WorldChange(clock, ROLE, thing, ends, put=not is_state)


def _read(scene: Scene, predicate: str, arguments: tuple[str, ...]) -> tuple[str, str]:
    """Return the object that a fact is about, and the fact in the words of
    :attr:`.WorldChange.ends`; an empty object if it is about the agent."""
    about = [name for name in arguments if name != scene.world.agent]
    thing, *place = about or [""]
    return thing, " ".join((predicate, *place))
