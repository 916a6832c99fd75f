"""Subgoals that go wrong in many ways, made from the oracle's with a seed.

Nothing here reads files. Each output says under ``kind`` how it was made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from differential.perturb import ROOMS, STATES, Thing, pick, weighted

#: Subgoals as the list in an output has them; what is not a text is there to be refused.
Items = list[Any]


def _words(text: str) -> list[str]:
    return text.split()


CHARACTER = Thing("character", "65")
RELATIONS = _words("ONTOP INSIDE BETWEEN NEXT_TO FACING HOLDS_RH HOLDS_LH")
PROPERTIES = _words("""
    GRABBABLE CUTTABLE CAN_OPEN READABLE HAS_PAPER MOVABLE POURABLE CREAM HAS_SWITCH LOOKABLE
    HAS_PLUG DRINKABLE BODY_PART RECIPIENT CONTAINERS COVER_OBJECT SURFACES SITTABLE LIEABLE PERSON
    HANGABLE CLOTHES EATABLE
""")
#: ``WIPE`` is in one of the two published vocabularies, and it is the one that is read.
ACTIONS = {
    **dict.fromkeys(
        _words("""
            DRINK EAT CUT TOUCH LOOKAT WATCH READ TYPE PUSH PULL MOVE SQUEEZE RINSE SCRUB WASH WIPE
            GRAB SWITCHOFF
        """),
        1,
    ),
    "SLEEP": 0,
    "WAKEUP": 0,
}
ARITY = {
    **dict.fromkeys(STATES, 1),
    **dict.fromkeys(RELATIONS, 2),
    **dict.fromkeys(PROPERTIES, 1),
    **ACTIONS,
}
#: Predicates of goals, of scenes and of the simulator that no subgoal may use, and mere noise.
UNKNOWN = _words("""
    WALK POUR PUTBACK PUTIN PUTON STANDUP SIT LIE FIND TURNTO PLUGIN SWITCHON LOOKAT_LONG CLOSE
    HOLDS OBJ_ONTOP INSIDE_ROOM IN_ROOM NEAR SITTINGRELATION FLY on Ontop then and not forall
""")


@dataclass(frozen=True)
class SubgoalTask:
    """A task, the oracle's subgoals for it, and the objects they can be about."""

    identifier: str
    subgoals: tuple[str, ...]
    relevant: tuple[Thing, ...]
    scene: tuple[Thing, ...]


def named(thing: Thing) -> str:
    return f"{thing.name}.{thing.id}"


def call(name: str, *args: str) -> str:
    return f"{name}({', '.join(args)})"


def some(rng: Generator, task: SubgoalTask) -> Thing:
    """An object of the task, or sometimes any of the scene."""
    near = rng.random() < 0.75 and task.relevant
    return pick(rng, task.relevant if near else task.scene)


def random_call(rng: Generator, task: SubgoalTask) -> str:
    """Any predicate on any objects, with the right number of them."""
    kinds = {"state": 3.0, "relation": 4.0, "action": 4.0, "property": 1.0}
    tables = {
        "state": STATES,
        "relation": RELATIONS,
        "action": list(ACTIONS),
        "property": PROPERTIES,
    }
    name = pick(rng, tables[weighted(rng, kinds)])
    args = [named(some(rng, task)) for _ in range(ARITY[name])]
    if args and name in RELATIONS and rng.random() < 0.5:
        args[0] = named(CHARACTER)
    return call(name, *args)


# Lists that are well formed ----------------------------------------------------------------------


def drop(rng: Generator, items: Items, task: SubgoalTask) -> None:
    if items:
        del items[int(rng.integers(len(items)))]


def swap(rng: Generator, items: Items, task: SubgoalTask) -> None:
    if len(items) > 1:
        at = int(rng.integers(len(items) - 1))
        items[at : at + 2] = items[at : at + 2][::-1]


def duplicate(rng: Generator, items: Items, task: SubgoalTask) -> None:
    """The same subgoal again, at once or later: it holds already."""
    if items:
        at = int(rng.integers(len(items)))
        items.insert(int(rng.integers(at, len(items))) + 1, items[at])


def insert(rng: Generator, items: Items, task: SubgoalTask) -> None:
    for _ in range(int(rng.integers(1, 4))):
        items.insert(int(rng.integers(len(items) + 1)), random_call(rng, task))


def cut_tail(rng: Generator, items: Items, task: SubgoalTask) -> None:
    del items[int(rng.integers(len(items) + 1)) :]


