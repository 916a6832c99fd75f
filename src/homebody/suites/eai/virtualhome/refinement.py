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
from homebody.suites.eai.virtualhome.tasks import ACTION_PREDICATES, EaiTask, id_of
from homebody.worlds.virtualhome.relevance import Relevance
from homebody.worlds.virtualhome.world import View, VirtualHome


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the search for one output.

    Attributes:
        depth: Most actions for one subgoal; for each of its parts, where an ``and`` has to be
            reached part by part.
        alternatives: Most refinements that are kept.
        nodes: Most actions that are tried. Asking whether a costly formula holds counts as
            several (:func:`weight`).
        each: Most actions that are tried in one search for one subgoal, so that no subgoal uses
            up what others need.
    """

    depth: int = 10
    alternatives: int = 8
    nodes: int = 10_000
    each: int = 1_000


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
        additional: Subgoals with an additional step, by index, each with what was not needed: the
            subgoal itself held already (an empty text), or an action that it asks for.
        idle: Indices of subgoals that held already, so that nothing was done for them.
        fillers: Things taken only to leave the other hand for what a subgoal names.
    """

    node: Found
    additional: tuple[tuple[int, str], ...] = ()
    idle: tuple[int, ...] = ()
    fillers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the subgoals.

    Attributes:
        refinements: The ways that were found, at least one. If ``failed_at`` is set they end
            before that subgoal.
        failed_at: Index of the first subgoal that could not be reached.
        failure: Why.
        limited: The search for that subgoal stopped at a bound.
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
    asked = [atom for goal in subgoals for atom in atoms(goal.formula)]
    named = {arg for atom in asked for arg in atom.args if arg in task.task.initial.objects}
    in_hand = [atom.args[-1] for atom in asked if atom.predicate in HANDS]
    relevance = Relevance(
        world,
        tuple(sorted(named | set(task.relevant), key=id_of)),
        ACTION_PREDICATES,
        tuple(dict.fromkeys(name for name in in_hand if name in named)),
    )
    search = _Search(task, relevance, limits, Budget(limits.nodes))
    ways = [Refinement(Node(task.task.initial, Memory()))]
    for index, subgoal in enumerate(subgoals):
        search.budget.cut = False
        following = search.follow(ways, index, subgoal.formula)
        if not following:
            cut = search.budget.cut
            failure = search.why(ways[0].node, subgoal.formula, cut)
            return Outcome(tuple(ways), index, failure, cut)
        ways = following
    return Outcome(tuple(ways))


HANDS = frozenset({"HOLDS_RH", "HOLDS_LH"})


