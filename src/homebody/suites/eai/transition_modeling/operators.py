"""The tasks and the ground truth of transition modeling, and the reader of predicted operators.

A task requests the operators of one planning problem: their preconditions and effects, in PDDL.
Each task carries a :class:`Reference` with the specifics of its data set.

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
from homebody.suites.eai.lenient_json import FENCE, describe_value, quote
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
"""Category of tasks and of predicates (EAI paper, appendix L.5) -> its name in tables."""
TOOLS = "object_tools"
"""Sixth category of the official data: ``recipient``, ``containers`` and ``cover_object``."""
UNKNOWN = "unknown"
"""Category of predicates that the domain does not have."""


@dataclass(frozen=True, eq=False)
class Reference:
    """The ground truth shared by all tasks of a data set; compared by identity.

    Attributes:
        name: Name of the data set.
        domain: Types, predicates and the annotated operators.
        texts: The same operators as the official JSON file writes them.
        category: Predicate -> category.
        categories: Categories of its tasks, in the order of tables.
        spellings: Spelling of a name in prompts -> name of the annotated operator, if they differ.
        closed_heads: True if prompts, and therefore outputs, close the bracket of each operator
            right after its name.
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
    def counted_categories(self) -> tuple[str, ...]:
        """Categories in which predicates are counted; together they are the overall count."""
        tools = (TOOLS,) if TOOLS in self.category.values() else ()
        return (*self.categories, *tools, UNKNOWN)


TASK_QUIRKS = frozenset({"other_operators_evaluated", "undeclared_object_refused"})
"""Quirks that change the tasks themselves; VirtualHome has none of them."""


@dataclass(frozen=True, slots=True)
class TransitionTask:
    """One planning problem and the operators to be defined for it.

    Attributes:
        id: Id of the task from which the problem was made.
        name: Short name, shared by similar tasks.
        to_define: Names of the operators to be defined, in the order of the prompt.
        problem_text: The problem, in PDDL.
        categories: Official categories, named as in the data.
        reference: Ground truth of the data set.
        given: Annotated operators that a plan needs but the prompt does not request.
        quirks: Quirks of the published evaluator that the task was made with.
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
        """The problem, parsed. Raises PddlError if it is not PDDL."""
        return _problem(self.problem_text)


def make_reference(
    name: str,
    stored: Mapping[str, Any],
    categories: Iterable[str],
    *,
    spellings: Mapping[str, str] | None = None,
    closed_heads: bool = False,
) -> Reference:
    """Make a reference from the part ``pddl`` of a data set's store; see :class:`Reference`."""
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
    """One predicted operator: as text, as a tree, or the problem if it is unreadable."""

    text: TextOperator | None = None
    operator: Operator | None = None
    problem: str = ""