def shuffle(rng: Generator, items: Items, task: SubgoalTask) -> None:
    items[:] = [items[int(at)] for at in rng.permutation(len(items))]


def other_object(rng: Generator, items: Items, task: SubgoalTask) -> None:
    _edit_argument(rng, items, lambda arg: named(some(rng, task)))


def episode(rng: Generator, items: Items, task: SubgoalTask) -> None:
    """Some subgoals that belong together, most of which the simulator takes."""
    made = _episode(rng, task)
    at = int(rng.integers(len(items) + 1))
    items[at:at] = made


def walk(rng: Generator, items: Items, task: SubgoalTask) -> None:
    """A long list that has little to do with the task."""
    items.clear()
    while len(items) < 12 and rng.random() < 0.95:
        items += _episode(rng, task)


def branching(rng: Generator, items: Items, task: SubgoalTask) -> None:
    """Subgoals with two ways each."""
    beds = [t for t in task.scene if t.name in ("bed", "couch", "loveseat")] or [some(rng, task)]
    for _ in range(int(rng.integers(2, 6))):
        made = pick(
            rng,
            (
                call("CLEAN", named(some(rng, task))),
                call("ONTOP", named(CHARACTER), named(pick(rng, beds))),
                call("INSIDE", named(some(rng, task)), named(some(rng, task))),
            ),
        )
        items.insert(int(rng.integers(len(items) + 1)), made)


def hands_full(rng: Generator, items: Items, task: SubgoalTask) -> None:
    """Three things taken one after the other, for two hands."""
    things = [t for t in (*task.relevant, *task.scene) if "GRABBABLE" in t.properties]
    if things:
        taken = [named(pick(rng, things[:40])) for _ in range(3)]
        at = int(rng.integers(len(items) + 1))
        items[at:at] = [call("HOLDS_RH", named(CHARACTER), thing) for thing in taken]


def _episode(rng: Generator, task: SubgoalTask) -> list[str]:
    thing, other = some(rng, task), some(rng, task)
    choices = list(_episodes(rng, thing, other))
    special = [made for made in choices[2:] if made]
    return pick(rng, special) if special and rng.random() < 0.8 else pick(rng, choices[:2])


def _episodes(rng: Generator, thing: Thing, other: Thing) -> Iterator[list[str]]:
    """Ways to deal with a thing; the first two go for all, the others by its properties."""
    has, one, two, me = thing.properties, named(thing), named(other), named(CHARACTER)
    near = call("NEXT_TO", me, one)
    yield [call("INSIDE", me, one)] if thing.name in ROOMS else [near]
    yield [near, call(pick(rng, ("TOUCH", "WASH", "RINSE", "SCRUB", "CLEAN", "LOOKAT")), one)]
    if "CAN_OPEN" in has:
        yield [near, call(pick(rng, ("OPEN", "CLOSED")), one)]
        yield [call("OPEN", one), call("CLOSED", one)]
    if "GRABBABLE" in has:
        hand = call(pick(rng, ("HOLDS_RH", "HOLDS_LH")), me, one)
        yield [hand, call("ONTOP", one, two)]
        yield [call("ONTOP", one, two)]
        yield [call("INSIDE", one, two)]
        yield [call("OPEN", two), call("INSIDE", one, two), call("CLOSED", two), hand]
        yield [hand, call(pick(rng, ("CLEAN", "WIPE")), two), call("ONTOP", one, two)]
        yield [hand, call(pick(rng, ("DRINK", "EAT", "READ", "CUT", "SQUEEZE")), one)]
        if "READABLE" in has:
            yield [call("READ", one), near]
        if "CLOTHES" in has:
            yield [hand, call("ONTOP", one, me)]
        if "DRINKABLE" in has or "POURABLE" in has:
            yield [hand, call("INSIDE", one, two), call("DRINK", one)]
    if "HAS_SWITCH" in has:
        yield [call(pick(rng, ("ON", "OFF", "SWITCHOFF")), one)]
        yield [call("ON", one), call("TYPE", one)]
        yield [call("PLUGGED_IN", one), call("ON", one), call("PLUGGED_OUT", one)]
    if "HAS_PLUG" in has:
        yield [call(pick(rng, ("PLUGGED_IN", "PLUGGED_OUT")), one)]
    if "SITTABLE" in has or "LIEABLE" in has:
        seat = call("ONTOP", me, one)
        yield [seat]
        after = ("SLEEP()", "WAKEUP()", call("TOUCH", two), call("FACING", me, two))
        yield [seat, pick(rng, after)]
    if "LOOKABLE" in has or "HAS_SWITCH" in has:
        yield [call("FACING", me, one), call("WATCH", one)]
    if "MOVABLE" in has:
        yield [call(pick(rng, ("PUSH", "PULL", "MOVE")), one)]


