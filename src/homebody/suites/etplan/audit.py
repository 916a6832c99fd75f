"""Defects of released tasks: criteria that contradict the text, and faulty plans.

Findings are based on text, criterion and plan alone: the scenes were not released."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from homebody.core import Action
from homebody.goals.etplan import CLOSE, PLACED, PREPOSITIONS, ROBOT, Condition, Criterion
from homebody.suites.etplan.released import ReleasedTask, class_of

ROOMS: Final = frozenset({"bathroom", "bedroom", "kitchen", "livingroom"})
"""The rooms of all scenes."""
PROBLEMS: Final[Mapping[str, str]] = {
    "on_and_inside_swapped": "one step has ON where the text says into, another INSIDE where"
    " the text says on",
    "other_relation_than_text": "the criterion has ON where the text says into, or INSIDE where it"
    " says on",
    "class_not_in_text": "the criterion has a class that the text does not name",
    "conditions_contradict": "the conditions cannot hold together as they are written",
    "class_with_itself": "the criterion relates a class to itself",
    "condition_twice": "the criterion has a condition twice",
    "text_asks_for_more": "the text requests to bring, open, turn on or otherwise handle an object;"
    " the criterion only requires the robot to be close to it",
    "same_task": "the same text, criterion and scene as an earlier task of the file",
    "grabs_unasked": "the plan grabs an object to which the robot only has to be close",
    "put_is_no_verb": "the plan has `put`, which is not in VirtualHome's vocabulary",
    "puts_otherwise": "the plan puts an object into a place where the criterion has ON, or on one"
    " where it has INSIDE",
    "plan_of_other_things": "the plan handles an object that the criterion does not name, or no"
    " object of a class to which the robot has to be close",
    "plan_of_other_instances": "the plan handles two objects of one class",
    "plan_in_other_room": "the plan finds an object in another room than the criterion names",
    "too_many_held": "the plan holds more objects than there are arms",
    "put_without_holding": "the plan puts down an object that it does not hold",
    "opens_with_full_hands": "the plan opens or closes something with both arms full",
    "walks_to_where_it_is": "the plan walks to the room where the robot is: it is not the shortest",
    "left_open": "the plan leaves something open that it opened",
}
"""Problem -> its description."""


@dataclass(frozen=True, slots=True)
class ReleasedFinding:
    """A defect of a released task.

    Attributes:
        task: Its id.
        problem: A key of :data:`PROBLEMS`.
        reason: Details for people.
    """

    task: str
    problem: str
    reason: str


def audit(tasks: Iterable[ReleasedTask]) -> Iterator[ReleasedFinding]:
    """Yield all findings, task by task."""
    seen: dict[tuple[str, str, str, int], str] = {}
    for task in tasks:
        found = [*_check_text(task), *_check_conditions(task.criterion), *_check_plan(task)]
        key = (task.file, task.text.strip(), str(task.criterion), task.scene)
        if key in seen:
            found.append(("same_task", f"as {seen[key]}"))
        seen.setdefault(key, task.id)
        order = list(PROBLEMS)
        for problem, reason in sorted(found, key=lambda pair: order.index(pair[0])):
            yield ReleasedFinding(task.id, problem, reason)


def count_findings(findings: Iterable[ReleasedFinding]) -> Mapping[tuple[str, str], int]:
    """Return the number of tasks with a problem, by row and problem."""
    tasks = {(finding.task, finding.problem) for finding in findings}
    return Counter((task.partition(":")[0], problem) for task, problem in tasks)


# --- Criteria beside their texts ------------------------------------------------------------------

_MORE: Final = re.compile(
    r"\b(bring|clean|close|fetch|get|give|grab|hand|move|open|pass|pick|retrieve|take|turn o(n|ff))"
    r" (?!me to\b|to\b)"
)
"""Verbs that require more than being close to something. "Take me to" does not."""


def _check_text(task: ReleasedTask) -> Iterator[tuple[str, str]]:
    words = re.findall("[a-z]+", task.text.lower())
    for name in task.criterion.classes:
        if name != ROBOT and not _mentions(words, name):
            yield "class_not_in_text", f"{name} is not in {task.text.strip()!r}"
    puts, otherwise, agree = task.criterion.puts, False, False
    for condition in puts:
        ways = {way for start, _ in _mentions(words, condition.second)
                if (way := _relation_before(words[:start]))}  # fmt: skip
        agree |= condition.relation in ways
        if ways and condition.relation not in ways:
            otherwise = True
            yield "other_relation_than_text", f"{condition}, but {task.text.strip()!r}"
    if otherwise and not agree and {c.relation for c in puts} == {"ON", "INSIDE"}:
        yield "on_and_inside_swapped", f"{task.criterion}, but {task.text.strip()!r}"
    more = None if puts else _MORE.search(" ".join(words))
    if more:
        yield "text_asks_for_more", f"{more[1]}: {task.text.strip()!r}"


def _mentions(words: list[str], name: str) -> list[tuple[int, int]]:
    """Return the positions at which words name a class: "kitchen table" is kitchentable, "bars of
    soap" is barsoap."""
    found = []
    for start in range(len(words)):
        for end in range(start + 1, min(start + 4, len(words) + 1)):
            few = [word for word in words[start:end] if word != "of"]
            spelt = {"".join(few), "".join(few[::-1]), "".join(word.rstrip("s") for word in few)}
            if spelt & {name, f"{name}s", f"{name}es", name.removesuffix("s")}:
                found.append((start, end))
    return found


