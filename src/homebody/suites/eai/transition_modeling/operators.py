"""Transition modeling's tasks and ground truth, and the reading of predicted operators.

A task asks for the operators of one planning problem: their preconditions and effects, in PDDL.
What the two data sets differ in is in a :class:`Reference`, which each task carries.

Source: EAI paper, section 2.6 and appendix D.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from homebody.core import Protocol
from homebody.core.formula import TRUE, Formula
from homebody.planning.pddl import (
    Domain,
    Operator,
    PddlError,
    Problem,
    formula_text,
    parameters_text,
    parse_domain,
    parse_operators,
    parse_problem,
)
from homebody.suites.eai.answers import answer_text, object_with, read_answer
from homebody.suites.eai.lenient_json import FENCE, described, quoted
from homebody.suites.eai.reading import Deviation, ParsingError, Reading, SeveralAnswers
from homebody.suites.eai.transition_modeling import published as published_transition
from homebody.suites.eai.transition_modeling.published import NOTHING, TextOperator

TITLES = {
    "object_states": "States",
    "object_orientation": "Orientation",
    "object_affordance": "Affordance",
    "spatial_relations": "Spatial",
    "non-spatial_relations": "Non-spatial",
}
"""The categories of tasks, and of predicates (EAI paper, appendix L.5), as tables name them."""
TOOLS = "object_tools"
"""A sixth category that the official data puts ``recipient``, ``containers`` and
``cover_object`` in."""
UNKNOWN = "unknown"
"""Predicates that the domain does not have."""


@dataclass(frozen=True, eq=False)
class Reference:
    """The ground truth that all tasks of a data set share; compared by identity.

    Attributes:
        name: Of the data set.
        domain: Types, predicates and the annotated operators.
        texts: The same operators as the official JSON file writes them.
        category: Predicate -> category.
        categories: Those of its tasks, in the order of tables.
        spellings: Names that prompts write otherwise -> the annotated operator's.
        closed_heads: Prompts close each operator right after its name, and so do answers.
    """

    name: str
    domain: Domain
    texts: Mapping[str, TextOperator]
    category: Mapping[str, str]
    categories: tuple[str, ...]
    spellings: Mapping[str, str] = field(default_factory=dict)
    closed_heads: bool = False

    @property
    def operators(self) -> Mapping[str, Operator]:
        """Name -> annotated operator."""
        return self.domain.operators

    @property
    def counted(self) -> tuple[str, ...]:
        """What predicates are counted by; all together are the overall count."""
        tools = (TOOLS,) if TOOLS in self.category.values() else ()
        return (*self.categories, *tools, UNKNOWN)


TASK_QUIRKS = frozenset({"other_operators_evaluated", "undeclared_object_refused"})
"""The quirks that make a task another one; VirtualHome has none of them."""


@dataclass(frozen=True, slots=True)
class TransitionTask:
    """One planning problem and the operators to be defined for it.

    Attributes:
        id: Of the task that the problem was made from.
        name: Short name, shared by tasks of a kind.
        to_define: Names of the operators to be defined, in the order of the prompt.
        problem_text: The problem, in PDDL.
        categories: Official categories, as the data names them.
        reference: Of the data set.
        given: Annotated operators that a plan needs and the prompt does not ask for.
        quirks: Those of the published evaluator that the task was made with.
    """

    id: str
    name: str
    to_define: tuple[str, ...]
    problem_text: str
    categories: tuple[str, ...]
    reference: Reference = field(repr=False)
    given: tuple[str, ...] = ()
    quirks: frozenset[str] = frozenset()

    @property
    def problem(self) -> Problem:
        """The problem, read. Raises PddlError if it is not PDDL."""
        return _problem(self.problem_text)


def make_reference(
    name: str,
    stored: Mapping[str, Any],
    categories: Iterable[str],
    *,
    spellings: Mapping[str, str] | None = None,
    closed_heads: bool = False,
) -> Reference:
    """From the part ``pddl`` of a data set's store; the rest as :class:`Reference` has it."""
    texts = {
        name: TextOperator(
            name,
            operator["action_parameters"],
            operator["action_preconditions"],
            operator["action_effects"],
        )
        for name, operator in stored["operators"].items()
    }
    operators = {name: parse_operators(str(text))[0] for name, text in texts.items()}
    return Reference(
        name=name,
        domain=replace(parse_domain(stored["domain"]), operators=operators),
        texts=texts,
        category=stored["predicate_categories"],
        categories=tuple(categories),
        spellings=spellings or {},
        closed_heads=closed_heads,
    )


