"""What an agent knows that sees only the room it is in: what it sees, and what it saw.

A thing is known as it was in the state in which it was last seen. As states share what does not
change, remembering is keeping states. What is in sight is kept up to date from what each action
changed; :func:`in_sight` is the definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from homebody.core import Fact, State
from homebody.core.formula import Structure
from homebody.suites.eai.interactive.scene import Scene


def in_sight(scene: Scene, state: State) -> frozenset[str]:
    """All that the agent sees in a state."""
    room = scene.room(state, scene.world.agent)
    return frozenset(name for name in state.objects if scene.sees(state, room, name))


@lru_cache(maxsize=4096)
def seen_at_first(scene: Scene, room: str | None) -> frozenset[str]:
    """What an agent in a room sees as long as nothing has changed."""
    initial = scene.annotated.task.initial
    return frozenset(name for name in initial.objects if scene.sees(initial, room, name))


class Knowledge:
    """What an agent knows. Reads like a state: :meth:`holds`, :meth:`match`.

    Attributes:
        state: The state now; what of it is known, :meth:`holds` and :meth:`match` tell.
        in_sight: What is seen now; None if everything always is.
        last_seen: What was seen and is not -> the state it was seen in last.
        moved: What may be seen otherwise than at first.
        room: Where the agent is, if it does not see everything.
    """

    __slots__ = ("_now", "_scene", "in_sight", "last_seen", "moved", "room", "state")

    def __init__(self, scene: Scene, *, partial: bool) -> None:
        self._scene = scene
        self._now: Structure | None = None
        self.state = scene.annotated.task.initial
        self.last_seen: dict[str, State] = {}
        self.moved: set[str] = set()
        self.room = scene.room(self.state, scene.world.agent) if partial else None
        self.in_sight = seen_at_first(scene, self.room) if partial else None

    def __contains__(self, name: str) -> bool:
        if self.in_sight is None:
            return name in self.state.objects
        return name in self.in_sight or name in self.last_seen

    @property
    def names(self) -> Iterable[str]:
        """All that is known to be there, in a fixed order."""
        objects = self.state.objects
        return objects if self.in_sight is None else [name for name in objects if name in self]

    def seen_in(self, name: str) -> State:
        """The state in which a thing that is known was last seen."""
        return self.last_seen.get(name, self.state) if self.last_seen else self.state

    def update(self, after: State) -> list[str]:
        """The agent has done something: what it sees for the first time."""
        before, self.state = self.state, after
        self._now = None
        if self.in_sight is None or after is before:
            return []
        delete, add = after.change_from
        moved: set[str] = set()
        for fact in (*delete, *add):
            moved.update(self._scene.moved(after, fact))
        room = self._scene.room(after, self._scene.world.agent)
        if not moved and room == self.room:
            return []
        self.moved |= moved
        if room == self.room:
            seen = self.in_sight.difference(moved)
        else:
            seen, moved, self.room = seen_at_first(self._scene, room) - self.moved, self.moved, room
        seen = seen.union(name for name in moved if self._scene.sees(after, room, name))
        for name in self.in_sight - seen:
            self.last_seen[name] = before
        first = [name for name in seen - self.in_sight if self.last_seen.pop(name, None) is None]
        self.in_sight = seen
        return sorted(first)

    # -- as conditions read it --------------------------------------------------------------------

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Whether something was so when what it is about was last seen."""
        return self._view(args).holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """The rows that agree with a pattern, of what is known."""
        rows = self._view(arg for arg in args if arg is not None).match(predicate, args)
        return (
            rows if self.in_sight is None else [row for row in rows if all(n in self for n in row)]
        )

    def facts(self) -> Iterator[Fact]:
        """All facts about what is known, as last seen."""
        states = {id(state): state for state in (self.state, *self.last_seen.values())}
        for state in states.values():
            for fact in state.facts():
                if self.seen_in(fact[1]) is state and all(name in self for name in fact[1:]):
                    yield fact

    def _view(self, names: Iterable[str]) -> Structure:
        for name in names if self.last_seen else ():
            if name in self.last_seen:
                return self._scene.world.conditions(self.last_seen[name])
        if self._now is None:
            self._now = self._scene.world.conditions(self.state)
        return self._now
