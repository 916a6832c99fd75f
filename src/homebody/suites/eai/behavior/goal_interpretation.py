"""Goal interpretation on BEHAVIOR: from an instruction to symbolic goals.

The goal of a task is a list of conditions with quantifiers, the prediction a list of literals. A
condition has several options, conjunctions of literals that fulfil it, and an option of the goal
has one of each condition. Section 2.3 of the EAI paper compares a prediction with that option of
the goal which gives the highest F1 between the two as sets.

The goals have up to 331,776 options, which are not listed. Conditions that are about the same atoms
are put into one group, and the options of a group are listed (256 at most). Options of different
groups have no atom in common, so that right ones and lengths add up, and for a fixed ``share`` the
best of ``right - share * length`` is chosen group by group. F1 is a quotient, twice the right ones
by the lengths of both: Dinkelbach's method comes to the best one in a few rounds of that. If no
option has anything in common with the prediction the shortest is taken.

What counts as an option, under ``corrected``:

- The goals are those of ``bddl`` 1.0.1, also for the three tasks whose goals were changed later
  for the simulators. The instructions were written for them, and the paper's 673 conditions are
  theirs; the changed goal of one of the three (sorting_mail) can never be fulfilled.
- Negative literals count like others: a goal "not stained" is met by saying so, not by saying
  nothing, as an interpretation has to say what is to be reached. That includes goals that hold at
  the start.
- ``nextto`` and ``touching`` hold both ways, so a goal that has them the other way round entails
  the same.
- An option of "exactly n" says of which n it is so, not that it is so of no other. The paper's
  options do not either.
- Options that cannot be fulfilled are none: those with a literal and its negation, and those in
  which a thing is related to itself.

Source: EAI paper, section 2.3 and appendix D.1.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from homebody.core import CORRECTED, Protocol, Score, Suite
from homebody.core.formula import Atom, Not
from homebody.data import behavior as data
from homebody.goals.bddl.options import negation
from homebody.goals.grounding import Literal
from homebody.suites.eai import parsing
from homebody.suites.eai.behavior.demands import DEMANDS
from homebody.suites.eai.behavior.prompts import (
    goal_interpretation_prompt,
    goal_interpretation_system,
)
from homebody.suites.eai.behavior.protocol import PROTOCOLS
from homebody.suites.eai.behavior.tasks import ALIASES, BehaviorTask, load_tasks
from homebody.suites.eai.measures import precision_recall_f1

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.behavior.goal_interpretation"
KINDS = ("state", "relation")
OTHER = "other"
"""The kind of a predicted goal whose predicate does not exist."""

LISTS = {"state": "node goals", "relation": "edge goals"}
STATES = ("cooked", "dusty", "frozen", "open", "sliced", "soaked", "stained", "toggled_on")
RELATIONS = ("inside", "nextto", "onfloor", "ontop", "touching", "under")
SYMMETRIC = frozenset(["nextto", "touching"])
_KIND = {**dict.fromkeys(STATES, "state"), **dict.fromkeys(RELATIONS, "relation")}
_LENGTH = {"state": 2, "relation": 3}

MOST_GOALS = 100
"""Of each kind, as :func:`interpreted_literals` gives them; no official goal has more than 25."""

MAX_SAID = 5
"""Most missed and most wrong goals that an explanation lists."""

Option: TypeAlias = tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One predicted goal, as read.

    Attributes:
        kind: What its predicate is about: ``state``, ``relation`` or ``other``.
        literal: What it says, or None if it can be no goal.
        malformed: It has not as many words as a goal has.
        unknown_predicate: There is no such state or relation.
        unknown_object: It is about an object that is not listed.
    """

    kind: str
    literal: Literal | None
    malformed: bool = False
    unknown_predicate: bool = False
    unknown_object: bool = False

    @property
    def sound(self) -> bool:
        return not (self.malformed or self.unknown_predicate or self.unknown_object)


