"""Stage (d): a model writes the evaluation function of a task in three steps.

The model writes the propositions, then their ordered groups, then the arguments that must be the
same or different (PARTNR paper, appendices A.4.6 and A.14). Each output is read and checked. After
an unusable output, the model is queried once more with the reason. :mod:`.packing` adds the parts
that follow by rule. The prompt contains the most similar solved task as an example. In the paper,
such an example raises the share of correct functions from 50 % to 90 %.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import msgspec

from homebody.authoring.answers import convert, first_json
from homebody.authoring.language.order import says_order
from homebody.authoring.partnr.draft import Draft, FailureMode, Rejected
from homebody.authoring.partnr.packing import PLACEMENTS, argument_name, complete
from homebody.authoring.partnr.prompting.descriptions import describe_situation
from homebody.authoring.partnr.prompting.propositions import read_propositions, write_proposition
from homebody.authoring.partnr.situation import situation
from homebody.core.play.conversation import Ask, Message
from homebody.goals.partnr import (
    ArgumentConstraint,
    DifferentArgConstraint,
    Episode,
    EvaluationError,
    Proposition,
    SameArgConstraint,
    temporal_groups,
)
from homebody.suites.partnr.prompting.retrieval import Embedder, build_index, find_closest
from homebody.worlds.house.model.house import House

_T = TypeVar("_T")
_SHOWN = 4_000
"""Characters of an unusable output that are repeated to the model."""


@dataclass(frozen=True, slots=True)
class Example:
    """A task with its evaluation function, as in prompts."""

    instruction: str
    situation: str
    propositions: str
    groups: str
    argument_constraints: str


class _RawConstraint(msgspec.Struct, frozen=True):
    kind: str
    propositions: tuple[int, ...]
    arguments: tuple[int, ...]


_PROPOSITIONS: Final = """\
You write the conditions that decide whether a household task is done. You receive an instruction \
and the initial places of objects. Write a list of conditions. Each must become true at some time, \
or the task is not done.

Write each condition as one of these calls:
is_on_top(OBJECTS, FURNITURE)    is_inside(OBJECTS, FURNITURE)
is_in_room(OBJECTS, ROOMS)       is_on_floor(OBJECTS)
is_next_to(OBJECTS, OBJECTS OR FURNITURE)    is_clustered(OBJECTS, OBJECTS, ...)
is_clean(THINGS)  is_dirty(THINGS)  is_filled(THINGS)  is_empty(THINGS)
is_powered_on(THINGS)  is_powered_off(THINGS)

Arguments:
- Every argument is a string in double quotes. Copy the names exactly as they are listed.
- If any of several objects, pieces of furniture or rooms is acceptable, write all of them with \
"or" between them: "cup_0 or cup_1".
- "table in living_room_0" means any table in that room. "table" means any table in the house.
- If several of the objects are required, add number=N after the strings. If they must also be at \
the same place, add same=true.

Rules:
- Write one call per line. A call is about one object, or about alternatives. For "all cups", \
write one call for each cup. For "a cup" or "two cups", write one call that lists all suitable \
cups; for "two cups", add number=2.
- If the instruction names only a room as the destination, use is_in_room. Do not choose \
furniture in that room.
- If the instruction says "the table" and there are several tables, list all of them as \
alternatives.
- If an object goes through several stages, write one call for each stage.
- Write no conditions on initial places, and none that the instruction does not ask for.

Write only the calls."""

_GROUPS: Final = """\
You receive an instruction and its numbered conditions. Decide in which order the conditions must \
become true. Write a list of groups of condition numbers. Within a group, the order does not \
matter. All conditions of a group must become true before any condition of the next group.

Start a new group only if the instruction states an order (then, after that, before, once ...), or \
if the same object goes to one place and later to another. If objects must be next to each other, \
put this condition into the group that places them.

Use every number exactly once. Answer with JSON only, for example [[0, 1], [2]]."""

_SAME_OR_DIFFERENT: Final = """\
You receive an instruction and its numbered conditions. Some conditions list alternatives. Find \
the conditions whose choices depend on each other:
- "same": one choice must meet several conditions. Examples: "put both on the same table"; "the \
forks and the plates on a table", which means a single table; an object that the instruction \
mentions again.
- "different": each condition needs a different choice. Example: "on a shelf each".

