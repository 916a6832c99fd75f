"""Reads subgoals: the list in an output, and the formulas in the list.

The worlds define their own formulas in ``virtualhome/subgoals.py`` and ``behavior/subgoals.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from homebody.core import ErrorType
from homebody.core.formula import Atom, Formula, with_atoms
from homebody.suites.eai.answers import object_with, read_answer
from homebody.suites.eai.lenient_json import JsonObject, describe_value
from homebody.suites.eai.plan_results import AnnotatedTask, GrammarError, parsing_as_grammar_error
from homebody.suites.eai.reading import Deviation, ParsingError, Reading
from homebody.suites.eai.subgoal_decomposition.refinement import MAX_WEIGHT, Subgoal, weight

MAX_SUBGOALS = 200
"""Maximum number of subgoals; more are a parsing error. The longest ground-truth plan has 67
actions."""

MAX_CHARACTERS = 40_000
"""Maximum number of characters of all subgoals together; more are a parsing error. Annotated
subgoals have about four thousand."""

_NUMBERED = re.compile(r"^(?:(?:(?:step|subgoal)\s*)?\d+\s*[.):]|[-*\u2022])\s+", re.IGNORECASE)
"""Enumeration marks of subgoals."""
_CAPITALS = re.compile(r"\b(?:AND|OR|NOT|THEN|IMPLIES)\b")


def subgoal_texts(output: str, reading: Reading) -> list[str]:
    """Return the non-empty strings of an output's list, without numbers, bullets and full stops.

    Raises:
        ParsingError: There is no list.
        GrammarError: An item is not a string, or there are no items.
    """
    wanted = 'an object with a list "output"'
    items = read_answer(output, reading, _value_of_key, wanted, fallback=_list_of_texts)
    for index, item in enumerate(items):
        if not isinstance(item, str):
            reason = f"it is {describe_value(item)}, not a string"
            raise GrammarError(ErrorType.PARSING, reason, index)
    if any(_NUMBERED.match(item.strip()) or item.strip().endswith(".") for item in items):
        reading.note(Deviation.PROSE, "numbers or full stops around subgoals")
    texts = [_NUMBERED.sub("", item.strip()).removesuffix(".") for item in items]
    texts = [" ".join(text.split()) for text in texts]
    plain = [_CAPITALS.sub(lambda match: match[0].lower(), text) for text in texts]
    if plain != texts:
        reading.note(Deviation.CASE, "connectives in capitals")
    if not any(texts):
        raise GrammarError(ErrorType.PARSING, "the output has no subgoal")
    if sum(map(len, plain)) > MAX_CHARACTERS:
        reason = f"the subgoals have more than {MAX_CHARACTERS:,} characters"
        raise GrammarError(ErrorType.PARSING, reason)
    return [text for text in plain if text]


_OUTPUT = "output"
_object = object_with([_OUTPUT], beside=("necessity_to_use_action", "actions_to_include"))


def _list_of_texts(value: list[Any], reading: Reading) -> list[Any] | None:
    """Accept a bare list of strings."""
    if isinstance(value, JsonObject) or not all(isinstance(item, str) for item in value):
        return None
    reading.note(Deviation.SHAPE, 'a list where an object with "output" is requested')
    return value or None


def _value_of_key(value: list[Any], reading: Reading) -> list[Any] | None:
    """Return the list under "output"."""
    answer = _object(value, reading)
    if answer is None:
        return None
    items = dict(answer)[_OUTPUT]
    if isinstance(items, str):
        reading.note(Deviation.SHAPE, 'a string where "output" should be a list')
        return items.splitlines()
    if isinstance(items, JsonObject) or not isinstance(items, list):
        raise ParsingError(f'"output" is {describe_value(items)}, not a list')
    return items


class SubgoalError(ValueError):
    """Raised if a text is not a formula. ``str()`` gives the reason and the column."""

    def __init__(self, problem: str, column: int) -> None:
        super().__init__(f"in column {column}, {problem}")


@parsing_as_grammar_error()
def read_formulas(
    task: AnnotatedTask,
    output: str,
    reading: Reading,
    parse: Callable[[str], Sequence[tuple[str, Formula]]],
    resolve: Callable[[str, Atom], Formula],
) -> list[Subgoal]:
    """Read the subgoals of an output, over the objects of the scene.

    Args:
        task: Task whose objects the names refer to.
        output: Output of a model.
        reading: Notes deviations from the requested format.
        parse: Text -> the subgoals that it joins by ``then``, each as text and formula; raises
            SubgoalError.
        resolve: Text of a subgoal and one of its atoms -> the atom in the world's vocabulary;
            raises GrammarError if a predicate, a number of arguments or an object is wrong.

    Raises:
        GrammarError: It is not a list of formulas, or ``resolve`` raises it.
    """
    subgoals: list[Subgoal] = []
    for index, text in enumerate(subgoal_texts(output, reading)):
        wrong = partial(GrammarError, step=index, action=text[:60])
        try:
            for shown, formula in parse(text):
                if weight(formula, len(task.task.initial.objects)) > MAX_WEIGHT:
                    reason = "the quantifiers of a subgoal are nested too deep"
                    raise GrammarError(ErrorType.PARSING, reason)
                subgoals.append(Subgoal(shown, with_atoms(formula, partial(resolve, text))))
        except SubgoalError as error:
            reason = f"{text[:60]!r} is not a formula: {error}"
            raise wrong(ErrorType.PARSING, reason) from None
        except GrammarError as error:
            raise wrong(error.error, error.reason) from None
    if len(subgoals) > MAX_SUBGOALS:
        reason = f"the output has {len(subgoals)} subgoals; {MAX_SUBGOALS} at most"
        raise GrammarError(ErrorType.PARSING, reason)
    return subgoals
