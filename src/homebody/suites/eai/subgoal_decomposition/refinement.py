"""Refinement of subgoals to actions in any world, by breadth-first search (EAI paper, 2.4 and D.3).

Each subgoal is refined to the shortest sequences of actions after which it holds. The search starts
from each state that the earlier subgoals lead to. All refinements are kept, up to a bound, and the
best one counts. A :class:`Setting` describes the world to the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from homebody.core import Action, ErrorType, Failure, State
from homebody.core.formula import (
    And,
    Atom,
    Formula,
    Literal,
    Not,
    Structure,
    atom_of,
    atoms,
    bound_by,
    is_literal,
    parts_of,
)
from homebody.core.truth import evaluate
from homebody.core.world import History
from homebody.goals.bddl.incompatible import is_to_itself
from homebody.planning.relevance import Relevance, achievers, exclusive
from homebody.planning.search import Budget, Effort, Node, TooMuchEffort, shortest
from homebody.suites.eai.plan_results import MAX_NUMBERS, MAX_STEPS, cut_list


class ViewedState(Structure, Protocol):
    """A state with derived predicates, in which conditions of actions are evaluated."""

    @property
    def state(self) -> State:
        """The state itself."""
        ...


V = TypeVar("V", bound=ViewedState)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the search for one output.

    Attributes:
        depth: Maximum number of actions for one subgoal, or for each part of an ``and`` that has to
            be reached part by part.
        alternatives: Maximum number of refinements kept.
        nodes: Maximum number of actions tried. Evaluating a costly formula counts as several
            (:func:`weight`).
        each: Maximum number of actions tried in one search for one subgoal, so that no subgoal uses
            up the budget of others.
    """

    depth: int = 10
    alternatives: int = 8
    nodes: int = 10_000
    each: int = 1_000


LIMITS = Limits()

MAX_EFFORT = 600_000
"""Maximum :class:`~homebody.planning.search.Effort` for one output, besides the actions tried.

It is five times the effort of any random subgoals. A subgoal that exhausts it counts as not reached
within the bounds.
"""
EACH_STEP = 50
"""Effort of trying an action outside of a search."""

MAX_COMPARED = 50
"""Maximum number of parts of a subgoal whose mutual exclusion is checked."""

MAX_WEIGHT = 1_000
"""Maximum weight of a subgoal that is searched for."""


def weight(formula: Formula, objects: int) -> int:
    """Return the cost of evaluating a formula's ground atoms. The unit is the cost of trying one
    action."""
    return _ground_atoms(formula, objects) // 300


def _ground_atoms(formula: Formula, objects: int) -> int:
    if isinstance(formula, Atom):
        return 1
    number = sum(_ground_atoms(part, objects) for part in parts_of(formula))
    return objects * number if bound_by(formula) else number