def _relation_before(before: list[str]) -> str:
    """Return the relation in the last words before a class, or an empty string."""
    for word in before[:-5:-1]:
        if word in PREPOSITIONS:
            return PREPOSITIONS[word]
        if word not in {"the", "a", "an", "top", "of", "your", "its"}:
            break
    return ""


# --- Criteria by themselves -----------------------------------------------------------------------


def _check_conditions(criterion: Criterion) -> Iterator[tuple[str, str]]:
    for condition, times in Counter(criterion.conditions).items():
        if condition.first == condition.second:
            yield "class_with_itself", str(condition)
        if times > 1:
            yield "condition_twice", str(condition)
    for stage in criterion.stages:
        yield from _contradictions(stage)


def _contradictions(stage: tuple[Condition, ...]) -> Iterator[tuple[str, str]]:
    """Yield pairs of conditions that cannot both hold.

    In such a pair, an object is on or in two others that are not in each other, or in two rooms."""
    at = [c for c in stage if c.relation in ("ON", "INSIDE") and c.first != c.second]
    for number, one in enumerate(at):
        for other in at[number + 1 :]:
            if one.first != other.first:
                continue
            if {one.second, other.second} & ROOMS:
                continue  # checked below
            if one.second != other.second and not _is_within(at, one.second, other.second):
                yield "conditions_contradict", f"{one} and {other}"
    rooms = {c.first: c for c in at if c.second in ROOMS and c.relation == "INSIDE"}
    for one in at:
        if one.first in rooms and one.second in rooms:
            inner, outer = rooms[one.first], rooms[one.second]
            if inner.second != outer.second:
                yield "conditions_contradict", f"{one} and {inner}, as {outer}"


def _is_within(at: list[Condition], one: str, other: str) -> bool:
    """Return whether one class is required to be on or in another, in either direction."""
    return any({c.first, c.second} == {one, other} for c in at)


# --- Plans ----------------------------------------------------------------------------------------


def _check_plan(task: ReleasedTask) -> Iterator[tuple[str, str]]:
    puts = task.criterion.puts
    near = {c.second for c in task.criterion.conditions if c.relation == CLOSE}
    grabbed = [a.args[0] for a in task.plan if a.name == "Pick"]
    placed = [a for a in task.plan if a.name == "Place"]
    if not puts and grabbed:
        yield "grabs_unasked", f"{', '.join(grabbed)} for {task.criterion}"
    if any(action.args[1] == "on" for action in placed):
        yield "put_is_no_verb", "; ".join(str(a) for a in placed if a.args[1] == "on")
    yield from _check_places(puts, placed)
    handled = {class_of(name): name for a in task.plan for name in _things(a)}
    others = {class_of(name) for name in grabbed} - near
    if missing := near - handled.keys() | others:
        yield "plan_of_other_things", ", ".join(sorted(missing))
    for name in sorted(near):
        found = {t for a in task.plan for t in _things(a) if class_of(t) == name}
        if len(found) > 1:
            yield "plan_of_other_instances", " and ".join(sorted(found))
    yield from _check_rooms(task)
    yield from _check_hands(task)


def _things(action: Action) -> tuple[str, ...]:
    return (action.args[0], action.args[-1])


def _check_places(puts: Iterable[Condition], placed: list[Action]) -> Iterator[tuple[str, str]]:
    for condition in puts:
        for action in placed:
            thing, how, place = action.args
            if (class_of(thing), class_of(place)) != (condition.first, condition.second):
                continue
            if how != PLACED.get(condition.relation, how):
                yield "puts_otherwise", f"{action} for {condition}"


def _check_rooms(task: ReleasedTask) -> Iterator[tuple[str, str]]:
    """Check the rooms in a criterion against the walks of the plan: an object is in the room that
    the plan last walked to."""
    room = ""
    where: dict[str, str] = {}
    walks = [a.args[0] for a in task.plan if a.name == "Navigate"]
    twice = []
    for name in walks:
        if class_of(name) in ROOMS:
            twice += [name] if name == room else []
            room = name
        else:
            where.setdefault(class_of(name), class_of(room))
    for name in twice:
        yield "walks_to_where_it_is", name
    for condition in task.criterion.conditions:
        found = where.get(condition.first) or condition.second
        in_room = condition.second in ROOMS and condition.relation == "INSIDE"
        if in_room and found != condition.second:
            yield "plan_in_other_room", f"{condition}, but it walks to the {found}"


def _check_hands(task: ReleasedTask) -> Iterator[tuple[str, str]]:
    hands = 2 if task.row == "several-two-arms" else 1
    held: list[str] = []
    opened: list[str] = []
    for number, action in enumerate(task.plan, 1):
        name = action.args[0]
        match action.name:
            case "Pick":
                held.append(name)
                if len(held) > hands:
                    yield "too_many_held", f"step {number}: {', '.join(held)}"
            case "Place":
                if name not in held:
                    yield "put_without_holding", f"step {number}: {action}"
                held = [other for other in held if other != name]
            case "Open" | "Close":
                if len(held) >= hands:
                    yield "opens_with_full_hands", f"step {number}: {action} with {', '.join(held)}"
                opened = [other for other in opened if other != name]
                opened += [name] if action.name == "Open" else []
    for name in opened:
        yield "left_open", name
