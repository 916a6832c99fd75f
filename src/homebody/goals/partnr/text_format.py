"""The text format in which people correct PARTNR's evaluation functions (appendix A.5.3).

It consists of Python assignments of lists of calls. Python's own parser parses it, and nothing of
it is executed. Sections may be in any order and over several lines; missing ones are empty, and
unknown ones are an error.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

from homebody.goals.partnr.evaluation_function import (
    CLUSTERED,
    MAX_PARTS,
    MEMBERS,
    PREDICATES,
    ArgumentConstraint,
    Constraint,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    EvaluationError,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    check,
    groups_by_depth,
)
from homebody.goals.partnr.json_format import make_proposition, write_arguments

MAX_TEXT = 200_000
"""Maximum number of characters of an annotation."""
MAX_DEPTH = 4
"""Maximum nesting depth of lists in an argument."""

_SECTIONS: Final = (
    "instruction",
    "propositions",
    "dependencies",
    "temporal_groups",
    "tie_constraints",
    "exclude_final_constraint",
    "skip_episode",
    "reason",
)
_RELATIONS: Final = {
    "WhileSatisfied": "while_satisfied",
    "AfterSatisfied": "after_satisfied",
    "AfterUnsatisfied": "after_unsatisfied",
    "BeforeSatisfied": "before_satisfied",
}
_ARGUMENT_CONSTRAINTS: Final[Mapping[str, type[ArgumentConstraint]]] = {
    "SameArgConstraint": SameArgConstraint,
    "DifferentArgConstraint": DifferentArgConstraint,
}


@dataclass(frozen=True, slots=True)
class Annotation:
    """The content of an annotation.

    Attributes:
        instruction: One line, without extra spaces.
        evaluation: It has a temporal constraint if there are groups, then the argument constraints,
            then a terminal constraint over all propositions that are not excluded.
        skip: True if the annotator rejects the episode.
        reason: The reason for the rejection.
    """

    instruction: str
    evaluation: Evaluation
    skip: bool = False
    reason: str = ""


def read_annotation(text: str) -> Annotation:
    """Read an annotation. Raises EvaluationError with the line of the problem."""
    sections = _sections(text)
    propositions = tuple(_proposition(call) for call in _calls(sections.get("propositions")))
    constraints: list[Constraint] = []
    if "temporal_groups" in sections:
        constraints.append(_order(_literal(sections["temporal_groups"])))
    for call in _calls(sections.get("tie_constraints")):
        constraints.append(_argument_constraint(call, propositions))
    excluded = _indices(sections.get("exclude_final_constraint"), "exclude_final_constraint")
    if any(not 0 <= index < len(propositions) for index in excluded):
        raise EvaluationError("exclude_final_constraint names an unknown proposition")
    ends = tuple(index for index in range(len(propositions)) if index not in set(excluded))
    constraints.append(TerminalSatisfactionConstraint(ends))
    dependencies = tuple(_dependency(call) for call in _calls(sections.get("dependencies")))
    instruction = _words(sections.get("instruction"), "instruction")
    skip = _literal(sections["skip_episode"]) if "skip_episode" in sections else False
    if not isinstance(skip, bool):
        raise EvaluationError("skip_episode must be True or False")
    return Annotation(
        instruction,
        check(Evaluation(propositions, dependencies, tuple(constraints))),
        skip,
        _words(sections.get("reason"), "reason"),
    )


def write_annotation(annotation: Annotation) -> str:
    """Return the text of an annotation; :func:`read_annotation` reads it back.

    Raises EvaluationError if the format cannot express it: it has several temporal constraints, a
    temporal constraint that is not an order of consecutive groups, or not exactly one terminal
    constraint.
    """
    evaluation = annotation.evaluation
    count = len(evaluation.propositions)
    orders = [part for part in evaluation.constraints if isinstance(part, TemporalConstraint)]
    ends = [
        part for part in evaluation.constraints if isinstance(part, TerminalSatisfactionConstraint)
    ]
    if len(orders) > 1 or len(ends) != 1:
        raise EvaluationError(
            "an annotation needs one terminal constraint, and has one temporal constraint at most"
        )
    lines = ["instruction = " + repr(annotation.instruction), "", "propositions = ["]
    lines += [f"    {_call_text(part)}," for part in evaluation.propositions]
    lines += ["]", "", "dependencies = ["]
    names = {relation: name for name, relation in _RELATIONS.items()}
    for dependency in evaluation.dependencies:
        mode = "" if dependency.mode == "all" else f", {dependency.mode!r}"
        first, second = list(dependency.propositions), list(dependency.depends_on)
        lines.append(f"    {names[dependency.relation]}({first}, {second}{mode}),")
    lines += ["]", ""]
    if orders:
        groups = groups_of_order(orders[0], count)
        if groups is None:
            raise EvaluationError("the order does not consist of consecutive groups")
        lines += ["temporal_groups = [", *(f"    {list(part)}," for part in groups), "]", ""]
    lines.append("tie_constraints = [")
    for constraint in evaluation.constraints:
        if isinstance(constraint, ArgumentConstraint):
            positions = [
                evaluation.propositions[index].argument_names.index(name)
                for index, name in zip(constraint.propositions, constraint.arguments, strict=True)
            ]
            lines.append(
                f"    {type(constraint).__name__}({list(constraint.propositions)}, {positions}),"
            )
    kept = set(ends[0].propositions)
    excluded = [index for index in range(count) if index not in kept]
    lines += ["]", "", f"exclude_final_constraint = {excluded}", ""]
    lines += [f"skip_episode = {annotation.skip}", f"reason = {annotation.reason!r}", ""]
    return "\n".join(lines)


def order_of_groups(groups: Sequence[Sequence[int]]) -> TemporalConstraint:
    """Return the order in which each group comes before the next; empty groups are omitted."""
    filled = [group for group in groups if group]
    if sum(len(a) * len(b) for a, b in pairwise(filled)) > MAX_PARTS:
        raise EvaluationError(f"the groups make more than {MAX_PARTS} edges")
    return TemporalConstraint(tuple(edge for a, b in pairwise(filled) for edge in product(a, b)))


def groups_of_order(order: TemporalConstraint, count: int) -> list[tuple[int, ...]] | None:
    """Return the groups of an order of :func:`order_of_groups`; None for any other order."""
    ordered = sorted({index for edge in order.edges for index in edge})
    groups = groups_by_depth(order.edges, ordered or range(count))
    return groups if set(order_of_groups(groups).edges) == set(order.edges) else None


def _sections(text: str) -> dict[str, ast.expr]:
    if len(text) > MAX_TEXT:
        raise EvaluationError(f"the text has more than {MAX_TEXT} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # unknown escapes in strings are harmless
            tree = ast.parse(text)
    except SyntaxError as error:
        raise EvaluationError(f"line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError):
        raise EvaluationError("the text cannot be parsed") from None
    sections: dict[str, ast.expr] = {}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
            raise EvaluationError(f"line {node.lineno}: only `name = value` is understood")
        if len(node.targets) > 1 or target.id not in _SECTIONS or target.id in sections:
            raise EvaluationError(
                f"line {node.lineno}: {target.id[:40]!r} is an unknown or repeated section",
                f"sections: {', '.join(_SECTIONS)}",
            )
        sections[target.id] = node.value
    return sections


def _literal(node: ast.expr, depth: int = 0) -> object:
    """Return a string, number, truth value, None, or list of these."""
    if depth > MAX_DEPTH:
        raise EvaluationError(f"line {node.lineno}: lists are nested too deep")
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(element, depth + 1) for element in node.elts]
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, int) and value > 10**9:  # too many digits cannot even be printed
            raise EvaluationError(f"line {node.lineno}: the number is too large")
        if value is None or isinstance(value, str | int | float):
            return value
    raise EvaluationError(f"line {node.lineno}: this is neither a list, a string nor a number")


def _calls(node: ast.expr | None) -> list[tuple[str, ast.Call]]:
    if node is None:
        return []
    if not isinstance(node, ast.List | ast.Tuple) or len(node.elts) > MAX_PARTS:
        raise EvaluationError(
            f"line {node.lineno}: this is not a list of at most {MAX_PARTS} calls"
        )
    calls = []
    for element in node.elts:
        if not isinstance(element, ast.Call) or not isinstance(element.func, ast.Name):
            raise EvaluationError(f"line {element.lineno}: this is not a call")
        calls.append((element.func.id, element))
    return calls


def _bind_arguments(call: ast.Call, names: Sequence[str]) -> dict[str, object]:
    """Return the arguments of a call, by name."""
    if len(call.args) > len(names):
        raise EvaluationError(f"line {call.lineno}: at most {len(names)} arguments are understood")
    arguments = {name: _literal(value) for name, value in zip(names, call.args, strict=False)}
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg not in names or keyword.arg in arguments:
            raise EvaluationError(
                f"line {call.lineno}: {str(keyword.arg)[:40]!r} is an unknown or repeated argument"
            )
        arguments[keyword.arg] = _literal(keyword.value)
    return arguments


def _proposition(named: tuple[str, ast.Call]) -> Proposition:
    predicate, call = named
    where = f"line {call.lineno}"
    form = PREDICATES.get(predicate)
    if form is None:
        raise EvaluationError(f"{where}: unknown predicate: {predicate[:40]!r}")
    if predicate == CLUSTERED:
        members = [_literal(value) for value in call.args]
        keywords_only = ast.Call(
            func=call.func, args=[], keywords=call.keywords, lineno=call.lineno
        )
        arguments = {MEMBERS: members, **_bind_arguments(keywords_only, ("number", "l2_threshold"))}
        return make_proposition(predicate, arguments, where)
    # the paper calls every is_same_* arg_match
    same = [form.same] if form.same else []
    near = ["l2_threshold"] if predicate == "is_next_to" else []
    for keyword in call.keywords:
        if keyword.arg == "arg_match" and form.same:
            keyword.arg = form.same
    return make_proposition(
        predicate, _bind_arguments(call, [*form.arguments, "number", *same, *near]), where
    )


def _call_text(proposition: Proposition) -> str:
    arguments = dict(write_arguments(proposition))
    if proposition.predicate == CLUSTERED:
        parts = [repr(names) for names in arguments.pop(MEMBERS)]
    else:
        parts = [repr(arguments.pop(name)) for name in PREDICATES[proposition.predicate].arguments]
    parts += [f"{name}={value!r}" for name, value in arguments.items()]
    return f"{proposition.predicate}({', '.join(parts)})"


def _order(raw: object) -> TemporalConstraint:
    if not isinstance(raw, list):
        raise EvaluationError("temporal_groups is not a list of groups")
    groups = [_as_indices(group, "a temporal group") for group in raw]
    flat = [index for group in groups for index in group]
    if len(set(flat)) != len(flat):
        raise EvaluationError("a proposition is in two temporal groups")
    return order_of_groups(groups)


def _argument_constraint(
    named: tuple[str, ast.Call], propositions: Sequence[Proposition]
) -> Constraint:
    kind, call = named
    where = f"line {call.lineno}"
    if kind not in _ARGUMENT_CONSTRAINTS:
        raise EvaluationError(f"{where}: unknown argument constraint: {kind[:40]!r}")
    second = "arg_names" if any(k.arg == "arg_names" for k in call.keywords) else "arg_indices"
    arguments = _bind_arguments(call, ("proposition_indices", second))
    indices = _as_indices(arguments.get("proposition_indices"), where)
    raw = arguments.get(second)
    positions = [raw] * len(indices) if not isinstance(raw, list) else raw
    if len(positions) != len(indices):
        raise EvaluationError(f"{where}: {len(indices)} propositions, {len(positions)} arguments")
    names = []
    for index, position in zip(indices, positions, strict=True):
        if not 0 <= index < len(propositions):
            raise EvaluationError(f"{where}: there is no proposition {index}")
        argument_names = propositions[index].argument_names
        if isinstance(position, str) and position in argument_names:
            names.append(position)
        elif (
            isinstance(position, int)
            and not isinstance(position, bool)
            and 0 <= position < len(argument_names)
        ):
            names.append(argument_names[position])
        else:
            raise EvaluationError(f"{where}: proposition {index} has no argument {position!s:.40}")
    return _ARGUMENT_CONSTRAINTS[kind](indices, tuple(names))


def _dependency(named: tuple[str, ast.Call]) -> Dependency:
    kind, call = named
    where = f"line {call.lineno}"
    names = ["proposition_indices", "depends_on", "dependency_mode"]
    if kind == "PropositionDependency":
        names.insert(2, "relation_type")
    elif kind not in _RELATIONS:
        raise EvaluationError(f"{where}: unknown dependency: {kind[:40]!r}")
    arguments = _bind_arguments(call, names)
    relation = arguments.get("relation_type", _RELATIONS.get(kind))
    mode = arguments.get("dependency_mode", "all")
    if not isinstance(relation, str) or not isinstance(mode, str):
        raise EvaluationError(f"{where}: a relation and a mode must be strings")
    return Dependency(
        _as_indices(arguments.get("proposition_indices"), where),
        _as_indices(arguments.get("depends_on"), where),
        relation,
        mode,
    )


def _indices(node: ast.expr | None, where: str) -> tuple[int, ...]:
    return () if node is None else _as_indices(_literal(node), where)


def _as_indices(raw: object, where: str) -> tuple[int, ...]:
    if not isinstance(raw, list) or len(raw) > MAX_PARTS:
        raise EvaluationError(f"{where}: a list of proposition indices is required")
    indices = []
    for index in raw:
        if isinstance(index, bool) or not isinstance(index, int):
            raise EvaluationError(f"{where}: a proposition's index is not an integer")
        indices.append(index)
    return tuple(indices)


def _words(node: ast.expr | None, where: str) -> str:
    raw = "" if node is None else _literal(node)
    if not isinstance(raw, str):
        raise EvaluationError(f"{where} is not a string")
    return " ".join(raw.split())
