"""Breadth-first search in a world: the shortest ways to what is wanted (EAI paper, appendix D.3).

The search knows nothing of what is wanted: functions say which actions are worth trying, what to
remember of the actions done, and when it is over.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from homebody.core.action import Action, ErrorType, Failure
from homebody.core.state import Fact, State
from homebody.core.world import Trace, World

M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Node(Generic[M]):
    """A state that was reached, and how.

    Attributes:
        state: The state.
        memory: What is remembered of the actions done, besides their effects.
        key: Equal for equal states of one search (:func:`change_key`).
        action: The action that led here; ``None`` at the start.
        parent: Where it was done.
        skipped: Set if the action was an additional step: it changed nothing.
    """

    state: State
    memory: M
    key: int = 0
    action: Action | None = None
    parent: Node[M] | None = None
    skipped: Failure | None = None

    def path(self) -> list[Node[M]]:
        """All nodes from the start to this one."""
        nodes = [self]
        while (parent := nodes[-1].parent) is not None:
            nodes.append(parent)
        return nodes[::-1]

    def history(self) -> list[State]:
        """The states before this one, oldest first, each once."""
        return [node.state for node in self.path() if node.skipped is None][:-1]


@dataclass(slots=True)
class Budget:
    """How many actions may still be tried. Counted, not timed, so that results are the same on
    every machine.

    Attributes:
        left: Actions that may still be tried.
        cut: Some search stopped at this or at its depth, before it had seen everything.
    """

    left: int
    cut: bool = False

    @property
    def spent(self) -> bool:
        """Whether no more actions may be tried."""
        return self.left <= 0


class TooMuchEffort(Exception):
    """A search has looked at more than it may."""


@dataclass(slots=True)
class Effort:
    """What a search looks at before it tries an action, counted: atoms of what is wanted that are
    asked for, literals, actions that might help. Huge goals are nearly all of that.

    Attributes:
        left: How much may still be looked at, in atoms.
        options: Actions that were looked at so far.
    """

    left: int = sys.maxsize
    options: int = 0

    def spend(self, atoms: int) -> None:
        """Raises TooMuchEffort when nothing is left."""
        self.left -= atoms
        if self.left < 0:
            raise TooMuchEffort


def shortest(
    world: World,
    start: Node[M],
    *,
    relevant: Callable[[Node[M]], Iterable[Action]],
    remember: Callable[[M, Action], M],
    reached: Callable[[Node[M]], bool],
    depth: int,
    most: int,
    budget: Budget,
) -> list[Node[M]]:
    """Up to ``most`` nodes that are ``reached``, all as few actions away from ``start`` as can be.

    States are visited once for each memory. An action that fails is not done; one that is an
    additional step counts as done and changes nothing but the memory.

    Args:
        world: The world to act in.
        start: Where to begin.
        relevant: The actions worth trying in a node, in a fixed order.
        remember: Memory and the action done -> memory.
        reached: Whether a node is what is looked for.
        depth: Most actions of a way.
        most: Most nodes to return; they differ in state or memory.
        budget: Actions that may be tried; the search ends when it is spent.

    Returns:
        Nothing if there is no such node within the limits.
    """
    seen = {(start.key, start.memory)}
    level = [start]
    for _ in range(depth + 1):
        ends = [node for node in level if reached(node)]
        if ends:
            return ends[:most]
        level = list(_next(world, level, relevant, remember, seen, budget))
        if not level:
            break
    else:
        budget.cut = True
    return []


def _next(
    world: World,
    level: Iterable[Node[M]],
    relevant: Callable[[Node[M]], Iterable[Action]],
    remember: Callable[[M, Action], M],
    seen: set[tuple[int, M]],
    budget: Budget,
) -> Iterator[Node[M]]:
    for node in level:
        for action in relevant(node):
            if budget.spent:
                budget.cut = True
                return
            budget.left -= 1
            child = step(world, node, action, remember)
            if child is not None and (child.key, child.memory) not in seen:
                seen.add((child.key, child.memory))
                yield child


def step(
    world: World, node: Node[M], action: Action, remember: Callable[[M, Action], M]
) -> Node[M] | None:
    """The node after an action, or ``None`` if it fails."""
    outcome = world.step(node.state, action)
    if outcome.failure is not None:
        if outcome.failure.error is not ErrorType.ADDITIONAL_STEP:
            return None
        memory = remember(node.memory, action)
        return Node(node.state, memory, node.key, action, node, outcome.failure)
    key = node.key ^ change_key(node.state, outcome.state)
    return Node(outcome.state, remember(node.memory, action), key, action, node)


def change_key(before: State, after: State) -> int:
    """The exclusive or of the hashes of all facts that differ between a state and the next.

    Along any way from one state to another these add up to the same number, so that states can
    be compared without reading all their facts.
    """
    if after is before:
        return 0
    key = 0
    delete, add = after.change_from
    touched: dict[Fact, None] = dict.fromkeys((*delete, *add))
    for fact in touched:
        if before.holds(fact[0], fact[1:]) != after.holds(fact[0], fact[1:]):
            key ^= hash(fact)
    return key


def to_trace(node: Node[M]) -> Trace:
    """What was done on the way to a node, as :func:`homebody.core.world.execute` tells it."""
    states: list[State] = []
    actions: list[Action] = []
    indices: list[int] = []
    skipped: list[tuple[int, Failure]] = []
    for index, at in enumerate(node.path(), start=-1):
        if at.skipped is not None:
            skipped.append((index, at.skipped))
            continue
        states.append(at.state)
        if at.action is not None:
            actions.append(at.action)
            indices.append(index)
    return Trace(tuple(states), tuple(actions), tuple(indices), tuple(skipped))
