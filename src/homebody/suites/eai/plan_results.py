"""Results of plans: errors, goals, metrics and records.

Action sequencing and subgoal decomposition share them. Source: EAI paper, sections 2.4 and 2.5 and
appendix D.2.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from homebody.core import Action, ErrorType, Failure, Part, Score, Task, Trace, Verdict
from homebody.core.ground.escaping import count_listed
from homebody.core.score import cut_text
from homebody.suites.eai.reading import ParsingError, Reading

KINDS = ("state", "relation", "action")
"""Kinds of goals. BEHAVIOR has no action goals."""
GRAMMAR = {
    "parsing": (ErrorType.PARSING,),
    "hallucination": (ErrorType.ACTION_HALLUCINATION, ErrorType.OBJECT_HALLUCINATION),
    "predicate_argument_number": (ErrorType.ARGUMENT_NUMBER,),
}
RUNTIME = {
    "wrong_order": ErrorType.WRONG_ORDER,
    "missing_step": ErrorType.MISSING_STEP,
    "affordance_error": ErrorType.AFFORDANCE,
}


MAX_STEPS = 4
"""Maximum number of skipped or refused steps that an explanation gives reasons for."""
MAX_NUMBERS = 20
"""Maximum number of further steps that an explanation lists by number."""
MAX_ITEM = 120
"""Maximum length, in characters, of a goal or name in an explanation."""


class GrammarError(Exception):
    """An output that is not a plan; has the kind of error, its step and the reason."""

    def __init__(
        self,
        error: ErrorType,
        reason: str,
        step: int | None = None,
        action: str | None = None,
        count: int = 1,
        crash: str = "",
    ) -> None:
        super().__init__(reason)
        self.error = error
        self.reason = reason
        self.step = step
        self.action = action
        self.count = count
        self.crash = crash


@contextmanager
def parsing_as_grammar_error() -> Iterator[None]:
    """Turn a ParsingError into a GrammarError of type ``parsing``."""
    try:
        yield
    except ParsingError as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None


GoalCounts: TypeAlias = Mapping[str, tuple[float, float]]
"""Kind of goal -> number met, and total."""


@dataclass(frozen=True, slots=True)
class WrittenPlan:
    """A plan whose actions and objects exist.

    Attributes:
        actions: The actions.
        written: The same actions in the format of records.
        crash: The exception that would have ended the published evaluation before the plan was
            executed.
    """

    actions: tuple[Action, ...]
    written: tuple[str, ...]
    crash: str = ""


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The result of one output.

    Attributes:
        success: True if the goal was reached as the protocol requires.
        executable: True if the plan, or all subgoals, could be executed.
        goals: Kind of goal -> number met, and total.
        progress: PartialSucc of section 2.5, in [0, 1].
        explanation: Explanation for people.
        plan: The actions, in script form.
        error: The error that stopped it or made it unreadable.
        error_step: Index of the action or subgoal at fault.
        error_action: The action or subgoal at fault, as text.
        grammar_errors: Number of grammar errors that the published evaluator counts for this
            output.
        additional_steps: Number of additional steps.
        counted_additional: Number of additional steps that count in the rate of additional steps.
        judged: False if the protocol does not judge the goals of this output.
        crash: The exception that would have ended the published evaluation, or an empty string.
    """

    success: bool
    executable: bool
    goals: GoalCounts
    progress: float
    explanation: str
    plan: tuple[str, ...] = ()
    error: ErrorType | None = None
    error_step: int | None = None
    error_action: str | None = None
    grammar_errors: int = 0
    additional_steps: int = 0
    counted_additional: float = 0.0
    judged: bool = True
    crash: str = ""


