"""Lazy greedy best-first search for a plan in states of bits. The heuristic is the length of a
relaxed plan (FF), and the first actions of the relaxed plan are preferred.

Source of the heuristic: Hoffmann and Nebel, "The FF Planning System", JAIR 14 (2001), extended to
atoms that must be false.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TypeAlias

from homebody.planning.solver.execution import Plan, PlanStep
from homebody.planning.solver.grounding import BitAction, BitTask, Choice

Rule: TypeAlias = tuple[int, int, int, int, int]
"""The index of an action, then four masks: bits that must be set, bits that must be clear, bits
that it sets, bits that it clears."""


@dataclass(frozen=True, slots=True)
class Search:
    """The result of a search.

    Attributes:
        plan: The plan; None if none was found.
        exhausted: True if every state was visited, which proves that these actions give no plan.
        states: Number of states that were visited.
        tests: Number of evaluated conditions, which dominate the time.
    """

    plan: Plan | None
    exhausted: bool
    states: int
    tests: int


def search(task: BitTask, max_states: int, max_tests: int) -> Search:
    """Search for a plan, up to a number of states or tests."""
    rules = _rules(task)
    weight = sum(len(a.condition) + len(a.conditional) for a in task.actions)
    parents: dict[int, tuple[int, int]] = {}
    waiting: list[tuple[int, int, int, int, int]] = []  # estimate, not preferred, order, ...
    state, action, parent, order, tests = task.initial, -1, -1, 0, 0
    while True:
        if state not in parents:
            parents[state] = (parent, action)
            if holds(task.goal, state):
                return Search(_plan(task, parents, state), False, len(parents), tests)
            if len(parents) >= max_states or tests >= max_tests:
                return Search(None, False, len(parents), tests)
            estimate, preferred, tried = _estimate(task, rules, state)
            tests += tried + weight
            if estimate is not None:
                for number, candidate in enumerate(task.actions):
                    if holds(candidate.condition, state):
                        order += 1
                        rank = 0 if number in preferred else 1
                        heappush(waiting, (estimate, rank, order, state, number))
        while waiting:
            _, _, _, parent, action = heappop(waiting)
            state = successor(task.actions[action], parent)
            if state not in parents:
                break
        else:
            return Search(None, True, len(parents), tests)


def holds(condition: Choice, state: int) -> bool:
    """Return the truth of a condition in a state, both over bits."""
    return any(state & true == true and not state & false for true, false in condition)


def successor(action: BitAction, state: int) -> int:
    """Return the state after an action. Conditions are evaluated before the action, and a bit that
    is both set and cleared is set."""
    add, delete = action.add, action.delete
    for when, adds, deletes in action.conditional:
        if holds(when, state):
            add |= adds
            delete |= deletes
    return (state & ~delete) | add


def _plan(task: BitTask, parents: dict[int, tuple[int, int]], state: int) -> Plan:
    steps: list[PlanStep] = []
    while parents[state][1] >= 0:
        state, action = parents[state]
        steps.append(task.actions[action].step)
    return tuple(reversed(steps))


def _rules(task: BitTask) -> list[Rule]:
    """Return the actions as rules of the relaxation, one for each alternative of a condition."""
    rules: dict[Rule, None] = {}
    for number, action in enumerate(task.actions):
        for true, false in action.condition:
            if action.add or action.delete:
                rules[number, true, false, action.add, action.delete] = None
            for when, adds, deletes in action.conditional:
                for more_true, more_false in when:
                    both_true, both_false = true | more_true, false | more_false
                    if not both_true & both_false:
                        rules[number, both_true, both_false, adds, deletes] = None
    return list(rules)


def _estimate(
    task: BitTask, rules: list[Rule], state: int
) -> tuple[int | None, frozenset[int], int]:
    """Return the number of actions of a relaxed plan (None if no plan exists), its actions that are
    possible now, and the number of tried rules."""
    can_be_true, can_be_false = state, ~state
    true_by: dict[int, tuple[int, Rule]] = {}
    false_by: dict[int, tuple[int, Rule]] = {}
    remaining = rules
    layer = tests = 0
    while True:
        goal = _possible(task.goal, can_be_true, can_be_false)
        if goal is not None:
            break
        layer += 1
        new_true = new_false = 0
        later = []
        tests += len(remaining)
        for rule in remaining:
            _, true, false, add, delete = rule
            if true & ~can_be_true or false & ~can_be_false:
                later.append(rule)
                continue
            fresh = add & ~can_be_true & ~new_true
            new_true |= fresh
            while fresh:
                bit = fresh & -fresh
                true_by[bit] = (layer, rule)
                fresh ^= bit
            fresh = delete & ~can_be_false & ~new_false
            new_false |= fresh
            while fresh:
                bit = fresh & -fresh
                false_by[bit] = (layer, rule)
                fresh ^= bit
        if not new_true and not new_false:
            return None, frozenset(), tests
        can_be_true |= new_true
        can_be_false |= new_false
        remaining = later
    used: set[int] = set()
    first: set[int] = set()
    open_true, open_false = goal[0] & ~state, goal[1] & state
    done_true = done_false = 0
    while open_true or open_false:
        if open_true:
            bit = open_true & -open_true
            done_true |= bit
            layer, rule = true_by[bit]
        else:
            bit = open_false & -open_false
            done_false |= bit
            layer, rule = false_by[bit]
        used.add(rule[0])
        if layer == 1:
            first.add(rule[0])
        open_true = (open_true | rule[1] & ~state) & ~done_true
        open_false = (open_false | rule[2] & state) & ~done_false
    return len(used), frozenset(first), tests


def _possible(condition: Choice, can_be_true: int, can_be_false: int) -> tuple[int, int] | None:
    for true, false in condition:
        if not true & ~can_be_true and not false & ~can_be_false:
            return true, false
    return None
