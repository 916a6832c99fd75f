"""Transition modeling's data and the reading of predicted operators.

A task asks for the operators of one planning problem: their preconditions and effects, in PDDL.

Source: EAI paper, section 2.6 and appendix D.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from homebody.core import CORRECTED, Protocol
from homebody.data import eai as data
from homebody.planning.pddl import (
    TRUE,
    Domain,
    Expression,
    Operator,
    PddlError,
    Problem,
    expression_text,
    parameters_text,
    parse_domain,
    parse_operators,
    parse_problem,
)
from homebody.suites.eai import parsing, published_transition
from homebody.suites.eai.published_transition import NOTHING, TextOperator

CATEGORIES = (
    "object_states",
    "object_orientation",
    "object_affordance",
    "spatial_relations",
    "non-spatial_relations",
)
"""The categories of tasks, and of predicates (EAI paper, appendix L.5)."""
TOOLS = "object_tools"
"""A sixth category that the official data puts ``recipient``, ``containers`` and
``cover_object`` in."""
UNKNOWN = "unknown"
"""Predicates that the domain does not have."""


@dataclass(frozen=True, slots=True)
class TransitionTask:
    """One planning problem and the operators to be defined for it.

    Attributes:
        id: Of the VirtualHome task.
        name: Short name, shared by tasks of a kind.
        asked: Names of the operators, in the order of the prompt.
        problem_text: The official problem file.
        categories: Official categories, as the data names them.
    """

    id: str
    name: str
    asked: tuple[str, ...]
    problem_text: str
    categories: tuple[str, ...]

    @property
    def problem(self) -> Problem:
        return _problem(self.problem_text)


@dataclass(frozen=True)
class Reference:
    """The ground truth that all tasks share.

    Attributes:
        domain: Types, predicates and the 33 annotated operators.
        texts: The same operators as the official JSON file writes them.
        category: Predicate -> category.
    """

    domain: Domain
    texts: Mapping[str, TextOperator]
    category: Mapping[str, str]

    @property
    def operators(self) -> Mapping[str, Operator]:
        return self.domain.operators


@cache
def reference() -> Reference:
    """Raises HomebodyError if the official data is not there and cannot be fetched."""
    stored = data.load()["pddl"]
    domain = parse_domain(stored["domain"])
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
        domain=replace(domain, operators=operators),
        texts=texts,
        category=stored["predicate_categories"],
    )


@cache
def _problem(text: str) -> Problem:
    return parse_problem(text)


def load_transition_tasks(protocol: Protocol = CORRECTED) -> Sequence[TransitionTask]:
    """The 296 tasks that have a planning problem with a solution, in the official order.

    Raises:
        HomebodyError: the data is not there and cannot be fetched.
    """
    return _load()


@cache
def _load() -> tuple[TransitionTask, ...]:
    stored = data.load()
    pddl, categories = stored["pddl"], stored["vocabulary"]["task_categories"]
    evaluated = set(pddl["evaluated"])
    return tuple(
        TransitionTask(
            id=raw["id"],
            name=raw["name"],
            asked=tuple(pddl["task_operators"][raw["id"]]),
            problem_text=pddl["problems"][raw["id"]],
            categories=tuple(categories[raw["id"]]),
        )
        for raw in stored["tasks"]
        if raw["id"] in evaluated
    )


def prompt(task: TransitionTask) -> str:
    """The prompt that asks for a task's operators (EAI paper, appendix I.4)."""
    texts = reference().texts
    handlers = "".join(
        f"(:action {name}\n  :parameters {texts[name].parameters}\n"
        "  :precondition ()\n  :effect ()\n)\n"
        for name in task.asked
    )
    template: str = data.load()["prompts"]["transition_modeling"]
    # the official template writes its second place without the bracket that would close it
    return template.replace("<problem_file>", task.problem_text).replace(
        "<action_handlers", handlers
    )


# -- reading predicted operators -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prediction:
    """One predicted operator: as text, as a tree, or neither with what is wrong with it."""

    text: TextOperator | None = None
    operator: Operator | None = None
    problem: str = ""


def read(output: str, protocol: Protocol) -> dict[str, Prediction]:
    """Predicted operators by name, in order; of several of a name, the last.

    Raises:
        ParsingError: there is no operator in it, or not even a text.
    """
    if protocol.keeps("operators_read_by_brackets"):
        found = published_transition.read_operators(output)
        return {name: _from_text(text) for name, text in found.items()}
    predictions: dict[str, Prediction] = {}
    for name, block, problem in _blocks(_located(output)):
        predictions.pop(name, None)
        predictions[name] = Prediction(problem=problem) if problem else _from_block(block)
    if not predictions:
        raise parsing.ParsingError("the output has no (:action ...)")
    return predictions


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
    return TextOperator(
        operator.name,
        f"({parameters_text(operator.parameters)})",
        _whole(operator.precondition),
        _whole(operator.effect),
    )


def _whole(expression: Expression) -> str:
    return NOTHING if expression == TRUE else expression_text(expression)


_START = re.compile(r"\(\s*:action(?![\w-])\s*([^\s()]*)", re.IGNORECASE)
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


def _located(output: str) -> str:
    """The text of operators in an output: ``"output"`` of its one JSON object, or else all that
    comes after a <think> part.

    Raises:
        ParsingError: the output is longer than any answer.
    """
    text = output.rpartition("</think>")[2]
    try:
        found = parsing.plain(parsing.parse_object(output)).get("output")
    except parsing.ParsingError:
        if len(output) > parsing.MAX_CHARACTERS:
            raise
    else:
        text = found if isinstance(found, str) else text
    # what is left of JSON that could not be read, or was written twice
    return text.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t")
