"""Evaluation functions as JSON, in the field names of the published datasets.

Files are not trusted: every type is checked, and :mod:`.evaluation_function` limits sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from homebody.goals.partnr.evaluation_function import (
    CLUSTERED,
    MAX_ALTERNATIVES,
    MAX_PARTS,
    MEMBERS,
    NEAR,
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
)

MAX_NAME = 1_000
"""Maximum number of characters of a name."""
PROPOSITIONS: Final = "evaluation_propositions"
DEPENDENCIES: Final = "evaluation_proposition_dependencies"
CONSTRAINTS: Final = "evaluation_constraints"


def read_evaluation(raw: object) -> Evaluation:
    """Read an evaluation function from an object with its three fields. Raises EvaluationError."""
    fields = _object(raw, "an episode")
    return check(
        Evaluation(
            tuple(
                _proposition(raw_part, f"proposition {index}")
                for index, raw_part in enumerate(_list(fields.get(PROPOSITIONS), PROPOSITIONS))
            ),
            tuple(
                _dependency(raw_part, f"dependency {index}")
                for index, raw_part in enumerate(_list(fields.get(DEPENDENCIES, []), DEPENDENCIES))
            ),
            tuple(
                _constraint(raw_part, f"constraint {index}")
                for index, raw_part in enumerate(_list(fields.get(CONSTRAINTS, []), CONSTRAINTS))
            ),
        )
    )


def write_evaluation(evaluation: Evaluation) -> dict[str, Any]:
    """Return the three fields of a published episode; :func:`read_evaluation` reads them back."""
    count = len(evaluation.propositions)
    return {
        PROPOSITIONS: [_write_proposition(part) for part in evaluation.propositions],
        DEPENDENCIES: [
            {
                "proposition_indices": list(part.propositions),
                "depends_on": list(part.depends_on),
                "relation_type": part.relation,
                "dependency_mode": part.mode,
            }
            for part in evaluation.dependencies
        ],
        CONSTRAINTS: [
            {
                "type": type(part).__name__,
                "args": {**_write_constraint(part), "n_propositions": count},
            }
            for part in evaluation.constraints
        ],
    }


def make_proposition(predicate: str, arguments: Mapping[str, object], where: str) -> Proposition:
    """Return the proposition with these arguments, given by their published names. :func:`check`
    checks their values.

    Raises EvaluationError if an argument is missing, unknown or of a wrong type.
    """
    form = PREDICATES.get(predicate)
    if form is None:
        raise EvaluationError(f"{where}: unknown predicate: {predicate[:40]!r}")
    allowed = {*form.arguments, "number", form.same} - {""}
    allowed |= {"l2_threshold"} if predicate in ("is_next_to", CLUSTERED) else set()
    for name in arguments:
        if name not in allowed:
            raise EvaluationError(f"{where}: {predicate} has no argument {name[:40]!r}")
    if predicate == CLUSTERED:
        lists = [
            _names(raw_names, where)
            for raw_names in _list(arguments.get(MEMBERS), f"{where}: {MEMBERS}")
        ]
        raw_number = arguments.get("number", 1)
        # the published vocabulary has 1 for "one of each"
        numbers = (
            [1] * len(lists)
            if raw_number is None or raw_number == 1
            else _integers(raw_number, where)
        )
    else:
        lists = [_names(arguments.get(name), f"{where}: {name}") for name in form.arguments]
        numbers = [_integer(arguments.get("number", 1), where)]
    same = arguments.get(form.same, False) if form.same else False
    if not isinstance(same, bool):
        raise EvaluationError(f"{where}: {form.same} is neither true nor false")
    threshold = arguments.get("l2_threshold", NEAR)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        raise EvaluationError(f"{where}: l2_threshold is not a number")
    if not 0 <= threshold <= 1_000:
        raise EvaluationError(f"{where}: l2_threshold is not a distance")
    return Proposition(predicate, tuple(lists), tuple(numbers), same, float(threshold))


def _proposition(raw: object, where: str) -> Proposition:
    fields = _object(raw, where)
    name = _text(fields.get("function_name"), f"{where}: function_name")
    return make_proposition(name, _object(fields.get("args"), f"{where}: args"), where)


def _dependency(raw: object, where: str) -> Dependency:
    fields = _object(raw, where)
    return Dependency(
        _integers(fields.get("proposition_indices"), f"{where}: proposition_indices"),
        _integers(fields.get("depends_on"), f"{where}: depends_on"),
        _text(fields.get("relation_type"), f"{where}: relation_type"),
        _text(fields.get("dependency_mode", "all"), f"{where}: dependency_mode"),
    )


def _constraint(raw: object, where: str) -> Constraint:
    fields = _object(raw, where)
    kind = _text(fields.get("type"), f"{where}: type")
    args = _object(fields.get("args"), f"{where}: args")
    if kind == "TemporalConstraint":
        edges = []
        for edge in _list(args.get("dag_edges"), f"{where}: dag_edges"):
            pair = _integers(edge, f"{where}: an edge")
            if len(pair) != 2:
                raise EvaluationError(f"{where}: an edge is not a pair")
            edges.append((pair[0], pair[1]))
        return TemporalConstraint(tuple(edges))
    if kind == "TerminalSatisfactionConstraint":
        return TerminalSatisfactionConstraint(_integers(args.get("proposition_indices"), where))
    if kind in ("SameArgConstraint", "DifferentArgConstraint"):
        cls = SameArgConstraint if kind == "SameArgConstraint" else DifferentArgConstraint
        names = _list(args.get("arg_names"), f"{where}: arg_names")
        return cls(
            _integers(args.get("proposition_indices"), f"{where}: proposition_indices"),
            tuple(_text(name, f"{where}: arg_names") for name in names),
        )
    raise EvaluationError(f"{where}: unknown constraint: {kind[:40]!r}")


def write_arguments(proposition: Proposition) -> Iterator[tuple[str, Any]]:
    """Yield the arguments of a proposition by published name, in the published order."""
    form = PREDICATES[proposition.predicate]
    if proposition.predicate == CLUSTERED:
        yield MEMBERS, [list(names) for names in proposition.lists]
        yield "number", list(proposition.numbers)
    else:
        for name, names in zip(form.arguments, proposition.lists, strict=True):
            yield name, list(names)
        yield "number", proposition.number
    if form.same:
        yield form.same, proposition.same
    if proposition.predicate in ("is_next_to", CLUSTERED):
        yield "l2_threshold", proposition.threshold


def _write_proposition(part: Proposition) -> dict[str, Any]:
    return {"function_name": part.predicate, "args": dict(write_arguments(part))}


def _write_constraint(part: Constraint) -> dict[str, Any]:
    if isinstance(part, TemporalConstraint):
        return {"dag_edges": [list(edge) for edge in part.edges]}
    written: dict[str, Any] = {"proposition_indices": list(part.propositions)}
    if isinstance(part, ArgumentConstraint):
        written["arg_names"] = list(part.arguments)
    return written


def _object(raw: object, where: str) -> Mapping[str, object]:
    if not isinstance(raw, dict) or not all(isinstance(key, str) for key in raw):
        raise EvaluationError(f"{where} is not a JSON object")
    return raw


def _list(raw: object, where: str) -> list[object] | tuple[object, ...]:
    if not isinstance(raw, list | tuple):
        raise EvaluationError(f"{where} is not a list")
    if len(raw) > MAX_PARTS:
        raise EvaluationError(f"{where} has more than {MAX_PARTS} members")
    return raw


def _text(raw: object, where: str) -> str:
    if not isinstance(raw, str) or len(raw) > MAX_NAME:
        raise EvaluationError(f"{where} is not a string of at most {MAX_NAME} characters")
    return raw


def _names(raw: object, where: str) -> tuple[str, ...]:
    raw_names = _list(raw, where)
    if len(raw_names) > MAX_ALTERNATIVES:
        raise EvaluationError(f"{where} has more than {MAX_ALTERNATIVES} alternatives")
    return tuple(_text(name, where) for name in raw_names)


def _integer(raw: object, where: str) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not -(10**9) < raw < 10**9:
        raise EvaluationError(f"{where}: an integer is required")
    return raw


def _integers(raw: object, where: str) -> tuple[int, ...]:
    return tuple(_integer(number, where) for number in _list(raw, where))