# Lists that are not ------------------------------------------------------------------------------


def _edit(rng: Generator, items: Items, change: Callable[[str], Any]) -> None:
    places = [at for at, item in enumerate(items) if isinstance(item, str)]
    if places:
        at = pick(rng, places)
        items[at] = change(items[at])


def _edit_argument(rng: Generator, items: Items, change: Callable[[str], str]) -> None:
    """One argument of one call, where the item is a plain call."""

    def edit(item: str) -> str:
        name, bracket, rest = item.partition("(")
        if not bracket or not rest.endswith(")") or rest == ")":
            return item
        args = rest[:-1].split(", ")
        at = int(rng.integers(len(args)))
        args[at] = change(args[at])
        return call(name, *args)

    _edit(rng, items, edit)


def arity(rng: Generator, items: Items, task: SubgoalTask) -> None:
    def edit(item: str) -> str:
        more = named(some(rng, task))
        name, _, rest = item.partition("(")
        args = rest.removesuffix(")").split(", ")
        return pick(
            rng,
            (
                call(name, *args[1:]),
                call(name, *args, more),
                call(name, more, more, more),
                call(name),
                name,
                call("BETWEEN", more, named(some(rng, task)), named(some(rng, task))),
                call("SLEEP", more),
                call(name, "unicorn.1", more, more),
            ),
        )

    _edit(rng, items, edit)


def unknown_predicate(rng: Generator, items: Items, task: SubgoalTask) -> None:
    def edit(item: str) -> str:
        return pick(rng, UNKNOWN) + "(" + item.partition("(")[2]

    _edit(rng, items, edit)


def odd_object(rng: Generator, items: Items, task: SubgoalTask) -> None:
    """Names without an id, with a wrong one, or with one that is written otherwise."""

    def edit(arg: str) -> str:
        name, _, number = arg.rpartition(".")
        return pick(
            rng,
            (
                name,
                name,
                f"{name}.0{number}",
                f"{name}.{'0' * 30}{number}",
                f"{name}.{number}0",
                f"{name}.{int(rng.integers(1, 400))}",
                f"{name}.1000",
                f"unicorn.{number}",
                "unicorn",
                arg.upper(),
                f"{name} . {number}",
                f"{name}.{number}.{number}",
                f"{name}_{number}",
                f"-{arg}",
                f"<{name}> ({number})",
                f'"{arg}"',
                number,
                "",
                "x",
                "?x",
                f"{name}.{'9' * 25}",
                f"{name}.\u0661",
                f"t\u00e9l\u00e9phone.{number}",
            ),
        )

    _edit_argument(rng, items, edit)


def case(rng: Generator, items: Items, task: SubgoalTask) -> None:
    _edit(rng, items, lambda item: pick(rng, (item.lower(), item.title(), item.upper())))


