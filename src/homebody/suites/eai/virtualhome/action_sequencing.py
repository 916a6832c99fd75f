"""Action sequencing on VirtualHome: from an instruction's goals to an executable plan.

Source: EAI paper, sections 2.5 and appendix D.2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from homebody.core import Action, ErrorType, Protocol, Score, Suite, Trace, execute
from homebody.data import eai as data
from homebody.suites.eai import parsing
from homebody.suites.eai.feedback import plan_feedback
from homebody.suites.eai.stochastic import unreliable
from homebody.suites.eai.trajectory import (
    GRAMMAR,
    KINDS,
    RUNTIME,
    GrammarError,
    Result,
    columns,
    count,
    count_goals,
    explain_trace,
    make_score,
    none_met,
    unreadable,
)
from homebody.suites.eai.virtualhome.demands import PLAN_DEMANDS
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from homebody.suites.eai.virtualhome.prompts import action_sequencing_prompt
from homebody.suites.eai.virtualhome.protocol import PROTOCOLS
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_ALIASES,
    ACTION_NAMES,
    EaiTask,
    class_of,
    id_of,
    load_tasks,
    script_line,
)
from homebody.worlds.virtualhome.published import crash_of

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.virtualhome.action_sequencing"
_NOT_PUBLISHED = frozenset({"PLUGIN", "PLUGOUT", "RELEASE"})


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan whose actions and objects exist.

    ``written`` is each step in script form, with action and object names as the output spells
    them: the published evaluator compares these lines with the ground truth's. ``crash`` is what
    would have ended that evaluator before it executed the plan.
    """

    actions: tuple[Action, ...]
    written: tuple[str, ...]
    crash: str = ""


def read_plan(task: EaiTask, output: str, protocol: Protocol) -> Plan:
    """Parse an output and look up its actions and objects.

    Raises:
        GrammarError: it is not a plan over the task's vocabulary.
    """
    steps = _parse(output, protocol)
    if protocol.keeps("ids_required"):
        for index, (name, args) in enumerate(steps):
            if len(args) % 2:
                reason = f"{name} has a name without an id"
                raise GrammarError(ErrorType.PARSING, reason, index, name)
    for index, (name, _) in enumerate(steps):
        if not _is_known(name, protocol):
            reason = f"there is no action {name!r}"
            raise GrammarError(ErrorType.ACTION_HALLUCINATION, reason, index, name)
    find = _strict_lookup if protocol.keeps("ids_required") else _lookup
    looked_up = [
        (name, find(task, index, name, args, protocol)) for index, (name, args) in enumerate(steps)
    ]
    schemas = task.task.world.schemas
    actions = []
    crash = ""
    for index, (name, objects) in enumerate(looked_up):
        if protocol.keeps("crashes") and name != name.upper():
            crash = crash or f"KeyError: {name!r}"
        schema = schemas[ACTION_ALIASES.get(name.upper(), name.upper())]
        if len(objects) != schema.arity:
            plural = "object" if schema.arity == 1 else "objects"
            reason = f"{name} takes {schema.arity} {plural}, not {len(objects)}"
            raise GrammarError(ErrorType.ARGUMENT_NUMBER, reason, index, name, crash=crash)
        actions.append(Action(schema.name, objects))
    written = []
    for (name, args), (_, objects) in zip(steps, looked_up, strict=True):
        spelt = args[::2] if protocol.keeps("ids_required") else map(class_of, objects)
        written.append(script_line(name, objects, spelt))
    return Plan(tuple(actions), tuple(written), crash)


def _parse(output: str, protocol: Protocol) -> list[tuple[str, list[Any]]]:
    if not protocol.keeps("outputs_read_by_pattern"):
        try:
            return [(step.name, list(step.args)) for step in parsing.parse_plan(output)]
        except parsing.ParsingError as error:
            raise GrammarError(ErrorType.PARSING, str(error)) from None
    try:
        steps = parsing.published_plan(parsing.published_clean(output))
    except parsing.ParsingError as error:
        twice = 2 if protocol.keeps("parsing_errors_counted_twice") else 1
        raise GrammarError(ErrorType.PARSING, str(error), count=twice) from None
    if not steps:
        raise GrammarError(ErrorType.PARSING, "the output has no action with objects")
    return steps