@dataclass(frozen=True, slots=True)
class Subgoal:
    """One subgoal: as written in the output, and as a closed formula.

    An atom whose predicate is an action requires that the action is done. Other atoms are about the
    state.
    """

    text: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of a search, in addition to the state.

    ``progress`` counts the task's action goals that were done, in order; ``done`` are the actions
    that the subgoal requires and that were done for it.
    """

    progress: int = 0
    done: frozenset[Action] = frozenset()


SearchNode: TypeAlias = Node[Memory]


@dataclass(frozen=True, slots=True)
class Refinement:
    """One way to refine the subgoals, as far as possible.

    Attributes:
        node: The last node.
        additional: Index of each subgoal with an additional step, and the action of the subgoal
            that was not needed. The action is empty if the subgoal itself held already.
        idle: Indices of subgoals that held already, so that nothing was done for them.
        fillers: Objects that the search took by its own choice; no subgoal required them.
        lengths: Number of actions for each subgoal.
    """

    node: SearchNode
    additional: tuple[tuple[int, str], ...] = ()
    idle: tuple[int, ...] = ()
    fillers: frozenset[str] = frozenset()
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RefinementResult:
    """The result of refining subgoals.

    Attributes:
        refinements: The refinements that were found, at least one. If ``failed_at`` is set, they
            end before that subgoal.
        failed_at: Index of the first subgoal that could not be reached.
        failure: The reason why it could not be reached.
        limited: True if the search for that subgoal stopped at a bound.
    """

    refinements: tuple[Refinement, ...]
    failed_at: int | None = None
    failure: Failure | None = None
    limited: bool = False


class Segment(Generic[V]):
    """A state and the actions done for the current subgoal, as a structure for its formula.

    Attributes:
        view: Structure for conditions of actions.
        truth: Structure for subgoals about the state.
    """

    __slots__ = ("_actions", "_done", "_effort", "truth", "view")

    def __init__(
        self,
        view: V,
        truth: Structure,
        done: frozenset[Action],
        actions: frozenset[str],
        effort: Effort,
    ) -> None:
        self.view = view
        self.truth = truth
        self._effort = effort
        self._done = done
        self._actions = actions

    @property
    def names(self) -> Iterable[str]:
        """All object names, in a fixed order."""
        return self.truth.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a ground atom is true; see :class:`~homebody.core.formula.Structure`."""
        self._effort.spend(1)
        if predicate in self._actions:
            return Action(predicate, args) in self._done
        return self.truth.holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the rows that match a pattern; see :class:`~homebody.core.formula.Structure`."""
        self._effort.spend(1)
        if predicate not in self._actions:
            return self.truth.match(predicate, args)
        wanted = [a for a in self._done if a.name == predicate and len(a.args) == len(args)]
        agree = (all(x in (None, y) for x, y in zip(args, a.args, strict=True)) for a in wanted)
        return sorted(a.args for a, fits in zip(wanted, agree, strict=True) if fits)


@dataclass(frozen=True, slots=True)
class Setting(Generic[V]):
    """The description of a world for the search.

    Attributes:
        relevance: Finds actions that can help in the world.
        actions: Predicates of subgoals that are actions.
        view: State -> structure for conditions of actions.
        truth: View -> structure for subgoals.
        already_met: Goal, segment and objects that the search chose itself -> the literals of the
            goal that hold and are worth mentioning. Side effects and the search's own choices are
            not.
        taken_object: Action -> the object that it takes into a hand.
        advance: Number of the task's action goals done, and an action -> the number after it.
        relax: Goal -> a weaker goal that suffices. Refinements that reach the goal itself are kept
            in addition.
        chooses: True if objects that a search takes, but the subgoal does not name, count as the
            search's own choice. If False, an object only counts if it was taken to reach the goal
            itself although the weaker goal would suffice.
        can_blame: Returns whether a failure of an action explains that a literal is not reached.
        price: Cost of listing actions since the last call. The unit is the cost of trying one
            action.
    """

    relevance: Relevance[V]
    actions: frozenset[str]
    view: Callable[[State], V]
    truth: Callable[[V], Structure]
    already_met: Callable[[Formula, Segment[V], frozenset[str]], Iterable[Literal]]
    taken_object: Callable[[Action], str | None]
    advance: Callable[[int, Action], int] = lambda progress, action: progress
    relax: Callable[[Formula], Formula] = lambda goal: goal
    chooses: bool = True
    can_blame: Callable[[Action, Literal], bool] = lambda action, literal: True
    price: Callable[[], int] = lambda: 0


@dataclass(frozen=True, slots=True)
class _Search(Generic[V]):
    """A search for the subgoals of one output, with its remaining budget."""

    setting: Setting[V]
    limits: Limits
    budget: Budget


def refine(
    setting: Setting[V], initial: State, subgoals: Sequence[Subgoal], limits: Limits = LIMITS
) -> RefinementResult:
    """Refine subgoals one after another. Always terminates."""
    search = _Search(setting, limits, Budget(limits.nodes))
    setting.relevance.effort.left = MAX_EFFORT
    ways = [Refinement(Node(initial, Memory()))]
    for index, subgoal in enumerate(subgoals):
        search.budget.cut = False
        try:
            following = _follow(search, ways, index, subgoal.formula)
            if not following:
                cut = search.budget.cut
                failure = _explain_failure(setting, ways[0].node, subgoal.formula, cut)
                return RefinementResult(tuple(ways), index, failure, cut)
        except TooMuchEffort:
            setting.relevance.effort.left = MAX_EFFORT // 10
            try:
                failure = _explain_failure(setting, ways[0].node, subgoal.formula, True)
            except TooMuchEffort:
                unclear = Failure(Action("NONE"), ErrorType.MISSING_STEP, (subgoal.formula,), "")
                failure = _unreached_failure(unclear, subgoal.formula, True)
            return RefinementResult(tuple(ways), index, failure, True)
        ways = following
    return RefinementResult(tuple(ways))


def segment_of(
    setting: Setting[V], state: State, done: frozenset[Action] = frozenset()
) -> Segment[V]:
    """Make a segment from a state and the actions done for the current subgoal."""
    view = setting.view(state)
    return Segment(view, setting.truth(view), done, setting.actions, setting.relevance.effort)


def _follow(
    search: _Search[V], ways: list[Refinement], index: int, goal: Formula
) -> list[Refinement]:
    """Extend every refinement until ``goal`` holds. Return the most promising first."""
    setting = search.setting
    segments: dict[int, tuple[State, Segment[V]]] = {}  # keeps the state: its id stays taken

    def segment(node: SearchNode) -> Segment[V]:
        kept = segments.get(id(node.state))
        if kept is None:
            kept = segments[id(node.state)] = (node.state, segment_of(setting, node.state))
        here, effort = kept[1], setting.relevance.effort
        return Segment(here.view, here.truth, node.memory.done, setting.actions, effort)

    actions = {Action(a.predicate, a.args) for a in atoms(goal)}

    def remember(memory: Memory, action: Action) -> Memory:
        done = memory.done | {action} if action in actions else memory.done
        return Memory(setting.advance(memory.progress, action), done)

    relaxed = setting.relax(goal)
    following: dict[tuple[int, Memory], Refinement] = {}

    def keep(way: Refinement, start: SearchNode, ends: Iterable[SearchNode], exactly: bool) -> None:
        for node in ends:
            after = _extend(setting, way, index, goal, start, node, segment, exactly)
            key = (node.key, Memory(node.memory.progress))
            other = following.get(key)
            if other is None or len(after.additional) < len(other.additional):
                following[key] = after

    for way in ways:
        old = way.node
        memory = Memory(old.memory.progress)
        start = Node(old.state, memory, old.key, old.action, old.parent, old.skipped)
        ends = _nearest_nodes(search, start, relaxed, segment, remember)
        keep(way, start, ends, False)
        if relaxed != goal and not any(evaluate(goal, segment(node)) for node in ends):
            keep(way, start, _nearest_nodes(search, start, goal, segment, remember), True)
    best = sorted(following.values(), key=lambda way: -way.node.memory.progress)
    return best[: search.limits.alternatives]


def _extend(
    setting: Setting[V],
    way: Refinement,
    index: int,
    goal: Formula,
    start: SearchNode,
    node: SearchNode,
    segment: Callable[[SearchNode], Segment[V]],
    exactly: bool,
) -> Refinement:
    steps = _steps_since(node, start)
    additional = [(index, str(step.action)) for step in steps if step.skipped][:1]
    if not steps and _is_additional(setting, goal, segment(node), way.fillers):
        additional = [(index, "")]
    fillers = way.fillers
    if setting.chooses or exactly:
        own = {arg for atom in atoms(goal) for arg in atom.args}
        done = (step.action for step in steps)
        taken = {setting.taken_object(action) for action in done if action is not None}
        fillers |= {name for name in taken if name is not None} - own
    idle = way.idle if steps else (*way.idle, index)
    lengths = (*way.lengths, len(steps))
    return Refinement(node, (*way.additional, *additional), idle, fillers, lengths)


def _nearest_nodes(
    search: _Search[V],
    start: SearchNode,
    goal: Formula,
    segment: Callable[[SearchNode], Segment[V]],
    remember: Callable[[Memory, Action], Memory],
) -> list[SearchNode]:
    """Find the nearest nodes where ``goal`` holds.

    The search first uses only the actions that are obviously needed, then pursues the goal part by
    part, then uses all related actions.
    """
    setting, limits = search.setting, search.limits
    here = segment(start)
    if evaluate(goal, here):
        return [start]
    if setting.relevance.hopeless(goal, here, here.view) is not None:
        return []
    objects = len(start.state.objects)

    def reach(at: SearchNode, part: Formula, wide: bool = False) -> list[SearchNode]:
        price = weight(part, objects)
        budget = Budget(min(search.budget.left, limits.each))
        share = budget.left

        def relevant(node: SearchNode) -> list[Action]:
            place = segment(node)
            actions = setting.relevance.doable(part, place, place.view, wide=wide)
            budget.left -= price + setting.price()
            return actions

        ends = shortest(
            setting.relevance.world,
            at,
            relevant=relevant,
            remember=remember,
            reached=lambda node: evaluate(part, segment(node)),
            depth=limits.depth,
            most=limits.alternatives,
            budget=budget,
        )
        search.budget.left -= share - budget.left
        search.budget.cut |= budget.cut
        return ends

    def reach_part_by_part(parts: Sequence[Formula]) -> list[SearchNode]:
        ends = [start]
        for count in range(1, len(parts) + 1):
            ends = reach(ends[0], And(tuple(parts[:count])))
            if not ends:
                break
        return ends

    ends = reach(start, goal)
    if not ends and isinstance(goal, And):
        ends = reach_part_by_part(goal.parts) or reach_part_by_part(goal.parts[::-1])
    return ends or reach(start, goal, wide=True)


def _is_additional(
    setting: Setting[V], goal: Formula, here: Segment[V], fillers: frozenset[str]
) -> bool:
    """Return whether it would be an additional step to achieve a literal that already holds (figure
    19)."""
    for literal in setting.already_met(goal, here, fillers):
        for action in setting.relevance.ways(literal, here.view):
            setting.relevance.effort.spend(EACH_STEP)
            failure = setting.relevance.world.step(here.view.state, action).failure
            if failure is not None and failure.error is ErrorType.ADDITIONAL_STEP:
                return True
    return False


def _explain_failure(setting: Setting[V], node: SearchNode, goal: Formula, cut: bool) -> Failure:
    """Return the reason why a subgoal is not reached: it is impossible, or the actions for it
    fail."""
    here = segment_of(setting, node.state)
    failure = _blame(setting, node, goal, cut, here)
    if failure.error is not ErrorType.AFFORDANCE and (
        both := _find_exclusive_parts(setting, goal, here)
    ):
        message = f"Not possible: {both} exclude each other."
        failure = replace(failure, message=message)
    return failure


def _find_exclusive_parts(setting: Setting[V], goal: Formula, here: Segment[V]) -> str:
    """Name two parts of a goal that cannot hold together; empty if none are found."""
    if not isinstance(goal, And):
        return ""
    world = setting.relevance.world
    table = achievers(world.schemas)
    literals = [part for part in goal.parts if is_literal(part)][:MAX_COMPARED]
    for one, other in combinations(literals, 2):
        setting.relevance.effort.spend(1)
        both_hold = evaluate(one, here) and evaluate(other, here)
        if not both_hold and exclusive(table, one, other, world.agent):
            return f"{_literal_text(one)} and {_literal_text(other)}"
    return ""


def _literal_text(literal: Literal) -> str:
    atom = atom_of(literal)
    return f"{'not ' if isinstance(literal, Not) else ''}{atom.predicate}({', '.join(atom.args)})"


def _blame(
    setting: Setting[V], node: SearchNode, written: Formula, cut: bool, here: Segment[V]
) -> Failure:
    """Return the failure of the actions that would achieve a subgoal."""
    world = setting.relevance.world
    whole = goal = setting.relax(written)
    hopeless = setting.relevance.hopeless(goal, here, here.view)
    goal = hopeless or goal
    literals = setting.relevance.literals(goal, here, here.view)
    ways = dict.fromkeys(
        action
        for literal in literals
        for action in setting.relevance.ways(literal, here.view)
        if setting.can_blame(action, literal)
    )
    history = History()
    history.extend(node.history())
    failures: list[Failure] = []
    for action in ways:
        setting.relevance.effort.spend(EACH_STEP + len(history))
        failure = world.step(node.state, action, history).failure
        if failure is not None:
            failures.append(failure)
    for error in (ErrorType.WRONG_ORDER, ErrorType.MISSING_STEP, ErrorType.AFFORDANCE):
        for failure in failures:
            if failure.error is not error:
                continue
            if error is not ErrorType.AFFORDANCE:
                return _unreached_failure(failure, whole, cut)
            if hopeless is not None or not cut:
                return failure
            # one way is blocked; another may be beyond the bounds
            unclear = replace(failure, error=ErrorType.MISSING_STEP, message="")
            return _unreached_failure(unclear, whole, cut)
    if not ways:
        literal = literals[0] if literals else Atom("nothing")
        named = (atom for atom in atoms(written) if setting.relax(atom) == atom_of(literal))
        atom = next(named, atom_of(literal))
        effect = _literal_text(Not(atom) if isinstance(literal, Not) else atom)
        message = f"Not possible: no action brings about {effect}."
        return Failure(Action("NONE"), ErrorType.AFFORDANCE, (goal,), message)
    unclear = Failure(next(iter(ways)), ErrorType.MISSING_STEP, (goal,), "")
    return _unreached_failure(unclear, whole, cut)


def _unreached_failure(failure: Failure, goal: Formula, cut: bool) -> Failure:
    """Reword the failure of one action for a search that tried many actions."""
    head = "Not reached within the bounds of the search." if cut else "No way to it was found."
    if isinstance(goal, And) and not cut:
        head += " Its parts may exclude each other."
    detail = f" For one, {failure.action}: {failure.message}" if failure.message else ""
    return Failure(failure.action, failure.error, failure.unmet, head + detail)


def _steps_since(node: SearchNode, start: SearchNode) -> list[SearchNode]:
    steps = []
    while node is not start and node.parent is not None:
        steps.append(node)
        node = node.parent
    return steps


def describe_additional_steps(way: Refinement) -> list[str]:
    """Describe the additional steps of a refinement: subgoals that held already, entirely or in
    part."""
    whole = [str(index + 1) for index, action in way.additional if not action]
    partly = [f"{index + 1} ({done} changes nothing)" for index, done in way.additional if done]
    hold = "s {} hold" if len(whole) > 1 else " {} holds"
    parts = "Parts of subgoals {} are" if len(partly) > 1 else "Part of subgoal {} is"
    sentences = []
    if whole:
        sentences.append(f"Subgoal{hold} already.".format(cut_list("", whole, MAX_NUMBERS)))
    if partly:
        sentences.append(f"{parts} not needed.".format(cut_list("", partly, MAX_STEPS)))
    return [f"{sentence} (additional step)" for sentence in sentences]


def describe_failed_subgoal(outcome: RefinementResult, subgoals: Sequence[Subgoal]) -> list[str]:
    """Describe the subgoal that was not reached, if any."""
    if outcome.failed_at is None or outcome.failure is None:
        return []
    failure, subgoal = outcome.failure, subgoals[outcome.failed_at]
    kind = failure.error.value.replace("_", " ")
    parts = subgoal.formula.parts if isinstance(subgoal.formula, And) else (subgoal.formula,)
    message = failure.message
    if any(is_to_itself(part) and part.predicate != failure.action.name for part in parts):
        message = "Not possible: no thing is in a relation to itself."
    return [f"Subgoal {outcome.failed_at + 1}, {subgoal.text[:200]}: {message} ({kind})"]


def limits_of(bounds: Mapping[str, float]) -> Limits:
    """Convert a suite's bounds to limits."""
    given: dict[str, Any] = {name: int(value) for name, value in bounds.items()}
    return Limits(**given)