@dataclass(frozen=True, slots=True)
class _Compared:
    """What was predicted, and the option it is compared with: right, wrong and missed."""

    predicted: tuple[Entry, ...]
    right: tuple[Literal, ...]
    wrong: tuple[Entry, ...]
    missed: tuple[Literal, ...]

    def counts(self, kind: str) -> list[int]:
        wrong = sum(entry.kind == kind for entry in self.wrong)
        return [_number(kind, self.right), wrong, _number(kind, self.missed)]


def score(task: BehaviorTask, output: str, protocol: Protocol) -> Score:
    """Compare the predicted goals with the annotated ones; any text gives a score."""
    entries: list[Entry] = []
    unread, crash = "", ""
    try:
        entries = read(task, output, protocol)
    except parsing.ParsingError as error:
        unread = str(error)
    except (TypeError, LookupError) as error:
        if not protocol.keeps("value_types_unchecked"):
            raise
        crash = f"{type(error).__name__}: {error}"
    return _score(task, entries, _compare(task, entries, protocol), unread, crash, protocol)


# -- reading -------------------------------------------------------------------------------------


def read(task: BehaviorTask, output: str, protocol: Protocol) -> list[Entry]:
    """The predicted goals, those that make no sense included.

    Raises:
        ParsingError: the output is not in the format.
        TypeError, LookupError: only with ``value_types_unchecked``, on goals of other types.
    """
    names = frozenset(row["bddl"] for row in task.objects)
    if protocol.keeps("first_braces_read"):
        lists = list(_first_braces(output).values())
    else:
        lists = _named_lists(output)
    if protocol.keeps("value_types_unchecked"):
        return [_unchecked_entry(i, names) for i in [item for listed in lists for item in listed]]
    entries = []
    for listed in lists:
        if isinstance(listed, list):
            entries += [_entry(item, names) for item in listed]
        else:
            entries.append(Entry(OTHER, None, malformed=True))
    return entries


_BRACES = re.compile(r"\{[^{}]*\}")


def _first_braces(output: str) -> dict[str, Any]:
    parsing.check_length(output)
    text = output.lower().replace("'", '"').replace("toggledon", "toggled_on")
    found = _BRACES.search(text)
    if found is None:
        raise parsing.ParsingError("the output has no JSON object without others in it")
    try:
        value: dict[str, Any] = json.loads(found.group())
    except (ValueError, RecursionError) as error:
        raise parsing.ParsingError(f"the output is not JSON: {error}") from None
    return value


def _named_lists(output: str) -> list[Any]:
    """What the two keys have, the case of all words made even. Of a repeated key the last wins."""
    found = {key.strip().lower(): value for key, value in parsing.parse_object(output)}
    lists = [found[name] for name in LISTS.values() if name in found]
    if not lists:
        wanted = " nor ".join(map(repr, LISTS.values()))
        raise parsing.ParsingError(f"the output has neither {wanted}")
    return [[_even(i, 2) for i in one] if isinstance(one, list) else one for one in lists]


def _even(item: Any, depth: int) -> Any:
    if isinstance(item, str):
        return item.strip().lower().replace("toggledon", "toggled_on")
    if isinstance(item, list) and depth:
        return [_even(word, depth - 1) for word in item]
    return item


def _entry(item: Any, names: frozenset[str]) -> Entry:
    """``[predicate, object, ...]`` or ``["not", [...]]``; anything else is malformed."""
    negative = isinstance(item, list) and len(item) == 2 and item[0] == "not"
    words = item[1] if negative else item
    proper = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not proper or not words or words[0] == "not":
        return Entry(OTHER, None, malformed=True)
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
    )


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
    )


@dataclass(frozen=True, slots=True)
class Interpreted:
    """The goals of an output, for whoever plans for them.

    Attributes:
        literals: Over the names that plans use, each once, in the order of the output.
        readable: False if the output holds no goals because it is not in the format.
        kept: Kind -> number of literals.
        dropped: Malformed goals, goals with names that do not exist, and goals too many.
    """

    literals: tuple[Literal, ...]
    readable: bool
    kept: Mapping[str, int]
    dropped: int

    def record(self) -> dict[str, Any]:
        return {"readable": self.readable, "goals": dict(self.kept), "dropped_goals": self.dropped}