#: Items made of one or two others; ``{a}`` and ``{b}`` are calls, ``{x}`` is an object.
COMPOUNDS = (
    "{a} and {b}",
    "{a} and {b}",
    "{a} or {b}",
    "{a} or {b}",
    "{a} then {b}",
    "({a})",
    "({a} and {b})",
    "({a} or {b})",
    "({a}or {b})",
    "{a}or {b}",
    "{a}or{b}and{a}",
    "({a}or {b}) and {a}",
    "({a} then {b})and({b} then {a})",
    "({a} then {b})and {a}",
    "({a} then {b})or {a}",
    "{a} and ({b} then {a})",
    "not {a}",
    "not({a})",
    "not not {a}",
    "not not not {a}",
    "not not not not {a}",
    "not not not not not {a}",
    "not ({a} and {b})",
    "not not ({a} and {b})",
    "not ({a} then {b})",
    "not{a}",
    "{a} and not {b}",
    "{a} then not {b}",
    "not {a} or {b}",
    "{a} or not {b}",
    "{a}and{b}",
    "{a}then{b}",
    "{a} {b}",
    "{a}, {b}",
    "{a} & {b}",
    "{a} AND {b}",
    "{a} OR {b}",
    "{a} -> {b}",
    "{a} and",
    "and {a}",
    "{a} or ",
    "or {a}",
    " or {a}",
    "nothing or {a}",
    "{a} then",
    "then {a}",
    "(({a}))",
    "(({a})",
    "({a} or {b}) or {a}",
    "{a})",
    "forall x. (ON(x))",
    "exists x. (ON(x))",
    "exists x.(HOLDS_RH({x}, x) and {a})",
    "forn 2. x. (ON(x))",
    "forn 2 x. (ON(x))",
    "not exists x. (ON(x))",
    "not not exists x. (ON(x))",
    "{a} or exists x. (ON(x))",
    "{a}or exists x. (ON(x))",
    "exists x. (ONTOP(x, unicorn.1))",
    "exists x. (ONTOP(x))",
    "exists ON. (ON(ON))",
    "forallx.(ON(x))",
    "existsx.(ON(x))",
    "not exists x. (ON(y))",
    "and({x})",
    "then({x})",
    "not({x})",
    "or({x})",
    "forall({x})",
    "ON(not)",
    "ON(and)",
    "ON(then, or)",
    "notON({x})",
    "andON({x})",
    "ON({x})andnotOFF({x})",
    "SLEEP",
    "WAKEUP",
    "STANDUP",
    "SLEEP()",
    "SLEEP( )",
    "STANDUP()",
    "SLEEP and {a}",
    "SLEEP or {a}",
    "SLEEP() or {a}",
    "{a} or SLEEP",
    "sleep",
    "ON()",
    "ON ( {x} )",
    "ON\t(\n{x})",
    "ON(\u00a0{x})",
    "ON({x},)",
    "ON(,{x})",
    "ON(Unknown primitive)",
    "# Unknown primitive: {a}",
    "the door is open",
    "{x}",
    "()",
    "(",
    ")",
    "ON",
    "ON(",
    "ON({x}",
    "1. {a}",
    "{a}.",
    "{a};",
    "'{a}'",
    '"{a}"',
    "[ON] <x> (1)",
)


def compound(rng: Generator, items: Items, task: SubgoalTask) -> None:
    texts = [item for item in items if isinstance(item, str)] or [random_call(rng, task)]
    a = pick(rng, texts)
    b = pick(rng, texts) if rng.random() < 0.5 else random_call(rng, task)
    made = pick(rng, COMPOUNDS).format(a=a, b=b, x=named(some(rng, task)))
    at = int(rng.integers(len(items) + 1))
    items[at : at + int(rng.integers(2))] = [made]


def pair(rng: Generator, items: Items, task: SubgoalTask) -> None:
    """Two neighbours in one item, as outputs often have them."""
    if len(items) > 1 and all(isinstance(item, str) for item in items):
        at = int(rng.integers(len(items) - 1))
        joint = pick(rng, (" and ", " and ", " or ", " then "))
        items[at : at + 2] = [joint.join(items[at : at + 2])]


def blanks(rng: Generator, items: Items, task: SubgoalTask) -> None:
    def edit(item: str) -> str:
        return pick(
            rng,
            (
                f"  {item}  ",
                item.replace("(", " ( "),
                item.replace(", ", ","),
                item.replace("(", "(\n"),
                item.replace("(", "\n("),
                item.replace(")", "\n)"),
                item.replace(", ", " ,\t"),
                item.replace(" ", "\u00a0"),
                f"\u00a0{item}",
                f"{item}\u2003",
                item.replace("(", "\v("),
                item.replace(".", ". "),
                item.replace(" ", "\r\n"),
            ),
        )

    _edit(rng, items, edit)


def odd_item(rng: Generator, items: Items, task: SubgoalTask) -> None:
    odd: tuple[Any, ...] = (
        "",
        " ",
        "\n",
        None,
        1,
        1.5,
        True,
        [],
        ["ON(x)"],
        "null",
        "...",
        "\ud800",
        "\u0000",
    )
    items.insert(int(rng.integers(len(items) + 1)), pick(rng, odd))


QUIET = {
    "drop": drop,
    "swap": swap,
    "duplicate": duplicate,
    "insert": insert,
    "cut_tail": cut_tail,
    "shuffle": shuffle,
    "other_object": other_object,
    "episode": episode,
    "hands_full": hands_full,
    "pair": pair,
}
LOUD = {
    "arity": arity,
    "unknown_predicate": unknown_predicate,
    "odd_object": odd_object,
    "case": case,
    "compound": compound,
    "blanks": blanks,
    "odd_item": odd_item,
}

# Texts -------------------------------------------------------------------------------------------


