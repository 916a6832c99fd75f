"""The worst outputs that anybody has thought of, within the characters that are read: those that
cost most to score, by suite. All of them are to be scored in under two seconds, what a planner may
take aside; the tests count the work, since time is not the same twice.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

LENGTH = 200_000
"""Maximum number of characters of an output that is read."""


def long_outputs(suite: str, task: Any) -> Iterator[tuple[str, str]]:
    """What there is for a suite, over the objects of one of its tasks, each with a name."""
    for kind, make in MAKERS.items():
        if suite.endswith(kind):
            dataset = suite.split(".")[1]
            for name, text in (*make(dataset, task), *_any()):
                assert len(text) <= LENGTH, (suite, name, len(text))
                yield name, text


def filled(
    start: str, pieces: Sequence[str], end: str, between: str = ",", most: int = LENGTH
) -> str:
    """``start``, as many of the pieces, in turn, as fit, and ``end``."""
    room = most - len(start) - len(end)
    taken: list[str] = []
    for piece in itertools.cycle(pieces):
        room -= len(piece) + len(between)
        if room < 0:
            break
        taken.append(piece)
    return start + between.join(taken) + end


# -- texts that are hard to read, whatever is asked for ------------------------------------------


def _any() -> Iterator[tuple[str, str]]:
    half = LENGTH // 2
    for name, piece in {
        "braces": "{",
        "pairs of braces": "{}",
        "brackets": "[",
        "pairs of brackets": "[]",
        "lists of objects": "[{",
        "parentheses": "(",
        "pairs of parentheses": "()",
        "quotes": '"',
        "apostrophes": "'",
        "backslashes": "\\",
        "spaces": " ",
        "newlines": "\n",
        "comments": "[#",
        "keys": '{"a":',
        "keys of lists": '{"a":[',
        "keys of nothing": '"a":[]',
        "thoughts": "<think>",
        "special words": "<|a",
        "operators": "(:action ",
        "fences": "```json\n",
    }.items():
        yield name, filled("", [piece], "", "")
    for depth in (5, 20, 900):
        yield f"{depth} deep object", '{"a":' * depth + "1" + "}" * depth
        yield f"{depth} deep list", "[" * depth + "]" * depth
        inner = "{'a':1}," * ((LENGTH - 2 * depth) // 8)
        yield f"{depth} deep list of many", "[" * depth + inner + "]" * depth
    yield "digits", '{"output": ' + "9" * half + "}"
    yield "a long word", "a" * LENGTH
    yield "a long key", '{"' + "a" * (LENGTH - 10) + '": []}'
    yield "a long text", '{"output": "' + "a " * (half - 20) + '"}'
    yield "a long sum", "[" + "1+" * (half - 5) + "1]"
    yield "a long negative", "[" + "-" * (LENGTH - 5) + "1]"
    yield "open parentheses behind blanks", filled("", ["(" + " " * 500], "", "")
    yield "thought and nothing", "<think>" + "</think" * ((LENGTH - 10) // 7)
    yield "broken objects", filled("", ['{"output": ["' + "a" * 1900 + '"'], "", "")
    yield "objects that end badly", '{"a":1,' * 99 + "1," * ((LENGTH - 1000) // 2)


# -- plans ---------------------------------------------------------------------------------------


def _plans(dataset: str, task: Any) -> Iterator[tuple[str, str]]:
    if dataset == "virtualhome":
        yield from _virtualhome_plans(task)
    else:
        yield from _behavior_plans(task)


def _step(name: str, *things: str) -> str:
    words = [word for thing in things for word in thing.rsplit(".", 1)]
    return f'"{name}":{json.dumps(words, separators=(",", ":"))}'


def _of_kind(task: Any, *properties: str) -> list[str]:
    return [
        name
        for name, thing in task.task.initial.objects.items()
        if set(properties) <= thing.properties
    ]


def _virtualhome_plans(task: Any) -> Iterator[tuple[str, str]]:
    agent = task.task.world.agent
    listed = [name for name in task.relevant if name != agent]
    every = [name for name in task.task.initial.objects if name != agent]
    near = max(every, key=lambda name: len(task.task.initial.targets("NEXT_TO", name)))
    rooms = [name for name in every if task.task.initial.holds("ROOM", (name,))]

    def plan(steps: Sequence[str], before: Sequence[str] = (), after: Sequence[str] = ()) -> str:
        start = "{" + "".join(f"{step}," for step in before)
        return filled(start, steps, "".join(f",{step}" for step in after) + "}")

    for name, things in {"listed": listed, "all": every, "rooms": rooms, "one": [near]}.items():
        for action in ("WALK", "FIND", "TURNTO", "LOOKAT"):
            if things:
                yield f"{action} {name}", plan([_step(action, thing) for thing in things])
    yield "WALK by class", plan([f'"WALK":["{near.rsplit(".", 1)[0]}"]'])
    yield "stand up", plan(['"STANDUP":[]', '"STANDUP":[]'])
    yield "stand up a little", plan(['"STANDUP":[""]'])
    yield "wave hands", plan(['"a":[]'])
    yield (
        "at last a failure",
        plan([_step("WALK", thing) for thing in rooms], (), [_step("OPEN", every[0])]),
    )
    seats = [name for name in every if "SITTABLE" in task.task.initial.objects[name].properties]
    for seat in seats[:1]:
        yield (
            "sit and stand",
            plan([_step("SIT", seat), '"STANDUP":[]'], [_step("WALK", seat), _step("FIND", seat)]),
        )
        yield "sit again", plan([_step("SIT", seat)], [_step("WALK", seat), _step("SIT", seat)])
    for most in (10, 300):
        yield (
            f"carry a pile of {most}",
            plan([_step("WALK", room) for room in rooms], _pile(task, most)),
        )
        pile = _pile(task, most)
        yield f"lift a pile of {most}", plan(['"PUTOBJBACK"' + pile[-1][6:], pile[-1]], pile)
    doors = [
        name
        for name in every
        if {"CAN_OPEN"} <= task.task.initial.objects[name].properties
        and task.task.initial.holds("CLOSED", (name,))
    ]
    things = [name for name in every if {"GRABBABLE"} <= task.task.initial.objects[name].properties]
    switches = [
        name for name in every if {"HAS_SWITCH"} <= task.task.initial.objects[name].properties
    ]
    for door in doors[:1]:
        go = [_step("WALK", door), _step("FIND", door)]
        yield "open and close", plan([_step("OPEN", door), _step("CLOSE", door)], go)
        yield "open again", plan([_step("OPEN", door)], go)
        for thing in things[:1]:
            fetch = [_step("WALK", thing), _step("FIND", thing), _step("GRAB", thing)]
            cycle = [
                *(_step("OPEN", door), _step("PUTBACK", thing, door), _step("GRAB", thing)),
                _step("CLOSE", door),
            ]
            yield "put back and grab", plan(cycle, [*fetch, *go])
            yield "carry about", plan([_step("WALK", room) for room in rooms], fetch)
            yield (
                "grab and put back where it was",
                plan([_step("PUTOBJBACK", thing), _step("GRAB", thing)], fetch),
            )
            yield "grab and drop", plan([_step("DROP", thing), _step("GRAB", thing)], fetch)
            yield "grab again", plan([_step("GRAB", thing)], fetch)
    for switch in switches[:1]:
        go = [_step("WALK", switch), _step("FIND", switch)]
        yield "switch", plan([_step("SWITCHON", switch), _step("SWITCHOFF", switch)], go)
        yield "switch on", plan([_step("SWITCHON", switch)], go)
        yield "plug", plan([_step("PLUGOUT", switch), _step("PLUGIN", switch)], go)
    for action in ("TOUCH", "PUSH", "PULL", "WIPE", "WASH", "POINTAT", "SQUEEZE", "MOVE", "READ"):
        yield action, plan([_step(action, near)], [_step("WALK", near), _step("FIND", near)])


def _pile(task: Any, most: int) -> list[str]:
    """The steps after which the character holds a thing with many others on it."""
    from homebody.core import Action

    world, state = task.task.world, task.task.initial
    things = _of_kind(task, "GRABBABLE")
    steps: list[str] = []
    for thing in things[1:]:
        after, actions = state, []
        for name, args in (
            ("WALK", (thing,)),
            ("FIND", (thing,)),
            ("GRAB", (thing,)),
            ("WALK", (things[0],)),
            ("FIND", (things[0],)),
            ("PUTBACK", (thing, things[0])),
        ):
            outcome = world.step(after, Action(name, args))
            if outcome.failure is not None:
                break
            after = outcome.state
            actions.append(_step(name, *args))
        else:
            state = after
            steps += actions
        if len(steps) > 6 * most:
            break
    return [*steps, _step("FIND", things[0]), _step("GRAB", things[0])]


def _behavior_plans(task: Any) -> Iterator[tuple[str, str]]:
    initial = task.task.initial
    agent = task.task.world.agent
    things = sorted(set(initial.objects) - {agent})

    def step(name: str, thing: str) -> str:
        return f'{{"action":"{name}","object":"{thing}"}}'

    def plan(steps: Sequence[str], before: Sequence[str] = (), after: Sequence[str] = ()) -> str:
        start = "[" + "".join(f"{item}," for item in before)
        return filled(start, steps, "".join(f",{item}" for item in after) + "]")

    world = task.task.world

    def possible(state: Any, name: str) -> list[str]:
        from homebody.core import Action

        if world.schemas[name].arity != 1:
            return []
        return [
            thing for thing in things if world.step(state, Action(name, (thing,))).failure is None
        ]

    from homebody.core import Action

    first = {name: possible(initial, name) for name in world.schemas}
    for name, fits in first.items():
        for thing in fits[:2]:
            after = world.step(initial, Action(name, (thing,))).state
            yield f"{name} again", plan([step(name, thing)])
            for undo in world.schemas:
                if world.schemas[undo].arity != 1:
                    continue
                for other in dict.fromkeys((thing, things[0], things[-1])):
                    outcome = world.step(after, Action(undo, (other,)))
                    if outcome.failure is not None:
                        continue
                    again = world.step(outcome.state, Action(name, (thing,)))
                    if again.failure is None:
                        yield (
                            f"{name} {thing} {undo} {other}",
                            plan([step(name, thing), step(undo, other)]),
                        )
    yield "additional", plan([step("LEFT_RELEASE", things[0]), step("CLOSE", things[0])])
    for name in ("RIGHT_GRASP", "OPEN", "CLOSE", "TOGGLE_ON", "CLEAN", "RIGHT_RELEASE", "SLICE"):
        yield f"{name} all", plan([step(name, thing) for thing in things])
    yield "many objects", plan([step("OPEN", ",".join(things[:50]))])
    yield "no objects", plan([step("OPEN", "")])


# -- subgoals ------------------------------------------------------------------------------------


def _subgoals(dataset: str, task: Any) -> Iterator[tuple[str, str]]:
    objects = list(task.task.initial.objects)
    agent = task.task.world.agent
    if dataset == "behavior":
        from homebody.suites.eai.behavior.tasks import dotted_name

        objects = [dotted_name(thing.name) for thing in task.things]
        one, other, two = "open", "toggled_on", "nextto"
        act, agent = "inside", objects[0]
    else:
        one, other, two, act = "OPEN", "ON", "NEXT_TO", "HOLDS_RH"
    listed = [n for n in getattr(task, "relevant", objects) if n != agent] or objects

    def written(*items: str) -> str:
        return json.dumps({"output": list(items)})

    def whole(pieces: Sequence[str], between: str, most: int = LENGTH) -> str:
        return filled("", pieces, "", between, most - 200)

    pairs = [f"({one}({a}) or {other}({b}))" for a, b in itertools.product(objects, objects)]
    far = [f"{two}({a}, {b})" for a, b in itertools.product(objects, objects) if a != b]
    for most in (3_900, 20_000, 99_000, LENGTH):
        yield f"and of ors {most}", written(whole(pairs, " and ", most))
        yield f"and of relations {most}", written(whole(far, " and ", most))
        yield f"or of relations {most}", written(whole(far, " or ", most))
        yield (
            f"or of ands {most}",
            written(whole([p.replace(" or ", " and ") for p in pairs], " or ", most)),
        )
        yield f"nots {most}", written("not " * ((most - 200) // 4) + f"{one}({objects[0]})")
        yield f"parentheses {most}", written("(" * (most // 2 - 200) + ")" * (most // 2 - 200))
        yield (
            f"and of nots {most}",
            written(whole([f"not {piece}" for piece in far], " and ", most)),
        )
        yield f"implies {most}", written(whole([f"{one}({a})" for a in objects], " implies ", most))
        yield f"then {most}", written(whole([f"{one}({a})" for a in objects], " then ", most))
        yield (
            f"and of exists {most}",
            written(
                whole([f"(exists x. ({two}(x, {a}) and {one}(x)))" for a in objects], " and ", most)
            ),
        )
        yield (
            f"and of foralls {most}",
            written(
                whole([f"(forall x. ({two}(x, {a}) or {one}(x)))" for a in objects], " and ", most)
            ),
        )
        yield (
            f"or of exactly {most}",
            written(whole([f"(forn 2. x. ({two}(x, {a})))" for a in objects], " or ", most)),
        )
        yield f"a long name {most}", written(f"{one}({'a' * (most - 200)})")
        yield f"long arguments {most}", written(f"{one}({', '.join(['a'] * (most // 3 - 100))})")
    for count in (20, 60, 200, 2_000, 8_000):
        for name, pieces in {
            "states": [f"{one}({a})" for a in listed],
            "states of all": [f"{one}({a})" for a in objects],
            "relations": [f"{two}({agent}, {a})" for a in listed],
            "relations of all": [f"{two}({agent}, {a})" for a in objects],
            "of two": far,
            "acts": [f"{act}({agent}, {a})" for a in listed],
            "pairs": pairs,
            "two relations": [
                f"{a} and {b}" for a, b in itertools.islice(itertools.pairwise(far), 999)
            ],
        }.items():
            items = list(itertools.islice(itertools.cycle(pieces), count))
            text = written(*items)
            if len(text) <= LENGTH:
                yield f"{count} {name}", text
    for depth in range(1, 8):
        variables = [f"x{at}" for at in range(depth)]
        bodies = {
            "chain": [f"{two}({a}, {b})" for a, b in itertools.pairwise([*variables, objects[0]])],
            "states": [f"{one}({a})" for a in variables],
            "nothing": [f"{one}({objects[0]})"],
            "clique": [f"{two}({a}, {b})" for a in variables for b in variables if a != b]
            or [f"{one}(x0)"],
        }
        for word in ("exists {}. (", "forall {}. (", "forn 1. {}. ("):
            for name, body in bodies.items():
                for joint in (" and ", " or "):
                    head = "".join(word.format(variable) for variable in variables)
                    text = head + joint.join(body) + ")" * depth
                    yield f"{depth} {word.split()[0]} {name}{joint}", written(text)
                    yield f"200 {depth} {word.split()[0]} {name}{joint}", written(*[text] * 200)
        if dataset == "behavior":
            categories = list(
                dict.fromkeys(thing.category.replace(".", "_") for thing in task.things)
            )
            text = f"{one}({objects[0]})"
            for kind in itertools.islice(itertools.cycle(categories), depth):
                text = f"forall({kind}, {text})"
            yield f"{depth} categories", written(text)
            text = f"{two}({categories[0]}, {categories[-1]})"
            for _ in range(depth):
                text = f"forpairs({categories[0]}, {categories[-1]}, {text})"
            yield f"{depth} pairs of categories", written(text)
            text = f"{two}({categories[0]}, {categories[-1]})"
            for _ in range(depth):
                text = f"fornpairs(99999, {categories[0]}, {categories[-1]}, {text})"
            yield f"{depth} counted pairs", written(text)
    yield "many of one", written(*[f"{one}({objects[0]})"] * 7_000)
    yield "empty texts", written(*[""] * 40_000)
    yield "one choice", written(whole([f"{one}({a})" for a in objects], " or "))
    yield "full stops", written(*["1. ." * 400] * 100)


# -- goals ---------------------------------------------------------------------------------------


def _goals(dataset: str, task: Any) -> Iterator[tuple[str, str]]:
    if dataset == "virtualhome":
        names = [n.rsplit(".", 1)[0] for n in task.relevant] or ["character"]
        nodes = [f'{{"name":"{n}","state":"{s}"}}' for n in names for s in ("ON", "OFF", "OPEN")]
        edges = [
            f'{{"from_name":"{a}","relation":"ON","to_name":"{b}"}}' for a in names for b in names
        ]
        acts = [f'{{"action":"{a}","":"{i}"}}' for i in range(5000) for a in ("TYPE", "GRAB")]
        for name, pieces, key in (
            ("nodes", nodes, "node goals"),
            ("edges", edges, "edge goals"),
            ("actions", acts, "action goals"),
            ("one action", acts[:1], "action goals"),
        ):
            lists = {k: "[]" for k in ("node goals", "edge goals", "action goals") if k != key}
            start = "{" + "".join(f'"{k}":{v},' for k, v in lists.items()) + f'"{key}":['
            yield name, filled(start, pieces, "]}")
            differing = [
                piece[:-1] + f',"x":{at}}}'
                for at, piece in zip(range(9999), itertools.cycle(pieces))
            ]
            yield f"differing {name}", filled(start, differing, "]}")
            yield f"nested {name}", filled(start, ['{"a":' * 50 + "1" + "}" * 50], "]}")
        return
    things = [thing.name for thing in task.things]
    nodes = [f'["{s}","{a}"]' for a in things for s in ("open", "stained", "soaked")]
    edges = [f'["inside","{a}","{b}"]' for a in things for b in things]
    for name, pieces, key in (("nodes", nodes, "node goals"), ("edges", edges, "edge goals")):
        other = "edge goals" if key == "node goals" else "node goals"
        start = f'{{"{other}":[],"{key}":['
        yield name, filled(start, pieces, "]}")
        yield f"no {name}", filled(start, [p.replace('["', '["not","') for p in pieces], "]}")
        yield f"nested {name}", filled(start, ["[" * 50 + "]" * 50], "]}")
    names = [thing.name for thing in task.things]
    edges = [f'["nextto","{a}","{b}"]' for a in names for b in names]
    yield "all beside all", filled('{"node goals":[],"edge goals":[', edges, "]}")


# -- operators -----------------------------------------------------------------------------------


def _operators(dataset: str, task: Any) -> Iterator[tuple[str, str]]:
    reference = task.reference
    name = task.to_define[0]
    operator = reference.operators[name]
    head = " ".join(f"{p.name} - {p.type}" for p in operator.parameters)
    unary = [p for p, kinds in _arities(reference).items() if kinds == 1]
    binary = [p for p, kinds in _arities(reference).items() if kinds == 2]
    one = operator.parameters[-1].name

    def written(*operators: str) -> str:
        return json.dumps({"output": "\n".join(operators)})

    def action(
        pre: str, eff: str = "()", parameters: str = head, called: str = name, whole: bool = True
    ) -> str:
        return f"(:action {called} :parameters ({parameters}) :precondition {pre} :effect {eff})"

    def joined(word: str, pieces: Sequence[str], most: int) -> str:
        room, taken = most - 1000, []
        for piece in itertools.cycle(pieces):
            room -= len(piece) + 1
            if room < 0:
                break
            taken.append(piece)
        return f"({word} {' '.join(taken)})"

    atoms = [f"({p} {one})" for p in unary] or [f"({p} {one} {one})" for p in binary]
    twos = [f"({p} {one} {one})" for p in binary] or atoms
    ors = [f"(or {a} {b})" for a, b in itertools.product(atoms + twos, repeat=2)]
    ands = [piece.replace("(or", "(and") for piece in ors]
    nots = [f"(not {piece})" for piece in ors]
    quantified = [
        f"(exists (?x{at} - object) ({p} ?x{at} {one}))" for at in range(300) for p in binary
    ]
    for most in (5_000, 40_000, 190_000):
        for label, pieces in {
            "ors": ors,
            "ands": ands,
            "nots": nots,
            "atoms": atoms,
            "exists": quantified,
            "whens": [f"(when {a} {b})" for a, b in itertools.product(atoms, atoms)],
            "foralls": [p.replace("exists", "forall") for p in quantified],
        }.items():
            for word in ("and", "or"):
                tree = joined(word, pieces, most)
                yield f"{word} of {label} {most}", written(action(tree))
                yield f"effect {word} of {label} {most}", written(action("()", tree))
    for depth in (2, 3, 4, 5, 6, 8, 12, 20):
        for word in ("exists", "forall"):
            for label, body in {
                "chain": [f"({binary[0]} ?v{a} ?v{a + 1})" for a in range(depth - 1)],
                "clique": [
                    f"({binary[0]} ?v{a} ?v{b})" for a in range(depth) for b in range(depth)
                ],
                "parts": [f"({p} ?v{a} {one})" for a in range(depth) for p in binary[:8]],
            }.items():
                inner = f"(and {' '.join(body)})"
                nest = inner
                for at in reversed(range(depth)):
                    nest = f"({word} (?v{at} - object) {nest})"
                row = " ".join(f"?v{at} - object" for at in range(depth))
                flat = f"({word} ({row}) {inner})"
                yield f"{depth} nested {word} {label}", written(action(nest))
                yield f"{depth} flat {word} {label}", written(action(flat))
                yield f"effect {depth} {word} {label}", written(action("()", flat))
                many = max(1, 180_000 // len(nest))
                yield (
                    f"many {depth} nested {word} {label}",
                    written(action(f"(and {' '.join([nest] * many)})")),
                )
                different = [nest.replace(binary[0], p) for p in binary]
                yield (
                    f"{depth} nested different {word} {label}",
                    written(action(joined("and", different, 190_000))),
                )
    for count in (5, 20, 100, 1_000, 10_000):
        row = " ".join(f"?p{at} - object" for at in range(count))
        if len(row) < 190_000:
            yield f"{count} parameters", written(action("()", "()", row))
            conditions = " ".join(
                f"({unary[0] if unary else binary[0]} ?p{at})" for at in range(count)
            )
            if len(row) + 2 * len(conditions) < 190_000:
                yield (
                    f"{count} parameters with conditions",
                    written(action(f"(and {conditions})", f"(and {conditions})", row)),
                )
    few = [action(p, p, head, called) for called in task.to_define for p in (atoms[0],)]
    yield "operators again", written(*_fitted(few))
    yield (
        "operators of other names",
        written(*_fitted([action(atoms[0], atoms[0], head, f"a{at}") for at in range(3_000)])),
    )
    yield "empty operators", written(*_fitted([f"(:action a{at})" for at in range(12_000)]))
    for depth in (50, 90, 140, 1_000, 40_000):
        yield (
            f"{depth} ands",
            written(action("(and " * depth + atoms[0] + ")" * depth)[: LENGTH - 99]),
        )
        yield (
            f"{depth} nots",
            written(action("(not " * depth + atoms[0] + ")" * depth)[: LENGTH - 99]),
        )
        wide = f"(and {' '.join(atoms[:40])} "
        if depth * len(wide) < 190_000:
            yield f"{depth} wide ands", written(action(wide * depth + atoms[0] + ")" * depth))
            either = f"(or {' '.join(atoms[:3])} (and {' '.join(atoms[:2])} "
            yield (
                f"{depth} ands and ors",
                written(action(either * (depth // 2) + atoms[0] + "))" * (depth // 2)))[:LENGTH],
            )
    yield "closed heads", written(*_fitted([f"(:action {name}) :parameters ()"]))
    yield "starts", written(*_fitted(["(:action a :parameters"]))
    yield "comments", written(*_fitted([";" * 100]))
    yield "colons", written(*_fitted([":parameters :precondition :effect"]))


def _arities(reference: Any) -> dict[str, int]:
    predicates = reference.domain.predicates
    return {name: len(parameters) for name, parameters in predicates.items()}


def _fitted(pieces: Sequence[str]) -> list[str]:
    room, taken = 190_000, []
    for piece in itertools.cycle(pieces):
        room -= len(piece) + 4
        if room < 0:
            return taken
        taken.append(piece)
    return taken


MAKERS: dict[str, Callable[[str, Any], Iterator[tuple[str, str]]]] = {
    "action_sequencing": _plans,
    "subgoal_decomposition": _subgoals,
    "goal_interpretation": _goals,
    "transition_modeling": _operators,
}
