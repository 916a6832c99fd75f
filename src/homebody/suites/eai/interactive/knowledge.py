"""The knowledge of an agent that sees only its own room: its current and its earlier observations.

Only the agent acts in these worlds, so it knows the location of every object that it has seen.
Carried objects move with it. States may change out of its sight, for example those of dishes in a
closed dishwasher. The agent assumes that objects are still in the state in which it last saw them.
The objects in sight are updated from the changes of each action; :func:`objects_in_sight` defines
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from homebody.core import Fact, State
from homebody.core.formula import Structure
from homebody.suites.eai.interactive.scene import Scene


def objects_in_sight(scene: Scene, state: State, room: str | None) -> frozenset[str]:
    """Return all objects that an agent in a room sees in a state."""
    return scene.visible_objects(state, room, state.objects)


@lru_cache(maxsize=1024)
def _sorted_names(scene: Scene) -> tuple[str, ...]:
    """Return all objects by kind and number. A state lists those that the task adds last."""

    def key(name: str) -> tuple[str, int, str]:
        kind = name.rstrip("0123456789")
        return kind, int(name[len(kind) :] or 0), name

    return tuple(sorted(scene.annotated_task.task.initial.objects, key=key))


@lru_cache(maxsize=4096)
def _in_sight_at_start(scene: Scene, room: str | None) -> frozenset[str]:
    """Return all objects that an agent in a room sees before anything has changed."""
    return objects_in_sight(scene, scene.annotated_task.task.initial, room)


class Knowledge:
    """The knowledge of an agent. Reads like a state: :meth:`holds`, :meth:`match`, :meth:`facts`.

    Attributes:
        room: Room of the agent, if it sees its room only.
        in_sight: Objects that it sees now; None if it always sees everything.
        seen: Objects that it has ever seen; None if it always sees everything.
    """

    __slots__ = ("_believed", "_moved", "_now", "_scene", "_state", "in_sight", "room", "seen")

    def __init__(self, scene: Scene, *, partial: bool) -> None:
        self._scene = scene
        self._state = scene.annotated_task.task.initial
        self._believed: dict[Fact, bool] = {}  # facts that changed out of sight
        self._moved: frozenset[str] = frozenset()  # visibility may differ from the start
        self._now: Structure | None = None
        self.room = scene.room(self._state, scene.world.agent) if partial else None
        self.in_sight = _in_sight_at_start(scene, self.room) if partial else None
        self.seen = self.in_sight

    def __contains__(self, name: str) -> bool:
        return name in (self._state.objects if self.seen is None else self.seen)

    @property
    def names(self) -> Iterable[str]:
        """All objects known to exist, by kind and number."""
        names, seen = _sorted_names(self._scene), self.seen
        return names if seen is None else [name for name in names if name in seen]

    @property
    def state(self) -> State:
        """The known state. Its facts are only reliable for :attr:`names`."""
        if not self._believed:
            return self._state
        gone = [fact for fact, held in self._believed.items() if not held]
        return self._state.change(gone, [fact for fact, held in self._believed.items() if held])

    def update(self, after: State) -> list[str]:
        """Update after an action; return the objects seen for the first time, sorted."""
        before, self._state = self._state, after
        self._now = None
        if self.in_sight is None or self.seen is None or after is before:
            return []
        saw = self.in_sight
        self._look(after)
        for fact in (*after.change_from[0], *after.change_from[1]):
            unnoticed = len(fact) == 2 and fact[1] not in saw and fact[1] not in self.in_sight
            if unnoticed and fact[1] in self.seen:
                self._believed.setdefault(fact, before.holds(fact[0], fact[1:]))
        if self.in_sight is saw:
            return []
        for fact in [fact for fact in self._believed if fact[1] in self.in_sight]:
            del self._believed[fact]
        first = self.in_sight - self.seen
        if first:
            self.seen |= first
        return sorted(first)

    def _look(self, state: State) -> None:
        """Update the objects in sight."""
        assert self.in_sight is not None
        scene, (delete, add) = self._scene, state.change_from
        moved = scene.moved_objects(state, (*delete, *add))
        room = scene.room(state, scene.world.agent)
        if moved:
            self._moved |= moved
        if room != self.room:
            self.room = room
            sight = _in_sight_at_start(scene, room) - self._moved
            looked_at: Iterable[str] = self._moved
        elif moved:
            sight, looked_at = self.in_sight - moved, moved
        else:
            return
        self.in_sight = sight | scene.visible_objects(state, room, looked_at)

    # -- the reading methods of a state, for conditions -------------------------------------------

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a fact holds, for known objects."""
        return self._view().holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the rows that match a pattern, of known objects."""
        rows = self._view().match(predicate, args)
        seen = self.seen
        return rows if seen is None else [row for row in rows if seen.issuperset(row)]

    def facts(self) -> Iterator[Fact]:
        """Yield all known facts."""
        return (fact for fact in self.state.facts() if all(name in self for name in fact[1:]))

    def _view(self) -> Structure:
        if self._now is None:
            self._now = self._scene.world.conditions(self.state)
        return self._now