def either_hand(formula: Formula) -> Formula:
    """``formula`` with no say in which hand holds a thing."""
    match formula:
        case Atom(predicate, args):
            return Atom("HOLDS", args) if predicate in HANDS else formula
        case Not(body):
            return Not(either_hand(body))
        case And(parts):
            return And(tuple(map(either_hand, parts)))
        case Or(parts):
            return Or(tuple(map(either_hand, parts)))
        case Implies(left, right):
            return Implies(either_hand(left), either_hand(right))
        case Forall(variable, body):
            return Forall(variable, either_hand(body))
        case Exists(variable, body):
            return Exists(variable, either_hand(body))
        case Exactly(number, variable, body):
            return Exactly(number, variable, either_hand(body))
    return formula


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
        """Every way, continued until ``goal`` holds; the most promising first.

        Which hand takes a thing is the simulator's choice, and models do not plan for it: a thing
        in either hand will do. Ways that have it in the hand that is named are kept beside, for
        the task's goal may ask for that.
        """
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

        loosely = either_hand(goal)
        following: dict[tuple[int, Memory], Refinement] = {}

        def keep(way: Refinement, start: Found, found: Iterable[Found], exactly: bool) -> None:
            for node in found:
                after = self._continued(way, index, goal, start, node, segment, exactly)
                key = (node.key, Memory(node.memory.progress))
                known = following.get(key)
                if known is None or len(after.additional) < len(known.additional):
                    following[key] = after

        for way in ways:
            old = way.node
            memory = Memory(old.memory.progress)
            start = Node(old.state, memory, old.key, old.action, old.parent, old.skipped)
            found = self._nearest(start, loosely, segment, remember)
            keep(way, start, found, False)
            if loosely != goal and not any(evaluate(goal, segment(node)) for node in found):
                keep(way, start, self._nearest(start, goal, segment, remember), True)
        best = sorted(following.values(), key=lambda way: -way.node.memory.progress)
        return best[: self.limits.alternatives]

    def _continued(
        self,
        way: Refinement,
        index: int,
        goal: Formula,
        start: Found,
        node: Found,
        segment: Callable[[Found], _Segment],
        exactly: bool,
    ) -> Refinement:
        steps = _since(node, start)
        additional = [(index, str(step.action)) for step in steps if step.skipped][:1]
        if not steps and self._is_additional(goal, segment(node), way.fillers):
            additional = [(index, "")]
        fillers = way.fillers
        if exactly:
            own = {arg for atom in atoms(goal) for arg in atom.args}
            taken = {a.args[0] for s in steps if (a := s.action) is not None and a.name == "GRAB"}
            fillers |= taken - own
        idle = way.idle if steps else (*way.idle, index)
        return Refinement(node, (*way.additional, *additional), idle, fillers)

    def _nearest(
        self,
        start: Found,
        goal: Formula,
        segment: Callable[[Found], _Segment],
        remember: Callable[[Memory, Action], Memory],
    ) -> list[Found]:
        """The nearest nodes where ``goal`` holds: with the actions that are plainly needed or,
        failing that, part by part or with all actions that have to do with it."""
        here = segment(start)
        if evaluate(goal, here):
            return [start]
        if self.relevance.hopeless(goal, here, here.view) is not None:
            return []

        def search(at: Found, wish: Formula, wide: bool = False) -> list[Found]:
            price = weight(wish, len(self.task.task.initial.objects))
            budget = Budget(min(self.budget.left, self.limits.each))
            share = budget.left

            def relevant(node: Found) -> list[Action]:
                place = segment(node)
                budget.left -= price
                return self.relevance.doable(wish, place, place.view, wide=wide)

            found = shortest(
                self.world,
                at,
                relevant=relevant,
                remember=remember,
                reached=lambda node: evaluate(wish, segment(node)),
                depth=self.limits.depth,
                most=self.limits.alternatives,
                budget=budget,
            )
            self.budget.left -= share - budget.left
            self.budget.cut |= budget.cut
            return found

        def part_by_part(parts: Sequence[Formula]) -> list[Found]:
            found = [start]
            for count in range(1, len(parts) + 1):
                found = search(found[0], And(tuple(parts[:count])))
                if not found:
                    break
            return found

        found = search(start, goal)
        if not found and isinstance(goal, And):
            found = part_by_part(goal.parts) or part_by_part(goal.parts[::-1])
        return found or search(start, goal, wide=True)

    def _is_additional(self, goal: Formula, here: _Segment, fillers: frozenset[str]) -> bool:
        """Whether bringing about what already holds would be an additional step (figure 19).

        Not for being near: that is a side effect. Nor for a thing that was taken on the way by
        our own choice.
        """
        for atom in atoms(either_hand(goal)):
            if atom.predicate == "NEXT_TO" or not here.holds(atom.predicate, atom.args):
                continue
            if atom.predicate == "HOLDS" and atom.args[-1] in fillers:
                continue
            for action in self.relevance.ways((True, atom), here.view):
                failure = self.world.step(here.view.state, action).failure
                if failure is not None and failure.error is ErrorType.ADDITIONAL_STEP:
                    return True
        return False

    def why(self, node: Found, goal: Formula, cut: bool) -> Failure:
        """Why a subgoal is not reached: what is wrong with the actions that would do it."""
        here = _Segment(self.world.view(node.state), frozenset())
        goal = either_hand(goal)
        goal = self.relevance.hopeless(goal, here, here.view) or goal
        literals = self.relevance.literals(goal, here, here.view)
        ways = dict.fromkeys(
            action
            for want, atom in literals
            for action in self.relevance.ways((want, atom), here.view)
            if not (action.name == "GRAB" and atom.predicate in ("NEXT_TO", "NEAR"))
        )
        failures = [
            failure
            for action in ways
            if (failure := self.world.step(node.state, action, node.history()).failure) is not None
        ]
        for error in (ErrorType.WRONG_ORDER, ErrorType.MISSING_STEP, ErrorType.AFFORDANCE):
            for failure in failures:
                if failure.error is error:
                    return failure if error is ErrorType.AFFORDANCE else _unreached(failure, cut)
        if not ways:
            want, atom = literals[0] if literals else (True, Atom("nothing"))
            text = f"{'' if want else 'not '}{atom.predicate}({', '.join(atom.args)})"
            message = f"Not possible: no action brings about {text}."
            return Failure(Action("NONE"), ErrorType.AFFORDANCE, (goal,), message)
        unclear = Failure(next(iter(ways)), ErrorType.MISSING_STEP, (goal,), "")
        return _unreached(unclear, cut)


def _unreached(failure: Failure, cut: bool) -> Failure:
    """A failure of one action, as part of a search that tried many."""
    if cut:
        head = "Not reached within the bounds of the search."
    else:
        head = "No way leads there: its parts exclude each other, or a step to it is barred."
    detail = f" For one, {failure.action}: {failure.message}" if failure.message else ""
    return Failure(failure.action, failure.error, failure.unmet, head + detail)


def _since(node: Found, start: Found) -> list[Found]:
    found = []
    while node is not start and node.parent is not None:
        found.append(node)
        node = node.parent
    return found
