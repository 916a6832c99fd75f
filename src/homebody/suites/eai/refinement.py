"""From subgoals to actions: breadth-first search over the world (EAI paper, 2.4 and D.3).

Every subgoal is refined, from each state that the earlier ones led to, into the shortest
sequences of actions after which it holds. All refinements are kept, up to a bound, and the best
one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core import Action, ErrorType, Failure, State
from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Then,
    atoms,
    evaluate,
)
from homebody.planning.search import Budget, Node, shortest
from homebody.suites.eai.tasks import ACTION_PREDICATES, EaiTask, id_of
from homebody.worlds.virtualhome.relevance import Relevance
from homebody.worlds.virtualhome.world import View, VirtualHome


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the search for one output.

    Attributes:
        depth: Most actions for one subgoal.
        alternatives: Most refinements that are kept.
        nodes: Most actions that are tried. Asking whether a costly formula holds counts as
            several (:func:`weight`).
        wide_nodes: Most actions that are tried for one subgoal when those that are plainly
            needed do not lead to it (see :meth:`Relevance.doable`).
    """

    depth: int = 10
    alternatives: int = 8
    nodes: int = 5_000
    wide_nodes: int = 1_000


LIMITS = Limits()

MAX_WEIGHT = 1_000
"""Subgoals that weigh more are not searched for."""


def weight(formula: Formula, objects: int) -> int:
    """What it costs to ask whether a formula holds, in actions that could be tried meanwhile: it
    has as many ground atoms as a quantifier has objects, for each of its atoms."""
    return _ground_atoms(formula, objects) // 300


def _ground_atoms(formula: Formula, objects: int) -> int:
    match formula:
        case And(parts) | Or(parts) | Then(parts):
            return sum(_ground_atoms(part, objects) for part in parts)
        case Implies(left, right):
            return _ground_atoms(left, objects) + _ground_atoms(right, objects)
        case Not(body):
            return _ground_atoms(body, objects)
        case Forall(_, body) | Exists(_, body) | Exactly(_, _, body):
            return objects * _ground_atoms(body, objects)
    return 1


@dataclass(frozen=True, slots=True)
class Subgoal:
    """One subgoal: as the output writes it, and as a closed formula.

    Atoms whose predicate is an action ask that it is done; others are about the state.
    """

    text: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Memory:
    """What a search remembers besides the state.

    ``progress`` counts the task's action goals that were done, in order; ``done`` are the actions
    that the subgoal asks for and that were done for it.
    """

    progress: int = 0
    done: frozenset[Action] = frozenset()


Found: TypeAlias = Node[Memory]


@dataclass(frozen=True, slots=True)
class Refinement:
    """One way to follow the subgoals, as far as it goes.

    Attributes:
        node: Where it ends.
        additional: Indices of subgoals that were so already when their turn came, and of which
            an action to bring them about would be an additional step.
    """

    node: Found
    additional: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the subgoals.

    Attributes:
        refinements: The ways that were found, at least one. If ``failed_at`` is set they end
            before that subgoal.
        failed_at: Index of the first subgoal that could not be reached.
        failure: Why.
        limited: The search stopped at its budget.
    """

    refinements: tuple[Refinement, ...]
    failed_at: int | None = None
    failure: Failure | None = None
    limited: bool = False


class _Segment:
    """A state, and what was done for the current subgoal, as a structure for its formula."""

    __slots__ = ("_done", "view")

    def __init__(self, view: View, done: frozenset[Action]) -> None:
        self.view = view
        self._done = done

    @property
    def names(self) -> Iterable[str]:
        return self.view.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        if predicate in ACTION_PREDICATES:
            return Action(predicate, args) in self._done
        return self.view.holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        if predicate not in ACTION_PREDICATES:
            return self.view.match(predicate, args)
        wanted = [a for a in self._done if a.name == predicate and len(a.args) == len(args)]
        agree = (all(x in (None, y) for x, y in zip(args, a.args, strict=True)) for a in wanted)
        return sorted(a.args for a, fits in zip(wanted, agree, strict=True) if fits)


def refine(task: EaiTask, subgoals: Sequence[Subgoal], limits: Limits = LIMITS) -> Outcome:
    """Refine subgoals in the task's world, from its initial state. Always ends."""
    world = task.task.world
    assert isinstance(world, VirtualHome)
    named = {arg for goal in subgoals for atom in atoms(goal.formula) for arg in atom.args}
    named = {name for name in named if name in task.task.initial.objects}
    search = _Search(
        task,
        Relevance(world, tuple(sorted(named | set(task.relevant), key=id_of)), ACTION_PREDICATES),
        limits,
        Budget(limits.nodes),
    )
    ways = [Refinement(Node(task.task.initial, Memory()))]
    for index, subgoal in enumerate(subgoals):
        following = search.follow(ways, index, subgoal.formula)
        if not following:
            failure = search.why(ways[0].node, subgoal.formula)
            return Outcome(tuple(ways), index, failure, search.budget.spent)
        ways = following
    return Outcome(tuple(ways), limited=search.budget.spent)