def _is_known(name: str, protocol: Protocol) -> bool:
    known = ACTION_ALIASES.get(name.upper(), name.upper())
    if known not in ACTION_NAMES:
        return False
    return not (protocol.keeps("actions_missing_from_vocabulary") and known in _NOT_PUBLISHED)


def _strict_lookup(
    task: EaiTask, index: int, action: str, args: Sequence[Any], protocol: Protocol
) -> tuple[str, ...]:
    """Arguments as pairs of name and id, looked up by ``name_id``."""
    known = _known_objects(task, protocol)
    found = []
    for name, number in zip(args[::2], args[1::2], strict=True):
        key = f"{name}_{number}"
        if key not in known:
            reason = f"there is no object {key!r}"
            raise GrammarError(ErrorType.OBJECT_HALLUCINATION, reason, index, action)
        found.append(known[key])
    return tuple(found)


def _known_objects(task: EaiTask, protocol: Protocol) -> dict[str, str]:
    names = (
        task.relevant
        if protocol.keeps("only_changed_objects_known")
        else tuple(task.task.initial.objects)
    )
    return {f"{class_of(name)}_{id_of(name)}": name for name in names}


def _lookup(
    task: EaiTask, index: int, action: str, args: Sequence[Any], protocol: Protocol
) -> tuple[str, ...]:
    """Arguments as names, each with or without an id behind it."""
    known = _known_objects(task, protocol)
    found: list[str] = []
    words = [str(a) for a in args if str(a) != ""]
    position = 0
    while position < len(words):
        name = words[position]
        number = words[position + 1] if position + 1 < len(words) else ""
        if number.isdecimal():
            thing = known.get(f"{name}_{number}")
            label = f"{name} {number}"
            position += 2
        else:
            thing = _by_class(task, name, known)
            label = name
            position += 1
        if thing is None:
            reason = f"there is no object {label!r}"
            raise GrammarError(ErrorType.OBJECT_HALLUCINATION, reason, index, action)
        found.append(thing)
    return tuple(found)


def _by_class(task: EaiTask, name: str, known: dict[str, str]) -> str | None:
    objects = task.task.initial.objects
    for pool in (task.relevant, tuple(known.values())):
        same = [n for n in pool if objects[n].category == name]
        if same:
            return min(same, key=id_of)
    return None


# -- scoring -------------------------------------------------------------------------------------


def score(task: EaiTask, output: str, protocol: Protocol) -> Score:
    """Judge one output; any text gives a score."""
    try:
        plan = read_plan(task, output, protocol)
    except GrammarError as error:
        result, crash = unreadable(task, error), error.crash
    else:
        crash = plan.crash
        if protocol.keeps("ground_truth_plan_not_judged") and plan.written == _reference(task):
            result = _uncounted(task)
        else:
            trace = execute(task.task.world, task.task.initial, plan.actions)
            if protocol.keeps("crashes"):
                crash = crash or crash_of(trace)
            result = _judge(task, plan, trace, protocol)
    valid = task.has_goal or protocol.keeps("goalless_tasks_counted")
    if protocol.keeps("unsolvable_tasks_dropped"):
        valid = valid and _passes_gold_test(task, protocol)
    # the published evaluator drops a task before it reads the output
    return make_score(task, replace(result, crash=crash if valid else ""), valid)


def _reference(task: EaiTask) -> tuple[str, ...]:
    return tuple(script_line(action.name, action.args) for action in task.task.reference)


def _uncounted(task: EaiTask) -> Result:
    return Result(
        success=False,
        executable=True,
        goals=none_met(task),
        progress=0.0,
        explanation="Equal to the ground truth; the published evaluator does not judge it.",
        plan=_reference(task),
        judged=False,
    )