def interpreted_literals(task: BehaviorTask, output: str) -> Interpreted:
    """The predicted goals, as ``corrected`` reads them; never raises."""
    try:
        entries = read(task, output, CORRECTED)
    except parsing.ParsingError:
        return Interpreted((), False, dict.fromkeys(KINDS, 0), 0)
    found = dict.fromkeys(e.literal for e in entries if e.sound and e.literal is not None)
    kept: list[Literal] = []
    numbers = dict.fromkeys(KINDS, 0)
    for literal in found:
        kind = _kind(literal)
        if numbers[kind] < MOST_GOALS:
            numbers[kind] += 1
            kept.append(_renamed(literal, task.names))
    dropped = sum(not entry.sound for entry in entries) + len(found) - len(kept)
    return Interpreted(tuple(kept), True, numbers, dropped)


# -- literals ------------------------------------------------------------------------------------


def _atom(literal: Literal) -> Atom:
    atom = literal if isinstance(literal, Atom) else literal.body
    assert isinstance(atom, Atom)
    return atom


def _kind(literal: Literal) -> str:
    return _KIND[_atom(literal).predicate]


def _number(kind: str, literals: Sequence[Literal]) -> int:
    return sum(_kind(literal) == kind for literal in literals)


def _with_atom(literal: Literal, atom: Atom) -> Literal:
    return atom if isinstance(literal, Atom) else Not(atom)


def _renamed(literal: Literal, names: Mapping[str, str]) -> Literal:
    atom = _atom(literal)
    return _with_atom(literal, Atom(atom.predicate, tuple(names[name] for name in atom.args)))


def _one_way(literal: Literal) -> Literal:
    """The literal with the objects of a symmetric relation sorted."""
    atom = _atom(literal)
    if atom.predicate not in SYMMETRIC:
        return literal
    return _with_atom(literal, Atom(atom.predicate, tuple(sorted(atom.args))))


def _to_itself(literal: Literal) -> bool:
    args = _atom(literal).args
    return len(args) == 2 and args[0] == args[1]


# -- the goal ------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def gold_options(task: str, fulfillable: bool = True) -> tuple[tuple[Option, ...], ...]:
    """The options of each condition of a task, in the official order.

    They are all there are (:func:`homebody.goals.bddl.options` finds the same).

    Args:
        task: Its id.
        fulfillable: Leave out those that relate a thing to itself, where there are others.
    """
    found = []
    for listed in data.load("goals")[task]:
        options = tuple(tuple(map(_literal, option)) for option in listed)
        possible = tuple(o for o in options if not any(map(_to_itself, o)))
        found.append(possible if fulfillable and possible else options)
    return tuple(found)


def _literal(words: Sequence[Any]) -> Literal:
    if words[0] == "not":
        return Not(_literal(words[1]))
    return Atom(words[0], tuple(words[1:]))


@lru_cache(maxsize=256)
def _groups(task: str, fulfillable: bool, both_ways: bool) -> tuple[tuple[Option, ...], ...]:
    """Options of the conditions that are about the same atoms together, without contradictions
    and repetitions. Different groups have no atom in common."""
    conditions = gold_options(task, fulfillable)
    if both_ways:
        conditions = tuple(tuple(tuple(map(_one_way, o)) for o in c) for c in conditions)
    groups: list[tuple[list[int], set[Atom]]] = []
    for place, condition in enumerate(conditions):
        merged = ([place], {_atom(literal) for option in condition for literal in option})
        apart = []
        for group in groups:
            if group[1] & merged[1]:
                merged = ([*group[0], *merged[0]], group[1] | merged[1])
            else:
                apart.append(group)
        groups = [*apart, merged]
    return tuple(_together([conditions[at] for at in sorted(places)]) for places, _ in groups)