Answer with JSON only. Write a list, which is empty if no choices depend on each other:
[{"kind": "same" or "different", "propositions": [CONDITION NUMBERS], "arguments": [ARGUMENT \
NUMBERS]}, ...]
"arguments" has one number for each condition in "propositions": 0 for the first string of its \
call, 1 for the second. Name each condition at most once in an entry."""


def example(subject: Draft | Episode, house: House) -> Example:
    """Return a task, which must have an evaluation function, as an example."""
    assert subject.evaluation is not None
    where = situation(subject, house)
    evaluation = subject.evaluation
    argument_constraints = [
        {
            "kind": "same" if isinstance(constraint, SameArgConstraint) else "different",
            "propositions": list(constraint.propositions),
            "arguments": [
                evaluation.propositions[index].argument_names.index(name)
                for index, name in zip(constraint.propositions, constraint.arguments, strict=True)
            ],
        }
        for constraint in evaluation.constraints
        if isinstance(constraint, ArgumentConstraint)
    ]
    return Example(
        subject.instruction,
        describe_situation(where),
        "\n".join(write_proposition(proposition, where) for proposition in evaluation.propositions),
        str([list(group) for group in temporal_groups(evaluation)]),
        msgspec.json.encode(argument_constraints).decode(),
    )


def make_finder(
    examples: Sequence[Example], embedder: Embedder | None = None
) -> Callable[[str], Example | None]:
    """Return a function that finds the example with the most similar instruction; without an
    embedder, by words. Raises HomebodyError if the embedder returns unsuitable vectors."""
    instructions = build_index([shown.instruction for shown in examples], embedder)

    def find(instruction: str) -> Example | None:
        nearest_ones = find_closest(instruction, instructions)
        return examples[nearest_ones[0][0]] if nearest_ones else None

    return find


def evaluate_with_model(
    ask: Ask,
    draft: Draft,
    house: House,
    find: Callable[[str], Example | None] = lambda _: None,
) -> Draft:
    """Return the draft with an evaluation function that a model writes. Raises Rejected if the
    model's second output is unusable, too."""
    where = situation(draft, house)
    shown = find(draft.instruction)
    given = f"{describe_situation(where)}\nInstruction: {draft.instruction}"
    before = []
    if shown is not None:
        before = [
            Message("user", f"{shown.situation}\nInstruction: {shown.instruction}"),
            Message("assistant", shown.propositions),
        ]
    propositions = _ask_twice(
        ask,
        [Message("system", _PROPOSITIONS), *before, Message("user", given)],
        lambda text: read_propositions(text, where),
    )
    groups: list[list[int]] = [list(range(len(propositions)))]
    if len(propositions) > 1 and (says_order(draft.instruction) or _placed_twice(propositions)):
        groups = _ask_twice(
            ask,
            _messages_about(_GROUPS, draft.instruction, propositions, shown, "groups"),
            lambda text: read_groups(text, len(propositions)),
        )
    argument_constraints: tuple[ArgumentConstraint, ...] = ()
    if sum(any(len(names) > 1 for names in proposition.lists) for proposition in propositions) and (
        len(propositions) > 1
    ):
        argument_constraints = _ask_twice(
            ask,
            _messages_about(
                _SAME_OR_DIFFERENT, draft.instruction, propositions, shown, "argument_constraints"
            ),
            lambda text: read_argument_constraints(text, propositions),
        )
    try:
        return replace(draft, evaluation=complete(propositions, groups, argument_constraints))
    except EvaluationError as error:
        raise Rejected(FailureMode.UNREADABLE, str(error)) from None


def read_groups(text: str, count: int) -> list[list[int]]:
    """Read groups of the numbers below ``count``, each once. Raises Rejected (UNREADABLE)."""
    try:
        groups = convert(first_json(text), list[list[int]])
    except ValueError:
        raise Rejected(FailureMode.UNREADABLE, "write a list of lists of numbers") from None
    flat = sorted(index for group in groups for index in group)
    if flat != list(range(count)):
        raise Rejected(
            FailureMode.UNREADABLE, f"the groups must have every number up to {count - 1} once"
        )
    return [sorted(group) for group in groups if group]


def read_argument_constraints(
    text: str, propositions: Sequence[Proposition]
) -> tuple[ArgumentConstraint, ...]:
    """Read argument constraints. Raises Rejected (UNREADABLE)."""
    try:
        raw = convert(first_json(text), list[_RawConstraint])
    except ValueError as error:
        raise Rejected(FailureMode.UNREADABLE, f"write a list of constraints: {error}") from None
    constraints: list[ArgumentConstraint] = []
    for entry in raw[:50]:
        kinds: dict[str, type[SameArgConstraint] | type[DifferentArgConstraint]] = {
            "same": SameArgConstraint,
            "different": DifferentArgConstraint,
        }
        if entry.kind not in kinds:
            raise Rejected(FailureMode.UNREADABLE, "the kind must be same or different")
        if len(entry.propositions) != len(entry.arguments):
            raise Rejected(
                FailureMode.UNREADABLE, "a constraint must have one argument for each condition"
            )
        if len(set(entry.propositions)) != len(entry.propositions):
            raise Rejected(FailureMode.UNREADABLE, "a constraint names a condition twice")
        names = []
        for number, place in zip(entry.propositions, entry.arguments, strict=True):
            if not 0 <= number < len(propositions):
                raise Rejected(FailureMode.UNREADABLE, f"condition {number} does not exist")
            try:
                names.append(argument_name(propositions[number], place))
            except IndexError:
                raise Rejected(
                    FailureMode.UNREADABLE, f"condition {number} has no argument {place}"
                ) from None
        constraints.append(kinds[entry.kind](entry.propositions, tuple(names)))
    return tuple(constraints)


def _messages_about(
    system: str,
    instruction: str,
    propositions: Sequence[Proposition],
    shown: Example | None,
    answer: str,
) -> list[Message]:
    messages = [Message("system", system)]
    if shown is not None:
        lines = shown.propositions.split("\n")
        messages.append(Message("user", _number_lines(shown.instruction, lines)))
        messages.append(Message("assistant", getattr(shown, answer)))
    lines = [write_proposition(proposition) for proposition in propositions]
    return [*messages, Message("user", _number_lines(instruction, lines))]


def _number_lines(instruction: str, lines: Sequence[str]) -> str:
    listed = "\n".join(f"{index}: {line}" for index, line in enumerate(lines))
    return f"Instruction: {instruction}\nConditions:\n{listed}"


def _ask_twice(ask: Ask, messages: Sequence[Message], read: Callable[[str], _T]) -> _T:
    """Query the model until its output can be read, at most twice."""
    answer = ask(messages)
    try:
        return read(answer)
    except Rejected as why:
        again = f"This answer cannot be used: {why.why}. Write the complete answer again."
        return read(ask([*messages, Message("assistant", answer[:_SHOWN]), Message("user", again)]))


def _placed_twice(propositions: Sequence[Proposition]) -> bool:
    placed = [
        name
        for proposition in propositions
        if proposition.predicate in PLACEMENTS
        for name in proposition.lists[0]
    ]
    return len(set(placed)) < len(placed)