@dataclass(frozen=True, slots=True)
class _Search:
    task: EaiTask
    relevance: Relevance
    limits: Limits
    budget: Budget

    @property
    def world(self) -> VirtualHome:
        return self.relevance.world

    def follow(self, ways: list[Refinement], index: int, goal: Formula) -> list[Refinement]:
        """Every way, continued until ``goal`` holds; the most promising first."""
        views: dict[int, tuple[State, View]] = {}  # keeps the state, so that its id stays taken

        def segment(node: Found) -> _Segment:
            known = views.get(id(node.state))
            if known is None:
                known = views[id(node.state)] = (node.state, self.world.view(node.state))
            return _Segment(known[1], node.memory.done)

        asked = {Action(a.predicate, a.args) for a in atoms(goal)}
        wanted = [choice.split("|") for choice in self.task.action_goals]

        def remember(memory: Memory, action: Action) -> Memory:
            step = memory.progress
            if step < len(wanted) and action.name in wanted[step]:
                step += 1
            done = memory.done | {action} if action in asked else memory.done
            return Memory(step, done)

        following: dict[tuple[int, Memory], Refinement] = {}
        for way in ways:
            old = way.node
            start = Node(
                old.state, Memory(old.memory.progress), old.key, old.action, old.parent, old.skipped
            )
            found = self._shortest(start, goal, segment, remember)
            for node in found:
                needless = node is start and self._is_additional(goal, segment(node))
                needless = needless or any(n.skipped for n in _since(node, start))
                additional = (*way.additional, index) if needless else way.additional
                key = (node.key, Memory(node.memory.progress))
                known = following.get(key)
                if known is None or len(additional) < len(known.additional):
                    following[key] = Refinement(node, additional)
        best = sorted(following.values(), key=lambda way: -way.node.memory.progress)
        return best[: self.limits.alternatives]

    def _shortest(
        self,
        start: Found,
        goal: Formula,
        segment: Callable[[Found], _Segment],
        remember: Callable[[Memory, Action], Memory],
    ) -> list[Found]:
        """The nearest nodes where ``goal`` holds: with the actions that are plainly needed or,
        failing that, with all that have to do with it."""

        price = weight(goal, len(self.task.task.initial.objects))

        def search(wide: bool, budget: Budget) -> list[Found]:
            def relevant(node: Found) -> list[Action]:
                here = segment(node)
                budget.left -= price
                return self.relevance.doable(goal, here, here.view, wide=wide)

            return shortest(
                self.world,
                start,
                relevant=relevant,
                remember=remember,
                reached=lambda node: evaluate(goal, segment(node)),
                depth=self.limits.depth,
                most=self.limits.alternatives,
                budget=budget,
            )

        here = segment(start)
        if evaluate(goal, here):
            return [start]
        if self.relevance.hopeless(goal, here, here.view) is not None:
            return []
        found = search(False, self.budget)
        if found:
            return found
        share = min(self.budget.left, self.limits.wide_nodes)
        budget = Budget(share)
        found = search(True, budget)
        self.budget.left -= share - budget.left
        return found

    def _is_additional(self, goal: Formula, here: _Segment) -> bool:
        """Whether bringing about what already holds would be an additional step (figure 19)."""
        for atom in atoms(goal):
            if not here.holds(atom.predicate, atom.args):
                continue
            for action in self.relevance.ways((True, atom), here.view):
                if action.name == "GRAB" and atom.predicate == "NEXT_TO":
                    continue  # one way to be near among others
                failure = self.world.step(here.view.state, action).failure
                if failure is not None and failure.error is ErrorType.ADDITIONAL_STEP:
                    return True
        return False

    def why(self, node: Found, goal: Formula) -> Failure:
        """Why a subgoal cannot be reached: what is wrong with the actions that would do it."""
        here = _Segment(self.world.view(node.state), frozenset())
        goal = self.relevance.hopeless(goal, here, here.view) or goal
        ways = self.relevance.direct(goal, here, here.view)
        failures = [
            failure
            for action in ways
            if (failure := self.world.step(node.state, action, node.history()).failure) is not None
        ]
        order = (ErrorType.WRONG_ORDER, ErrorType.MISSING_STEP, ErrorType.AFFORDANCE)
        for error in order:
            for failure in failures:
                if failure.error is error:
                    return failure
        if not ways:
            text = next((_text(a) for a in atoms(goal)), "nothing")
            message = f"Not possible: no action brings about {text}."
            return Failure(Action("NONE"), ErrorType.AFFORDANCE, (goal,), message)
        message = "Not possible: what it asks for does not hold together."
        return Failure(ways[0], ErrorType.MISSING_STEP, (goal,), message)


def _since(node: Found, start: Found) -> list[Found]:
    found = []
    while node is not start and node.parent is not None:
        found.append(node)
        node = node.parent
    return found


def _text(atom: Atom) -> str:
    return f"{atom.predicate}({', '.join(atom.args)})"