def _together(conditions: Sequence[Sequence[Option]]) -> tuple[Option, ...]:
    joined = [
        tuple(dict.fromkeys(literal for part in parts for literal in part))
        for parts in product(*conditions)
    ]
    consistent = [option for option in joined if not _contradicts_itself(option)]
    return tuple({frozenset(option): option for option in reversed(consistent or joined)}.values())[
        ::-1
    ]


def _contradicts_itself(option: Option) -> bool:
    present = set(option)
    return any(negation(literal) in present for literal in option)


def nearest(groups: Sequence[Sequence[Option]], predicted: frozenset[Literal], size: int) -> Option:
    """The option with the best F1, made of one of each group; see the module's text.

    Args:
        groups: Their options; no literal is in two groups.
        predicted: The predicted literals.
        size: How many goals were predicted.
    """
    sized = [[(sum(map(predicted.__contains__, o)), len(o), o) for o in group] for group in groups]
    share, whole = 1, 1
    best: tuple[int, int, Option] | None = None
    while True:
        chosen = [max(group, key=lambda o: whole * o[0] - share * o[1]) for group in sized]
        right, length = sum(o[0] for o in chosen), size + sum(o[1] for o in chosen)
        if best is not None and right * best[1] <= best[0] * length:
            return best[2]
        best = right, length, tuple(literal for o in chosen for literal in o[2])
        share, whole = right, length


def _most_met(conditions: Sequence[Sequence[Option]], predicted: frozenset[Literal]) -> Option:
    """Of each condition the first of the options of which most is predicted."""
    chosen = [max(c, key=lambda o: sum(map(predicted.__contains__, o))) for c in conditions]
    return tuple(literal for option in chosen for literal in option)


def _compare(task: BehaviorTask, entries: Sequence[Entry], protocol: Protocol) -> _Compared:
    if not protocol.keeps("unsound_goals_compared"):
        entries = [entry for entry in entries if entry.sound]
    both_ways = not protocol.keeps("symmetric_relations_directed")
    said = [(entry, _said(entry, both_ways)) for entry in entries]
    if not protocol.keeps("repeated_goals_counted"):
        first = {what: place for place, (_, what) in reversed(list(enumerate(said)))}
        said = [s for place, s in enumerate(said) if s[1] is None or first[s[1]] == place]
    predicted = frozenset(what for _, what in said if what is not None)
    fulfillable = not protocol.keeps("self_relations_asked_for")
    if protocol.keeps("options_chosen_one_by_one"):
        conditions = gold_options(task.id, fulfillable)
        if both_ways:
            conditions = tuple(tuple(tuple(map(_one_way, o)) for o in c) for c in conditions)
        option = _most_met(conditions, predicted)
    else:
        option = nearest(_groups(task.id, fulfillable, both_ways), predicted, len(said))
    if not protocol.keeps("repeated_goals_counted"):
        option = tuple(dict.fromkeys(option))
    asked = set(option)
    return _Compared(
        predicted=tuple(entry for entry, _ in said),
        right=tuple(literal for literal in option if literal in predicted),
        wrong=tuple(entry for entry, what in said if what not in asked),
        missed=tuple(literal for literal in option if literal not in predicted),
    )


def _said(entry: Entry, both_ways: bool) -> Literal | None:
    if entry.literal is None or not both_ways or len(_atom(entry.literal).args) != 2:
        return entry.literal
    return _one_way(entry.literal)


# -- numbers -------------------------------------------------------------------------------------


