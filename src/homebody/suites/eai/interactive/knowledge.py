"""What an agent knows that sees only the room it is in: what it sees, and what it saw.

Nothing happens in these worlds but what the agent does, so that it knows where the things are that
it has seen: what it carries comes along. What may change out of its sight are states, of dishes in
a closed dishwasher for instance: those it takes for what they were when it last saw them.

What is in sight is kept up to date from what each action changed; :func:`in_sight` is the
definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from homebody.core import Fact, State
from homebody.core.formula import Structure
from homebody.suites.eai.interactive.scene import Scene


def in_sight(scene: Scene, state: State, room: str | None) -> frozenset[str]:
    """All that an agent in a room sees in a state."""
    return scene.seen(state, room, state.objects)


@lru_cache(maxsize=4096)
def _at_first(scene: Scene, room: str | None) -> frozenset[str]:
    """What an agent in a room sees as long as nothing has changed."""
    return in_sight(scene, scene.annotated.task.initial, room)


class Knowledge:
    """What an agent knows. Reads like a state: :meth:`holds`, :meth:`match`, :meth:`facts`.

    Attributes:
        room: Where the agent is, if it sees its room only.
        in_sight: What it sees now; None if everything always is.
        seen: All that it has ever seen; None likewise.
    """

    __slots__ = ("_believed", "_moved", "_now", "_scene", "_state", "in_sight", "room", "seen")

    def __init__(self, scene: Scene, *, partial: bool) -> None:
        self._scene = scene
        self._state = scene.annotated.task.initial
        self._believed: dict[Fact, bool] = {}  # of what changed out of sight
        self._moved: frozenset[str] = frozenset()  # what may be seen otherwise than at first
        self._now: Structure | None = None
        self.room = scene.room(self._state, scene.world.agent) if partial else None
        self.in_sight = _at_first(scene, self.room) if partial else None
        self.seen = self.in_sight

    def __contains__(self, name: str) -> bool:
        return name in (self._state.objects if self.seen is None else self.seen)

    @property
    def names(self) -> Iterable[str]:
        """All that is known to be there, in a fixed order."""
        objects, seen = self._state.objects, self.seen
        return objects if seen is None else [name for name in objects if name in seen]

    @property
    def state(self) -> State:
        """How things are, as far as is known. It has facts about things that are not known too:
        ask it about :attr:`names` only."""
        if not self._believed:
            return self._state
        gone = [fact for fact, held in self._believed.items() if not held]
        return self._state.change(gone, [fact for fact, held in self._believed.items() if held])

    def update(self, after: State) -> list[str]:
        """The agent has done something. Returns what it sees for the first time, sorted."""
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
        """Bring up to date what is in sight."""
        assert self.in_sight is not None
        scene, (delete, add) = self._scene, state.change_from
        moved = scene.moved(state, (*delete, *add))
        room = scene.room(state, scene.world.agent)
        if moved:
            self._moved |= moved
        if room != self.room:
            self.room = room
            sight = _at_first(scene, room) - self._moved
            looked_at: Iterable[str] = self._moved
        elif moved:
            sight, looked_at = self.in_sight - moved, moved
        else:
            return
        self.in_sight = sight | scene.seen(state, room, looked_at)

    # -- as conditions read it --------------------------------------------------------------------

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Whether something is so, of things that are known."""
        return self._view().holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """The rows that agree with a pattern, of what is known."""
        rows = self._view().match(predicate, args)
        seen = self.seen
        return rows if seen is None else [row for row in rows if seen.issuperset(row)]

    def facts(self) -> Iterator[Fact]:
        """All facts that are known."""
        return (fact for fact in self.state.facts() if all(name in self for name in fact[1:]))

    def _view(self) -> Structure:
        if self._now is None:
            self._now = self._scene.world.conditions(self.state)
        return self._now
