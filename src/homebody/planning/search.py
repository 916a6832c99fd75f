"""Breadth-first search for shortest plans in a world (EAI paper, appendix D.3).

The search does not depend on the kind of goal. Functions define the relevant actions, the memory of
past actions, and the nodes to find.
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
    """A state that was reached, with the path to it.

    Attributes:
        state: The state.
        memory: Information on past actions beyond their effects.
        key: Equal for equal states of one search (:func:`change_key`).
        action: The last action; None at the start.
        parent: The node before that action.
        skipped: The failure if the action was an additional step, which changed nothing.
    """

    state: State
    memory: M
    key: int = 0
    action: Action | None = None
    parent: Node[M] | None = None
    skipped: Failure | None = None

    def path(self) -> list[Node[M]]:
        """Return all nodes from the start to this one."""
        nodes = [self]
        while (parent := nodes[-1].parent) is not None:
            nodes.append(parent)
        return nodes[::-1]

    def history(self) -> list[State]:
        """Return the earlier states, oldest first, each once."""
        return [node.state for node in self.path() if node.skipped is None][:-1]


@dataclass(slots=True)
class Budget:
    """A limit on the number of actions that are tried: a count, so that results do not depend on
    the machine.

    Attributes:
        left: Number of actions that may still be tried.
        cut: True if some search stopped at this limit or at its depth.
    """

    left: int
    cut: bool = False

    @property
    def is_spent(self) -> bool:
        """True if no more actions may be tried."""
        return self.left <= 0


class TooMuchEffort(Exception):
    """Raised if a search exceeds its effort."""


@dataclass(slots=True)
class Effort:
    """A limit on the work before an action is tried: evaluated atoms of goals, literals, and
    candidate actions. It dominates for huge goals.

    Attributes:
        left: Remaining work, in atoms.
        options: Number of candidate actions so far.
    """

    left: int = sys.maxsize
    options: int = 0

    def spend(self, atoms: int) -> None:
        """Count work. Raises TooMuchEffort if the limit is exceeded."""
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
    """Find up to ``most`` nodes for which ``reached`` is true, with the fewest actions from
    ``start``.

    A state is visited once for each memory. An action that fails is not done. An additional step
    counts as done, and changes only the memory.

    Args:
        world: The world to act in.
        start: The first node.
        relevant: Node -> the actions worth trying, in a fixed order.
        remember: Memory and an action -> the memory after it.
        reached: Node -> True if it is a result.
        depth: Maximum number of actions.
        most: Maximum number of nodes to return; they differ in state or memory.
        budget: The limit on tried actions; the search ends when it is spent.

    Returns:
        The nodes; empty if the limits exclude all.
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
            if budget.is_spent:
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
    """Return the node after an action; None if it fails."""
    outcome = world.step(node.state, action)
    if outcome.failure is not None:
        if outcome.failure.error is not ErrorType.ADDITIONAL_STEP:
            return None
        memory = remember(node.memory, action)
        return Node(node.state, memory, node.key, action, node, outcome.failure)
    key = node.key ^ change_key(node.state, outcome.state)
    return Node(outcome.state, remember(node.memory, action), key, action, node)


def change_key(before: State, after: State) -> int:
    """Return the exclusive or of the hashes of all facts that differ between a state and the next
    state.

    These numbers combine to the same result along every path between two states. Therefore states
    can be compared without reading all their facts.
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
    """Return the trace of the path to a node, as :func:`homebody.core.world.execute` does."""
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