def _score(
    task: BehaviorTask,
    entries: Sequence[Entry],
    found: _Compared,
    unread: str,
    crash: str,
    protocol: Protocol,
) -> Score:
    counts = {kind: found.counts(kind) for kind in KINDS}
    wrong = sum(entry.kind == OTHER for entry in found.wrong)
    overall = [sum(numbers[at] for numbers in counts.values()) for at in range(3)]
    overall[1] += wrong
    precision, recall, f1 = precision_recall_f1(overall)
    grammar = {
        # whether the objects exist is not asked for this number as published
        "valid": sum(
            not (entry.malformed or entry.unknown_predicate)
            if protocol.keeps("unsound_goals_compared")
            else entry.sound
            for entry in entries
        ),
        "malformed": sum(entry.malformed for entry in entries),
        "unknown_predicate": sum(entry.unknown_predicate for entry in entries),
        "unknown_object": sum(entry.unknown_object for entry in entries),
        "entries": len(entries),
    }
    format_errors = grammar["malformed"] + (1 if unread else 0)
    hallucinations = sum(entry.unknown_predicate or entry.unknown_object for entry in entries)
    record: dict[str, Any] = {
        "identifier": task.id,
        "task": task.task.name,
        "categories": list(task.categories),
        "counts": counts,
        "wrong_of_no_kind": wrong,
        "predicted": {
            kind: sum(entry.kind == kind for entry in found.predicted) for kind in (*KINDS, OTHER)
        },
        "grammar": grammar,
        "readable": not unread,
        "format_errors": format_errors,
        "hallucinations": hallucinations,
        "precision": round(precision, 6),
        "recall": round(recall, 6),
        "f1": round(f1, 6),
        "explanation": f"{unread}." if unread else _explain(task, found, grammar),
    }
    if crash:
        record["published_crash"] = crash
        record["explanation"] = f"The published evaluator breaks down: {crash}."
    metrics = {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "format_error": float(format_errors > 0),
        "hallucination": float(hallucinations > 0),
    }
    return Score(task.id, metrics, record)


def _explain(task: BehaviorTask, found: _Compared, grammar: Mapping[str, int]) -> str:
    right, wrong, missed = len(found.right), len(found.wrong), len(found.missed)
    said = f"{right} right, {wrong} wrong, {missed} missed"
    for key, text in (
        ("unknown_predicate", "with states or relations that do not exist"),
        ("unknown_object", "with objects that do not exist"),
        ("malformed", "malformed"),
    ):
        if grammar[key]:
            said += f", {grammar[key]} {text}"
    sound = [entry.literal for entry in found.wrong if entry.sound and entry.literal is not None]
    for title, literals in (("Missed", found.missed), ("Wrong", sound)):
        if literals:
            more = len(literals) - MAX_SAID
            said += f". {title}: {', '.join(map(_text, literals[:MAX_SAID]))}"
            said += f" and {more} more" if more > 0 else ""
    return said + "."


def _text(literal: Literal) -> str:
    atom = _atom(literal)
    negative = "" if isinstance(literal, Atom) else "not "
    return f"{negative}{atom.predicate}({', '.join(atom.args)})"


_GRAMMAR = {
    "grammatically_valid": "valid",
    "format_error": "malformed",
    "state_hallucination": "unknown_predicate",
    "object_hallucination": "unknown_object",
}


