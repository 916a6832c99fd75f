"""Stage (d): a model writes the evaluation function of a task in three steps.

The steps are propositions, their ordered groups, and arguments that must be the same or different
(PARTNR paper, appendices A.4.6 and A.14). Each output is read and checked. After an unusable
output, the model is queried once more with the reason. Implied parts are added (:mod:`.packing`).
The prompt has the most similar solved task as an example. In the paper, this raises the share of
correct functions from half to nine tenths.
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
You turn a household chore into checks. You get an instruction and what is where at the start, and \
write the list of conditions that must each have come true for the chore to count as done.

A condition is one of these calls:
is_on_top(OBJECTS, FURNITURE)    is_inside(OBJECTS, FURNITURE)
is_in_room(OBJECTS, ROOMS)       is_on_floor(OBJECTS)
is_next_to(OBJECTS, OBJECTS OR FURNITURE)    is_clustered(OBJECTS, OBJECTS, ...)
is_clean(WHAT)  is_dirty(WHAT)  is_filled(WHAT)  is_empty(WHAT)
is_powered_on(WHAT)  is_powered_off(WHAT)

Every argument is a text in double quotes. Where any of several things will do, write all of them \
with "or" between them. All furniture of a kind in a room is "table in living_room_0", all in the \
house is "table". When several of the alternatives are needed, add number=2, and same=true if all \
of them have to end up at the same place.

- Use the names exactly as they are listed.
- One call a line, each about one object unless any of several will do. "All cups" means a call \
for every cup; "a cup" or "two cups" one call with all the cups that fit the words.
- If the instruction names only a room as the destination, use is_in_room, not a piece of \
furniture there.
- If it says "the table" and there are several, all of them are alternatives.
- For things that go through several stages, write a call for every stage.
- Where things start is no condition, nor is anything that the instruction does not ask for.

Write only the calls."""

_GROUPS: Final = """\
You get an instruction and numbered conditions that belong to it. Say in which order they have to \
come true: a list of groups of numbers. Within a group the order does not matter; everything in a \
group has to happen before anything in the next. Separate groups only where the words ask for an \
order (then, after that, before, once ...), or where the same object goes to one place and later \
to another. That things are next to each other belongs with placing them.

Use every number once. Answer with JSON only, such as [[0, 1], [2]]."""

_SAME_OR_DIFFERENT: Final = """\
You get an instruction and numbered conditions with alternatives. Say which choices depend on each \
other: that several conditions have to be met by the same thing ("put both on the same table", \
several things that go to a single place, as in "the forks and the plates on a table", or an \
object that is spoken of again), or each by another one ("on a shelf each").

Answer with JSON only: a list, empty if there are no such choices, of
{"kind": "same" or "different", "propositions": [NUMBERS], "arguments": [FOR EACH, 0 FOR ITS FIRST \
TEXT, 1 FOR ITS SECOND]}"""


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
    """Return the draft with an evaluation function by a model. Raises Rejected if the model's
    second output is unusable too."""
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
        raise Rejected(FailureMode.UNREADABLE, "a list of lists of numbers is needed") from None
    flat = sorted(index for group in groups for index in group)
    if flat != list(range(count)):
        raise Rejected(
            FailureMode.UNREADABLE, f"the groups need every number up to {count - 1} once"
        )
    return [sorted(group) for group in groups if group]


def read_argument_constraints(
    text: str, propositions: Sequence[Proposition]
) -> tuple[ArgumentConstraint, ...]:
    """Read argument constraints. Raises Rejected (UNREADABLE)."""
    try:
        raw = convert(first_json(text), list[_RawConstraint])
    except ValueError as error:
        raise Rejected(
            FailureMode.UNREADABLE, f"a list of constraints is needed: {error}"
        ) from None
    constraints: list[ArgumentConstraint] = []
    for entry in raw[:50]:
        kinds: dict[str, type[SameArgConstraint] | type[DifferentArgConstraint]] = {
            "same": SameArgConstraint,
            "different": DifferentArgConstraint,
        }
        if entry.kind not in kinds:
            raise Rejected(FailureMode.UNREADABLE, "the kind of a constraint is same or different")
        if len(entry.propositions) != len(entry.arguments):
            raise Rejected(
                FailureMode.UNREADABLE, "a constraint needs an argument for each of its conditions"
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
        again = f"This answer cannot be used: {why.why}. Please answer once more, in full."
        return read(ask([*messages, Message("assistant", answer[:_SHOWN]), Message("user", again)]))


def _placed_twice(propositions: Sequence[Proposition]) -> bool:
    placed = [
        name
        for proposition in propositions
        if proposition.predicate in PLACEMENTS
        for name in proposition.lists[0]
    ]
    return len(set(placed)) < len(placed)
