"""Reading predicted goals on BEHAVIOR: ``{"node goals": [["open", "jar.n.01_1"], ...], ...}``.

Source: EAI paper, section 2.3 and appendix D.1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homebody.core import Protocol
from homebody.core.formula import Atom, Literal, Not, atom_of
from homebody.core.ground.escaping import escape
from homebody.suites.eai.answers import object_with, read_answer
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.lenient_json import JsonObject, check_length, plain
from homebody.suites.eai.plan_results import wrong_number
from homebody.suites.eai.plans import note_name, spelling, spellings
from homebody.suites.eai.published import not_json, published_json
from homebody.suites.eai.reading import Deviation, ParsingError, Reading

_MAX_SHOWN = 60
"""Most characters that are shown of what is malformed."""
KINDS = ("state", "relation")
OTHER = "other"
"""The kind of a predicted goal whose predicate does not exist."""

LISTS = {"state": "node goals", "relation": "edge goals"}
STATES = ("cooked", "dusty", "frozen", "open", "sliced", "soaked", "stained", "toggled_on")
RELATIONS = ("inside", "nextto", "onfloor", "ontop", "touching", "under")
SYMMETRIC = frozenset(["nextto", "touching"])
_KIND = {**dict.fromkeys(STATES, "state"), **dict.fromkeys(RELATIONS, "relation")}
_LENGTH = {"state": 2, "relation": 3}


@dataclass(frozen=True, slots=True)
class Entry:
    """One predicted goal, as read.

    Attributes:
        kind: What its predicate is about: ``state``, ``relation`` or ``other``.
        literal: What it says, or None if it can be no goal.
        malformed: It has not as many words as a goal has.
        unknown_predicate: There is no such state or relation.
        unknown_object: It is about an object that is not listed.
        text: It as written, for people.
    """

    kind: str
    literal: Literal | None
    malformed: bool = False
    unknown_predicate: bool = False
    unknown_object: bool = False
    text: str = field(default="", compare=False)

    @property
    def sound(self) -> bool:
        """Whether it is a goal over known predicates and listed objects."""
        return not (self.malformed or self.unknown_predicate or self.unknown_object)


@dataclass(frozen=True, slots=True)
class Predicted:
    """What is read of an output.

    Attributes:
        entries: The predicted goals, those that make no sense included.
        keys: Those of the object that they were in; none where all keys are read.
    """

    entries: tuple[Entry, ...] = ()
    keys: tuple[str, ...] = ()


def read(
    task: BehaviorTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> Predicted:
    """The predicted goals.

    Args:
        task: Whose objects are meant.
        output: What a model wrote.
        protocol: How it is read.
        reading: Notes what was read through, unless it is read as published.

    Raises:
        ParsingError: the output is not in the format.
        TypeError, LookupError: only with ``value_types_unchecked``, on goals of other types.
    """
    names = frozenset(row["bddl"] for row in task.objects)
    keys: tuple[str, ...] = ()
    if protocol.keeps("first_braces_read"):
        lists = list(_first_braces(output).values())
    else:
        values = _named_lists(output, names, reading or Reading.of(protocol))
        lists, keys = [values[name] for name in LISTS.values() if name in values], tuple(values)
    if protocol.keeps("value_types_unchecked"):
        items = [item for listed in lists for item in listed]
        return Predicted(tuple(_unchecked_entry(item, names) for item in items), keys)
    entries: list[Entry] = []
    for listed in lists:
        if isinstance(listed, list):
            entries += [_entry(item, names) for item in listed]
        else:
            entries.append(Entry(OTHER, None, malformed=True, text=f"{plain(listed)!r} is no list"))
    return Predicted(tuple(entries), keys)


_BRACES = re.compile(r"\{[^{}]*\}")


def _first_braces(output: str) -> dict[str, Any]:
    check_length(output)
    text = output.lower().replace("'", '"').replace("toggledon", "toggled_on")
    braces = _BRACES.search(text)
    if braces is None:
        raise ParsingError("the output has no JSON object without others in it")
    try:
        value: dict[str, Any] = published_json(braces.group())
    except ValueError as error:
        raise ParsingError(not_json(error)) from None
    return value


def _named_lists(output: str, names: Collection[str], reading: Reading) -> dict[str, Any]:
    """What all keys have, with all words in small letters (prompts write states with capitals)
    and objects by their names. Of a repeated key the last wins."""
    wanted = " or ".join(map(repr, LISTS.values()))
    shaped = object_with(LISTS.values())
    values = dict(read_answer(output, reading, shaped, f"an object with {wanted}"))
    known = spellings(names)

    def even(item: Any, depth: int) -> Any:
        if isinstance(item, str):
            word = item.strip().lower().replace("toggledon", "toggled_on")
            name = known.get(spelling(word), word)
            note_name([word], [name], reading)
            return name
        if isinstance(item, list) and not isinstance(item, JsonObject) and depth:
            return [even(word, depth - 1) for word in item]
        return item

    lists: dict[str, Any] = {
        name: even(values[name], 3) if name in LISTS.values() else None for name in values
    }
    for kind, name in LISTS.items():
        listed = lists.get(name)
        for item in listed if isinstance(listed, list) else ():
            _, words = _parts(item)
            predicate = words[0] if isinstance(words, list) and words else None
            if isinstance(predicate, str) and _KIND.get(predicate, kind) != kind:
                reading.note(Deviation.SHAPE, f"{predicate} under {name!r}")
    return lists


def _entry(item: Any, names: frozenset[str]) -> Entry:
    """``[predicate, object, ...]`` or ``["not", [...]]``; anything else is malformed."""
    negative, words = _parts(item)
    proper = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not proper or not words or words[0] == "not":
        return Entry(OTHER, None, malformed=True, text=_faulty(item, _why_not(item)))
    predicate, *args = words
    kind = _KIND.get(predicate, OTHER)
    malformed = len(words) not in ((2, 3) if kind == OTHER else (_LENGTH[kind],))
    atom = Atom(predicate, tuple(args))
    return Entry(
        kind,
        None if malformed else Not(atom) if negative else atom,
        malformed=malformed,
        unknown_predicate=kind == OTHER,
        unknown_object=not malformed and not names.issuperset(args),
        text=(
            _faulty(item, _wrong_length(predicate, kind, len(args)))
            if malformed
            else text_of(Not(atom) if negative else atom)
        ),
    )


def _parts(item: Any) -> tuple[bool, Any]:
    """Whether an entry is negated, and what it is without its ``not``."""
    negative = isinstance(item, list) and len(item) == 2 and item[0] == "not"
    return negative, item[1] if negative else item


def _faulty(item: object, reason: str) -> str:
    return f"{escape(repr(plain(item)), _MAX_SHOWN)} ({reason})"


def _why_not(item: object) -> str:
    """What is wrong with an item that is not made of words as a goal is."""
    if not isinstance(item, list):
        return "a goal is a list"
    if not item:
        return "it is empty"
    if item[0] != "not":
        return "what is in it is to be texts"
    return '"not" takes one goal in a list: ["not", ["open", ...]]'


def _wrong_length(predicate: str, kind: str, given: int) -> str:
    if kind == OTHER:
        return "a goal has one object or two"
    return wrong_number(predicate, _LENGTH[kind] - 1, given)


def _unchecked_entry(item: Any, names: frozenset[str]) -> Entry:
    """The same as the published evaluator takes it, which asks nothing about types: a text is
    the list of its characters, and what follows the second element after ``not`` is not seen.

    Raises TypeError or LookupError where it does.
    """
    negative = item[0] == "not"
    words = item[1] if negative else item
    predicate = words[0]
    kind = _KIND.get(predicate, OTHER) if isinstance(predicate, str) else OTHER
    sized = len(words) in (2, 3)
    used = [words[at] for at in range(1, len(words))] if sized else []
    literal: Literal | None = None
    proper = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if proper and not (negative and len(item) != 2):
        atom = Atom(predicate, tuple(words[1:]))
        literal = Not(atom) if negative else atom
    return Entry(
        kind,
        literal,
        malformed=not sized,
        unknown_predicate=kind == OTHER,
        unknown_object=any(not isinstance(name, str) or name not in names for name in used),
        text=repr(item) if literal is None else text_of(literal),
    )


# -- literals ------------------------------------------------------------------------------------


def kind_of(literal: Literal) -> str:
    """What a literal is about: ``state`` or ``relation``."""
    return _KIND[atom_of(literal).predicate]


def count_of_kind(kind: str, literals: Sequence[Literal]) -> int:
    """How many of the literals are of a kind."""
    return sum(kind_of(literal) == kind for literal in literals)


def with_atom(literal: Literal, atom: Atom) -> Literal:
    """A literal about another atom, negated or not as it is."""
    return atom if isinstance(literal, Atom) else Not(atom)


def renamed(literal: Literal, names: Mapping[str, str]) -> Literal:
    """A literal over other names."""
    atom = atom_of(literal)
    return with_atom(literal, Atom(atom.predicate, tuple(names[name] for name in atom.args)))


def text_of(literal: Literal) -> str:
    """``not open(jar.n.01_1)``, for people."""
    atom = atom_of(literal)
    negative = "" if isinstance(literal, Atom) else "not "
    return f"{negative}{atom.predicate}({', '.join(atom.args)})"


def render(literals: Sequence[Literal]) -> str:
    """Goals as the prompt asks for them, over BDDL names."""
    lists: dict[str, list[Any]] = {name: [] for name in LISTS.values()}
    for literal in literals:
        atom = atom_of(literal)
        words: list[Any] = [atom.predicate, *atom.args]
        lists[LISTS[kind_of(literal)]].append(words if literal is atom else ["not", words])
    return json.dumps(lists)