def count(score: Score) -> Counter[str]:
    """What one output adds to the numbers of goals of the summary."""
    record = score.record
    sums: Counter[str] = Counter({f"{key} goals": n for key, n in record["grammar"].items()})
    for kind in KINDS:
        right, wrong, missed = record["counts"][kind]
        sums.update({f"{kind} right": right, f"{kind} wrong": wrong, f"{kind} missed": missed})
    sums["other wrong"] += record["wrong_of_no_kind"]
    sums.update({f"{kind} predicted": n for kind, n in record["predicted"].items()})
    return sums


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Numbers and micro-averaged shares, in the schema of the published summary.

    Shares are between 0 and 1 and 0 of 0 is 0 as published; if ``exact``, for tables, they are
    percentages and 0 of 0 is NaN.
    """

    def section(kinds: Sequence[str], name: str) -> dict[str, Any]:
        right, wrong, missed = (
            sum(sums.get(f"{kind} {what}", 0) for kind in kinds)
            for what in ("right", "wrong", "missed")
        )
        return {
            "num_predicted_conditions": sum(sums.get(f"{kind} predicted", 0) for kind in kinds),
            "num_GT_conditions": right + missed,
            "num_satisfied_conditions": right,
            "num_unsatisfied_conditions": missed,
            "num_false_positive_conditions": wrong,
            f"{name}_confusion_metrics": _measures(right, wrong, missed, exact),
        }

    entries = sums.get("entries goals", 0)
    grammar: dict[str, Any] = {}
    for name, key in _GRAMMAR.items():
        number = sums.get(f"{key} goals", 0)
        grammar[f"{name}_num"] = number
        grammar[f"{name}_rate"] = _share(number, entries, exact)
    return {
        "overall": section((*KINDS, OTHER), "overall"),
        "state_goal": section(("state",), "state_goal"),
        "relation_goal": section(("relation",), "relation_goal"),
        "grammatical_errors": grammar,
    }


def _measures(right: float, wrong: float, missed: float, exact: bool) -> dict[str, float]:
    if exact:
        undefined = not (right or wrong or missed)
        values = precision_recall_f1((right, wrong, missed))
        precision, recall, f1 = (math.nan if undefined else 100 * value for value in values)
    else:
        precision = _share(right, right + wrong, False)
        recall = _share(right, right + missed, False)
        f1 = precision_recall_f1((right, wrong, missed))[2] if right else 0
    return {"precision": precision, "recall": recall, "f1_score": f1}


def _share(part: float, whole: float, exact: bool) -> float:
    if exact:
        return 100 * part / whole if whole else math.nan
    return part / whole if whole else 0


# -- agents that need no model -------------------------------------------------------------------


def render(literals: Sequence[Literal]) -> str:
    """Goals as the prompt asks for them, over BDDL names."""
    lists: dict[str, list[Any]] = {name: [] for name in LISTS.values()}
    for literal in literals:
        atom = _atom(literal)
        words: list[Any] = [atom.predicate, *atom.args]
        lists[LISTS[_kind(literal)]].append(words if literal is atom else ["not", words])
    return json.dumps(lists)


def oracle(task: BehaviorTask, generator: np.random.Generator) -> str:
    """The first option of the goal that can be fulfilled."""
    groups = _groups(task.id, True, False)
    return render([literal for options in groups for literal in options[0]])


def random(task: BehaviorTask, generator: np.random.Generator) -> str:
    """As many random goals of each kind as are annotated, over the listed objects."""
    first = [literal for options in gold_options(task.id) for literal in options[0]]
    names = [row["bddl"] for row in task.objects]

    def pick(options: Sequence[str]) -> str:
        return options[int(generator.integers(len(options)))]

    literals: list[Literal] = []
    for literal in first:
        if _kind(literal) == "state":
            atom = Atom(pick(STATES), (pick(names),))
        else:
            atom = Atom(pick(RELATIONS), (pick(names), pick(names)))
        literals.append(Not(atom) if generator.integers(4) == 0 else atom)
    return render(literals)


def empty(task: BehaviorTask, generator: np.random.Generator) -> str:
    """No goals at all."""
    return render(())


SUITE: Suite[BehaviorTask] = Suite(
    name=NAME,
    title="Turn an instruction into symbolic goals (EAI, BEHAVIOR, 100 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.task.name}: {task.task.instruction}",
    prompt=goal_interpretation_prompt,
    system=goal_interpretation_system,
    score=score,
    count=count,
    rates=rates,
    columns={
        f"{title} {short}": (name, f"{name}_confusion_metrics", metric)
        for title, name in (
            ("State", "state_goal"),
            ("Relation", "relation_goal"),
            ("Overall", "overall"),
        )
        for short, metric in (("P", "precision"), ("R", "recall"), ("F1", "f1_score"))
    },
    tallies={"Format errors": "format_errors", "Halluc. goals": "hallucinations"},
    agents={"oracle": oracle, "random": random, "empty": empty},
    aliases=ALIASES,
    demands=DEMANDS,
    categories=lambda task: task.categories,
)