def read_predictions(
    task: TransitionTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> dict[str, Prediction]:
    """Read operators as :func:`read` does. An operator is wrong if its parameters differ from the
    given ones.

    Variables may have other names, but not other types: with a wider type, or none, an operator
    applies to more.
    """
    predictions = read(output, protocol, task.reference, reading)
    if protocol.keeps("other_parameters_accepted"):
        return predictions
    return {name: _check_parameters(each, task.reference) for name, each in predictions.items()}


def _check_parameters(prediction: Prediction, reference: Reference) -> Prediction:
    operator = prediction.operator
    given = None if operator is None else reference.operators.get(operator.name)
    if operator is None or given is None or _types(operator) == _types(given):
        return prediction
    written, expected = (parameters_text(o.parameters)[:200] for o in (operator, given))
    return Prediction(problem=f"it has the parameters ({written}), not those given, ({expected})")


def _types(operator: Operator) -> list[str]:
    return [parameter.type for parameter in operator.parameters]


def read(
    output: str, protocol: Protocol, reference: Reference, reading: Reading | None = None
) -> dict[str, Prediction]:
    """Read predicted operators by name, in order.

    Several different operators of a name are wrong, except unreadable ones.

    Args:
        output: Output of a model.
        protocol: Protocol by which it is read.
        reference: Ground truth of the data set.
        reading: Notes deviations, unless the output is read as published.

    Raises:
        ParsingError: It has no operator, or no string at all.
    """
    reading = reading or Reading.of(protocol)
    last_counts = protocol.keeps("operators_read_by_brackets")
    if last_counts:
        texts = published_transition.read_operators(output)
        written_operators = [(name, _read_text_operator(text)) for name, text in texts.items()]
    else:
        located, alone = _find_operators(output, reading)
        if reference.closed_heads:
            located = _CLOSED_HEAD.sub(r"\1", located)
        blocks = list(_split_blocks(located))
        if alone and not any(problem for _, _, problem in blocks):
            _note_around(located, [block for _, block, _ in blocks], reading)
        written_operators = [
            (name, Prediction(problem=problem) if problem else _read_block(block))
            for name, block, problem in blocks
        ]
        if not written_operators:
            problem = "has no (:action ...)" if output.strip() else "is empty"
            raise ParsingError(f"the output {problem}")
    spellings = {} if protocol.keeps("prompted_name_hallucinated") else reference.spellings
    predictions: dict[str, Prediction] = {}
    for written, prediction in written_operators:
        name = spellings.get(written, written)
        current = prediction if name == written else _rename(prediction, name)
        before = predictions.pop(name, None)
        if before is not None and not last_counts:
            if before.operator and current.operator:
                reading.note(Deviation.REPEATED, f"{name} is defined again")
            else:
                reading.note(
                    Deviation.PROSE, f"text that begins like {name} but is not an operator"
                )
            current = _merge(before, current)
        predictions[name] = current
    return predictions


_DIFFERENT = Prediction(problem="it is defined twice, and differently")


def _merge(one: Prediction, other: Prediction) -> Prediction:
    if one == _DIFFERENT or (one.operator and other.operator and one.operator != other.operator):
        return _DIFFERENT
    return other if other.operator or not one.operator else one


def _rename(prediction: Prediction, name: str) -> Prediction:
    text, operator = prediction.text, prediction.operator
    return replace(
        prediction,
        text=None if text is None else replace(text, name=name),
        operator=None if operator is None else replace(operator, name=name),
    )


def _read_text_operator(text: TextOperator) -> Prediction:
    read = _read_block(published_transition.add_question_marks(str(text)))
    return Prediction(text, read.operator, read.problem)


@lru_cache(maxsize=10_000)
def _read_block(block: str) -> Prediction:
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
    """Return an operator in the form of the published code: each part as text."""
    return TextOperator(
        operator.name,
        f"({parameters_text(operator.parameters)})",
        _expression_text(operator.precondition),
        _expression_text(operator.effect),
    )


def _expression_text(expression: Formula) -> str:
    return NOTHING if expression == TRUE else formula_text(expression)


_START = re.compile(r"\(\s*:action(?![\w-])\s*([^\s()]*)", re.IGNORECASE)
_CLOSED_HEAD = re.compile(
    r"(\(\s*:action\s+[^\s()]+)\s*\)(?=(?:\s|;[^\n]*\n)*+:parameters)", re.IGNORECASE
)
_PARENTHESIS = re.compile(r"[()]|;[^\r\n]*")
_WORD = re.compile(r"[()]|;[^\r\n]*|[^\s();]+")
_PARTS = (":parameters", ":precondition", ":effect")


def _split_blocks(text: str) -> Iterable[tuple[str, str, str]]:
    """Yield ``(name, text, problem)`` for each operator. The problem is a part after the operator's
    end."""
    starts = list(_START.finditer(text))
    ends = [*(start.start() for start in starts), len(text)][1:]
    for start, end in zip(starts, ends, strict=True):
        depth, limit = 0, end
        for mark in _PARENTHESIS.finditer(text, start.start(), limit):
            depth += {"(": 1, ")": -1}.get(mark.group(), 0)
            if depth == 0:
                end = mark.end()
                break
        part = _part_after_end(text, end, limit)
        problem = f"it closes before its {part}" if part else ""
        yield start.group(1).lower(), text[start.start() : end], problem


_DOMAIN = re.compile(r"\(\s*define\b", re.IGNORECASE)
_COMMENT = re.compile(r";[^\r\n]*")


def _note_around(text: str, operators: Iterable[str], reading: Reading) -> None:
    """Note text around operators, except code fences and comments."""
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
        what = f"words or signs around the operators: {quote(there.splitlines()[0])}"
        reading.note(Deviation.PROSE, what)


def _part_after_end(text: str, start: int, end: int) -> str:
    """If an operator was closed too early, return the keyword that continues it; otherwise an empty
    string."""
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


def _output_text(value: Any, reading: Reading) -> str | None:
    """Read the string under "output", or several strings in a list."""
    answer = _object(value, reading)
    if answer is None:
        return None
    text = dict(answer)[_OUTPUT]
    if isinstance(text, list) and text and all(isinstance(item, str) for item in text):
        reading.note(Deviation.SHAPE, 'a list where "output" should be a string')
        return "\n".join(text)
    if not isinstance(text, str):
        raise ParsingError(f'"output" is {describe_value(text)}, not a string')
    return text


def _find_operators(output: str, reading: Reading) -> tuple[str, bool]:
    """Return the text of operators in an output, and whether there is no JSON around it.

    The text is the value of ``"output"`` in the output's JSON object. If there is no such object,
    it is all text after the reasoning.

    Raises:
        ParsingError: It is longer than any output, empty, or has several answers.
    """
    alone = True
    try:
        text: str = read_answer(output, reading, _output_text, 'an object with a string "output"')
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
    # escapes that remain from unreadable or twice encoded JSON, and typographic spaces
    return _ODD_SPACE.sub(lambda space: _SPACES.get(space[1], " "), text), alone