class AnnotatedTask(typing.Protocol):
    """An EAI task on either world: a dataclass with a task and its annotations."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def id(self) -> str:
        """The official identifier."""
        ...

    @property
    def task(self) -> Task:
        """World, initial state, goal and ground-truth plan."""
        ...

    @property
    def categories(self) -> tuple[str, ...]:
        """The official categories."""
        ...

    @property
    def goal_totals(self) -> Mapping[str, float]:
        """Kind -> number of goals of the task."""
        ...


def no_goals_met(task: AnnotatedTask) -> dict[str, tuple[float, float]]:
    """Return goal counts in which no goal of the task is met."""
    return {kind: (0, total) for kind, total in task.goal_totals.items()}


def unreadable_result(task: AnnotatedTask, error: GrammarError, unit: str = "Step") -> PlanResult:
    """Return the result of an output that is not a plan; ``unit`` names its parts."""
    where = "" if error.step is None else f"{unit} {error.step + 1}: "
    return PlanResult(
        success=False,
        executable=False,
        goals=no_goals_met(task),
        progress=0.0,
        explanation=f"{where}{error.reason}." if where else sentence(error.reason),
        error=error.error,
        error_step=error.step,
        error_action=error.action,
        grammar_errors=error.count,
    )


def wrong_number_text(name: str, expected: int, given: int) -> str:
    """Return the message for a wrong number of objects."""
    return f"{name} takes {expected} {'object' if expected == 1 else 'objects'}, not {given}"


def sentence(reason: object) -> str:
    """Turn a reason into a sentence."""
    text = str(reason)
    return f"{text[:1].upper()}{text[1:]}."


def count_goals(parts: Sequence[Part], kinds: Iterable[str] = KINDS) -> dict[str, tuple[int, int]]:
    """Count the goals met and all goals, by kind."""
    return {
        kind: (
            sum(part.satisfied for part in parts if part.kind == kind),
            sum(part.kind == kind for part in parts),
        )
        for kind in kinds
    }


def explain_trace(
    trace: Trace, verdict: Verdict, success: bool, reached: bool | None = None
) -> str:
    """Explain the errors of a plan and the verdict on its goal.

    Args:
        trace: The executed plan.
        verdict: Verdict on the goal.
        success: True if the plan counts as successful.
        reached: True if the protocol counts the goal as reached, which may differ from the verdict.
    """
    sentences = [_describe_step(index, failure) for index, failure in trace.skipped[:MAX_STEPS]]
    if others := trace.skipped[MAX_STEPS:]:
        numbers = [str(index + 1) for index, _ in others]
        steps = "steps" if len(numbers) > 1 else "step"
        sentences.append(cut_list(f"Not carried out either: {steps} ", numbers, MAX_NUMBERS) + ".")
    if trace.failure is not None and trace.failed_at is not None:
        sentences.append(_describe_step(trace.failed_at, trace.failure))
    sentences.append(verdict.explanation)
    if reached is not None and reached != verdict.success:
        counts = "counts" if reached else "does not count"
        sentences.append(
            f"The published evaluator differs and {counts} the goal as reached"
            " (docs/benchmarks/eai-protocols.md)."
        )
    elif trace.failure is not None and verdict.success and not success:
        sentences.append("That does not count, as the plan cannot be carried out to its end.")
    return " ".join(sentences)


def cut_list(head: str, items: Sequence[str], most: int, link: str = ", ") -> str:
    """Join items after a heading. Each item is cut to :data:`MAX_ITEM`, and items beyond ``most``
    are only counted."""
    most = count_listed(len(items), most)
    shown = [item if len(item) <= MAX_ITEM else f"{item[:MAX_ITEM]}..." for item in items[:most]]
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return f"{head}{link.join(shown)}{more}"


def _describe_step(index: int, failure: Failure) -> str:
    kind = failure.error.value.replace("_", " ")
    action = (
        f", {failure.action}" if failure.action.name else ""
    )  # a step that was not understood has no action
    return f"Step {index + 1}{action}: {failure.message} ({kind})"


def plan_score(task: AnnotatedTask, result: PlanResult, reading: Reading) -> Score:
    """Return metrics and record of a result, with the notes of reading its output."""
    metrics = {
        "success": float(result.success),
        "executable": float(result.executable),
        "progress": result.progress,
        **{name: float(result.error in errors) for name, errors in GRAMMAR.items()},
        **{name: float(result.error is error) for name, error in RUNTIME.items()},
        "additional_step": float(result.additional_steps > 0),
    }
    record: dict[str, Any] = {
        "identifier": task.id,
        "task": task.task.name,
        "categories": list(task.categories),
        "valid": True,
        "success": result.success,
        "executable": result.executable,
        "error_type": result.error.value if result.error else None,
        "error_action": result.error_action,
        "error_step": None if result.error_step is None else result.error_step + 1,
        "additional_steps": result.additional_steps,
        "goals_met": {kind: list(counts) for kind, counts in result.goals.items()},
        "progress": round(result.progress, 6),
        "explanation": cut_text(result.explanation),
        "plan": list(result.plan),
        "counts": {
            "grammar_errors": result.grammar_errors,
            "additional_steps": result.counted_additional,
        },
        **reading.record,
    }
    if not result.judged:
        record["judged"] = False
    if result.crash:
        record["published_crash"] = result.crash
    return Score(task.id, metrics, record)