def rendered(items: Items) -> str:
    return json.dumps({"necessity_to_use_action": "no", "actions_to_include": [], "output": items})


#: Text around or instead of a rendered object.
TEXTS: dict[str, Callable[[Generator, str], str]] = {
    "fence": lambda rng, text: f"```json\n{text}\n```",
    "prose": lambda rng, text: f"Here are the subgoals:\n\n{text}\n\nThey reach the goal.",
    "braces_before": lambda rng, text: f"The goal is {{x}}: {text}",
    "braces_after": lambda rng, text: f"{text} and {{so on}}",
    "two_objects": lambda rng, text: f"{text}\n{rendered(['SLEEP()'])}",
    "two_objects_turned": lambda rng, text: f"{rendered(['SLEEP()'])}\n{text}",
    "nested": lambda rng, text: f'{{"answer": {text}}}',
    "nested_inside": lambda rng, text: text.replace("[]", '{"a": 1}', 1),
    "double_braces": lambda rng, text: f"{{{text}}}",
    "closed_twice": lambda rng, text: f"{text}}}",
    "unclosed": lambda rng, text: text.rstrip("}"),
    "cut": lambda rng, text: text[: int(rng.integers(len(text) + 1))],
    "single_quotes": lambda rng, text: text.replace('"', "'"),
    "no_output": lambda rng, text: text.replace('"output"', '"subgoals"'),
    "output_twice": lambda rng, text: text.replace('"output"', '"output": ["SLEEP()"], "output"'),
    "output_text": lambda rng, text: text.replace('"output": [', '"output": "x", "y": ['),
    "output_null": lambda rng, text: text.replace('"output": [', '"output": null, "y": ['),
    "list": lambda rng, text: text[text.index('"output": ') + 10 : -1],
    "trailing_comma": lambda rng, text: text.replace("]}", ",]}"),
    "comment": lambda rng, text: text.replace('"output"', '// so\n"output"'),
    "lines": lambda rng, text: json.dumps(json.loads(text), indent=2),
    "bare_newlines": lambda rng, text: text.replace(" and ", "\nand\n").replace("(", "(\n", 1),
    "not_a_number": lambda rng, text: text.replace('"no"', "NaN"),
    "empty": lambda rng, text: "",
    "no_json": lambda rng, text: "I cannot do that.",
    "brace_in_item": lambda rng, text: text.replace('"output": [', '"output": ["{ON(x)}", '),
    "brackets_in_item": lambda rng, text: text.replace('"output": [', '"output": ["}}", '),
    "huge_list": lambda rng, text: rendered(json.loads(text)["output"][:1] * 150),
    "huge_formula": lambda rng, text: rendered(["(" * 60 + "SLEEP()" + ")" * 60]),
    "bytes": lambda rng, text: f"\ufeff{text}",
}

#: How often each way to make an output is drawn.
KINDS: dict[str, float] = {
    **dict.fromkeys(QUIET, 1.0),
    **dict.fromkeys(LOUD, 1.0),
    "compound": 5.0,
    "odd_object": 2.0,
    "several": 12.0,
    "several_loud": 3.0,
    "walk": 10.0,
    "branching": 2.0,
    "random": 4.0,
    "text": 4.0,
}


def perturbed(rng: Generator, task: SubgoalTask) -> dict[str, str]:
    """One output for a task."""
    kind = weighted(rng, KINDS)
    items: Items = list(task.subgoals)
    if kind == "text":
        detail = pick(rng, list(TEXTS))
        text = TEXTS[detail](rng, rendered(items))
        return {"identifier": task.identifier, "llm_output": text, "kind": f"text:{detail}"}
    if kind == "random":
        items = [random_call(rng, task) for _ in range(int(rng.integers(1, 8)))]
    elif kind == "several":
        for _ in range(int(rng.integers(2, 6))):
            pick(rng, list(QUIET.values()))(rng, items, task)
    elif kind == "several_loud":
        for _ in range(int(rng.integers(2, 5))):
            pick(rng, list({**QUIET, **LOUD}.values()))(rng, items, task)
    else:
        {**QUIET, **LOUD, "walk": walk, "branching": branching}[kind](rng, items, task)
    return {"identifier": task.identifier, "llm_output": rendered(items), "kind": kind}


def outputs(rng: Generator, tasks: Sequence[SubgoalTask], count: int) -> list[dict[str, str]]:
    """``count`` perturbed outputs for tasks drawn at random."""
    return [perturbed(rng, pick(rng, tasks)) for _ in range(count)]