@cache
def _problem(text: str) -> Problem:
    return parse_problem(text)


# -- reading predicted operators -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prediction:
    """One predicted operator: as text, as a tree, or neither with what is wrong with it."""

    text: TextOperator | None = None
    operator: Operator | None = None
    problem: str = ""


def predicted(
    task: TransitionTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> dict[str, Prediction]:
    """As :func:`read`; and operators with other parameters than those that the task gives are
    wrong. Variables may have other names, but not other types: with a wider one, or with none,
    an operator is another one, which applies to more."""
    predictions = read(output, protocol, task.reference, reading)
    if protocol.keeps("other_parameters_accepted"):
        return predictions
    return {name: _as_given(one, task.reference) for name, one in predictions.items()}


def _as_given(prediction: Prediction, reference: Reference) -> Prediction:
    operator = prediction.operator
    given = None if operator is None else reference.operators.get(operator.name)
    if operator is None or given is None or _types(operator) == _types(given):
        return prediction
    written, asked = (parameters_text(one.parameters)[:200] for one in (operator, given))
    return Prediction(problem=f"it has the parameters ({written}), not those given, ({asked})")


def _types(operator: Operator) -> list[str]:
    return [parameter.type for parameter in operator.parameters]


def read(
    output: str, protocol: Protocol, reference: Reference, reading: Reading | None = None
) -> dict[str, Prediction]:
    """Predicted operators by name, in order. Several of a name that are not the same are wrong,
    but for those that cannot be read at all.

    Args:
        output: What a model wrote.
        protocol: How it is read.
        reference: Of the data set.
        reading: Notes what was read through, unless it is read as published.

    Raises:
        ParsingError: there is no operator in it, or not even a text.
    """
    reading = reading or Reading.of(protocol)
    last_counts = protocol.keeps("operators_read_by_brackets")
    if last_counts:
        texts = published_transition.read_operators(output)
        written_operators = [(name, _from_text(text)) for name, text in texts.items()]
    else:
        located, alone = _located(output, reading)
        if reference.closed_heads:
            located = _CLOSED_HEAD.sub(r"\1", located)
        blocks = list(_blocks(located))
        if alone and not any(problem for _, _, problem in blocks):
            _note_around(located, [block for _, block, _ in blocks], reading)
        written_operators = [
            (name, Prediction(problem=problem) if problem else _from_block(block))
            for name, block, problem in blocks
        ]
        if not written_operators:
            problem = "has no (:action ...)" if output.strip() else "is empty"
            raise ParsingError(f"the output {problem}")
    spellings = {} if protocol.keeps("prompted_name_hallucinated") else reference.spellings
    predictions: dict[str, Prediction] = {}
    for written, prediction in written_operators:
        name = spellings.get(written, written)
        one = prediction if name == written else _named(prediction, name)
        before = predictions.pop(name, None)
        if before is not None and not last_counts:
            if before.operator and one.operator:
                reading.note(Deviation.REPEATED, f"{name} is defined again")
            else:
                reading.note(Deviation.PROSE, f"what begins as {name} and is no operator")
            one = _of_two(before, one)
        predictions[name] = one
    return predictions


_DIFFERENT = Prediction(problem="it is defined twice, and differently")


def _of_two(one: Prediction, other: Prediction) -> Prediction:
    if one == _DIFFERENT or (one.operator and other.operator and one.operator != other.operator):
        return _DIFFERENT
    return other if other.operator or not one.operator else one


def _named(prediction: Prediction, name: str) -> Prediction:
    text, operator = prediction.text, prediction.operator
    return replace(
        prediction,
        text=None if text is None else replace(text, name=name),
        operator=None if operator is None else replace(operator, name=name),
    )


def _from_text(text: TextOperator) -> Prediction:
    read = _from_block(published_transition.with_question_marks(str(text)))
    return Prediction(text, read.operator, read.problem)


@lru_cache(maxsize=10_000)
def _from_block(block: str) -> Prediction:
    try:
        operators = parse_operators(block)
    except PddlError as error:
        place = f"line {error.line}, column {error.column} of the operator"
        return Prediction(problem=f"{place}: {error.problem}")
    if len(operators) != 1:
        return Prediction(problem=f"it holds {len(operators)} operators")
    (operator,) = operators
    return Prediction(as_text(operator), operator)


def as_text(operator: Operator) -> TextOperator:
    """An operator as the published code holds it: each part as its text."""
    return TextOperator(
        operator.name,
        f"({parameters_text(operator.parameters)})",
        _whole(operator.precondition),
        _whole(operator.effect),
    )


def _whole(expression: Formula) -> str:
    return NOTHING if expression == TRUE else formula_text(expression)


_START = re.compile(r"\(\s*:action(?![\w-])\s*([^\s()]*)", re.IGNORECASE)
_CLOSED_HEAD = re.compile(
    r"(\(\s*:action\s+[^\s()]+)\s*\)(?=(?:\s|;[^\n]*\n)*+:parameters)", re.IGNORECASE
)
_PARENTHESIS = re.compile(r"[()]|;[^\r\n]*")
_WORD = re.compile(r"[()]|;[^\r\n]*|[^\s();]+")
_PARTS = (":parameters", ":precondition", ":effect")


def _blocks(text: str) -> Iterable[tuple[str, str, str]]:
    """``(name, text, problem)`` of what starts as an operator, up to where it closes or the next
    starts. The problem is a part of it that comes after its end; empty if there is none."""
    starts = list(_START.finditer(text))
    ends = [*(start.start() for start in starts), len(text)][1:]
    for start, end in zip(starts, ends, strict=True):
        depth, limit = 0, end
        for mark in _PARENTHESIS.finditer(text, start.start(), limit):
            depth += {"(": 1, ")": -1}.get(mark.group(), 0)
            if depth == 0:
                end = mark.end()
                break
        left_out = _left_out(text, end, limit)
        problem = f"it closes before its {left_out}" if left_out else ""
        yield start.group(1).lower(), text[start.start() : end], problem


_DOMAIN = re.compile(r"\(\s*define\b", re.IGNORECASE)
_COMMENT = re.compile(r";[^\r\n]*")


def _note_around(text: str, operators: Iterable[str], reading: Reading) -> None:
    """Note what is around operators; code fences and comments are nothing."""
    around, at = list[str](), 0
    for operator in operators:
        start = text.index(operator, at)
        around.append(text[at:start])
        at = start + len(operator)
    around.append(text[at:])
    there = _COMMENT.sub("", FENCE.sub("", "\n".join(around))).strip()
    if _DOMAIN.search(there):
        reading.note(Deviation.SHAPE, "operators in a domain")
    elif there:
        what = f"words or signs around the operators: {quoted(there.splitlines()[0])}"
        reading.note(Deviation.PROSE, what)


def _left_out(text: str, start: int, end: int) -> str:
    """The keyword with which an operator goes on after its end, as it does where one parenthesis
    too many closes it early; empty if anything else comes first."""
    depth = 0
    for mark in _WORD.finditer(text, start, end):
        word = mark.group().lower()
        if word in ("(", ")"):
            depth = max(0, depth + (1 if word == "(" else -1))
        elif depth == 0 and not word.startswith(";"):
            return word if word in _PARTS else ""
    return ""


_ODD_SPACE = re.compile(r"(?<!\\)\\++([rnt])|[^\S\r\n\t ]")
_SPACES = {"r": "\r", "n": "\n", "t": "\t"}
_OUTPUT = "output"
_object = object_with([_OUTPUT])


def _text(value: Any, reading: Reading) -> str | None:
    """What stands under "output": a text, or several in a list."""
    answer = _object(value, reading)
    if answer is None:
        return None
    text = dict(answer)[_OUTPUT]
    if isinstance(text, list) and text and all(isinstance(item, str) for item in text):
        reading.note(Deviation.SHAPE, 'a list where "output" is to be a text')
        return "\n".join(text)
    if not isinstance(text, str):
        raise ParsingError(f'"output" is {described(text)}, not a text')
    return text


def _located(output: str, reading: Reading) -> tuple[str, bool]:
    """The text of operators in an output: ``"output"`` of its one JSON object, or else all that
    comes after its reasoning; and whether it has no JSON around them.

    Raises:
        ParsingError: it is longer than any answer, empty, or has several answers.
    """
    alone = True
    try:
        text: str = read_answer(output, reading, _text, 'an object with a text "output"')
    except SeveralAnswers:
        raise
    except ParsingError:
        text, start = answer_text(output)
        text = text[start:]
        first = _START.search(text)
        if first is None:
            raise
        alone = re.search(r"[\[{]", text[: first.start()]) is None
        what = "without JSON around them" if alone else 'in JSON that has no text "output"'
        reading.note(Deviation.SHAPE, f"operators {what}")
    # what is left of JSON that could not be read, or was written twice; and spaces of typesetting
    return _ODD_SPACE.sub(lambda space: _SPACES.get(space[1], " "), text), alone