def _judge(task: EaiTask, plan: Plan, trace: Trace, protocol: Protocol) -> Result:
    verdict = task.task.goal.judge(trace)
    goals = count_goals(verdict.parts)
    reached = verdict.success
    if protocol.keeps("one_relation_goal_counts"):
        met, total = goals["relation"]
        goals["relation"] = (min(met, 1), total)
        reached = all(met == total for met, total in goals.values())
    executable = trace.failure is None
    success = reached and (executable or protocol.keeps("stopped_plans_can_succeed"))
    additional = len(trace.skipped)
    singly = protocol.keeps("additional_steps_counted_singly")
    failure = trace.failure
    return Result(
        success=success,
        executable=executable,
        goals=goals,
        progress=verdict.progress,
        explanation=explain_trace(trace, verdict, success),
        plan=plan.written,
        error=failure.error if failure else None,
        error_step=trace.failed_at,
        error_action=str(failure.action) if failure else None,
        additional_steps=additional,
        counted_additional=additional if singly else min(additional, 1),
    )


def _passes_gold_test(task: EaiTask, protocol: Protocol) -> bool:
    final = task.final()
    states = all(final.holds(s, (o,)) for s, o in task.state_goals)
    held = sum(final.holds(r, (a, b)) for r, a, b in task.relation_goals)
    if protocol.keeps("one_relation_goal_counts"):
        held = min(held, 1)
    return states and held == len(task.relation_goals)


# -- summary -------------------------------------------------------------------------------------


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Percentages over the valid tasks, in the schema of the published summary.json.

    They are rounded as the published ones are, and 0 of 0 is 0, unless ``exact``.
    """

    def percent(part: float, whole: float, digits: int = 4) -> float:
        if exact:
            return 100.0 * part / whole if whole else math.nan
        return round(100.0 * part / whole if whole else 0.0, digits)

    def share(name: str, digits: int = 4) -> float:
        return percent(sums[name], sums["tasks"], digits)

    met, goals = (sum(sums[f"{kind} {what}"] for kind in KINDS) for what in ("met", "goals"))
    return {
        "goal_evaluation": {
            "task_success_rate": share("success"),
            **{f"{k}_goal": percent(sums[f"{k} met"], sums[f"{k} goals"]) for k in KINDS},
            "total_goal": percent(met, goals),
        },
        "trajectory_evaluation": {
            "execution_success_rate": share("executable", 1),
            "grammar_error": {name: share(name) for name in GRAMMAR},
            "runtime_error": {name: share(name) for name in (*RUNTIME, "additional_step")},
        },
    }


# -- agents that need no model -------------------------------------------------------------------


def render(actions: Sequence[Action]) -> str:
    """A plan as the prompt asks for it: a JSON object whose keys may repeat."""
    import json

    lines = []
    for action in actions:
        words = [word for name in action.args for word in (class_of(name), str(id_of(name)))]
        lines.append(f'"{action.name}": {json.dumps(words)}')
    return "{" + ", ".join(lines) + "}"


def oracle(task: EaiTask, generator: np.random.Generator) -> str:
    """The ground-truth plan."""
    return render(task.task.reference)


def random(task: EaiTask, generator: np.random.Generator) -> str:
    """As many random actions on random listed objects as the ground truth has."""
    schemas = task.task.world.schemas
    names = sorted(schemas)
    objects = [name for name in task.relevant if name != task.task.world.agent]
    objects = objects or list(task.task.initial.objects)
    plan = []
    for _ in task.task.reference:
        name = names[generator.integers(len(names))]
        picked = generator.integers(len(objects), size=schemas[name].arity)
        plan.append(Action(name, tuple(objects[i] for i in picked)))
    return render(plan)


def empty(task: EaiTask, generator: np.random.Generator) -> str:
    """No plan at all."""
    return "{}"


SUITE: Suite[EaiTask] = Suite(
    name=NAME,
    title="Turn a goal into an executable plan (EAI, VirtualHome, 342 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.id:<7} {task.task.name}: {task.task.instruction}",
    prompt=action_sequencing_prompt,
    score=score,
    count=count,
    rates=rates,
    columns=columns(total="total_goal", affordance="affordance_error"),
    means={"Partial": "progress"},
    agents={"oracle": oracle, "random": random, "empty": empty},
    categories=lambda task: task.categories,
    feedback=plan_feedback,
    pipeline=PIPELINE,
    unreliable=unreliable,
    demands=PLAN_DEMANDS,
)
