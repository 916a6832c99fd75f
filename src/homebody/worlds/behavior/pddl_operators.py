"""The operators that :mod:`.pddl` gives to a planner: the world's actions, each in the ways that a
planner has to tell apart (grasped from inside something, from its top, from the floor ...)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from homebody.worlds.behavior.actions import STATES

_HOW = ("in", "on", "floor", "loose")
STEPS: Mapping[str, tuple[str, tuple[int, ...]]] = {
    **{f"grasp-{how}": ("RIGHT_GRASP", (0,)) for how in _HOW},
    "put-in": ("RIGHT_PLACE_INSIDE", (1,)),
    **{f"put-{how}": ("RIGHT_PLACE_ONTOP", (1,)) for how in ("on", "floor")},
    **{
        f"put-{side}-{how}": (f"RIGHT_PLACE_{name}", (1,))
        for side, name in (("next", "NEXTTO"), ("under", "UNDER"))
        for how in _HOW
    },
    **{f"put-next-{how}-there": ("RIGHT_PLACE_NEXTTO_ONTOP", (1, 2)) for how in ("on", "floor")},
    "let-go": ("RIGHT_RELEASE", (0,)),
    "open-up": ("OPEN", (0,)),
    "shut-up": ("CLOSE", (0,)),
    "switch-on": ("TOGGLE_ON", (0,)),
    "switch-on-plain": ("TOGGLE_ON", (0,)),
    "switch-off": ("TOGGLE_OFF", (0,)),
    **{f"slice-{how}": ("SLICE", (0,)) for how in _HOW},
    **{f"clean-{how}": ("CLEAN", (0,)) for how in ("dry", "wet", "soap", "machine")},
    "soak": ("SOAK", (0,)),
    "soak-running": ("SOAK", (0,)),
    "dry": ("DRY", (0,)),
    "freeze": ("FREEZE", (0,)),
    "unfreeze": ("UNFREEZE", (0,)),
    "cook": ("COOK", (0,)),
}
"""Operator -> action of the world, and which of the operator's objects are the action's."""

_LOCATIONS = {
    "in": ("?p", "(in {} ?p)"),
    "on": ("?p", "(on {} ?p)"),
    "floor": ("?p", "(onfloor {} ?p)"),
    "loose": ("", "(nowhere {})"),
}
"""Suffix of operators -> variable of the place, and the fact that a thing is there."""

PREDICATES = (
    *("(empty)", "(held ?x)", "(nowhere ?x)", "(in ?x ?p)", "(on ?x ?p)", "(onfloor ?x ?p)"),
    *("(flat ?x ?p)", "(stands ?x ?p)", "(nextto ?x ?y)", "(under ?x ?y)", "(there ?x)"),
    *(f"({state} ?x)" for state in STATES),
    *("(movable ?x)", "(openable ?x)", "(switch ?x)", "(dirt ?x)", "(soakable ?x)"),
    *("(cookable ?x)", "(freezable ?x)", "(slicer ?x)", "(tool ?x)", "(cleanser ?x)"),
    *("(water ?p)", "(runs ?p)", "(washer ?p)", "(dishwasher ?p)", "(cooker ?p)", "(cold ?p)"),
    *("(ground ?p)", "(may-in ?x ?p)", "(may-on ?x ?p)", "(may-next ?x ?y)"),
    *("(may-under ?x ?y)", "(halves ?x ?a ?b)"),
    *("(within ?x ?p)", "(deep-in ?x ?p)", "(shut ?x)", "(tight ?x ?p)", "(no-room ?x ?p)"),
)

AXIOMS = (
    "  (:derived (within ?x ?p) (or (in ?x ?p) (on ?x ?p)"
    " (exists (?z) (and (in ?x ?z) (within ?z ?p)))"
    " (exists (?z) (and (on ?x ?z) (within ?z ?p)))))",
    "  (:derived (deep-in ?x ?p) (or (in ?x ?p)"
    " (exists (?z) (and (in ?x ?z) (deep-in ?z ?p)))"
    " (exists (?z) (and (on ?x ?z) (deep-in ?z ?p)))))",
    "  (:derived (shut ?x) (or"
    " (exists (?p) (and (in ?x ?p) (openable ?p) (not (open ?p))))"
    " (exists (?p) (and (in ?x ?p) (shut ?p)))"
    " (exists (?p) (and (on ?x ?p) (shut ?p)))))",
    "  (:derived (no-room ?x ?p) (exists (?c) (and (tight ?x ?c) (deep-in ?p ?c))))",
)


def _operator(name: str, parameters: str, conditions: str, effects: str) -> str:
    return (
        f"  (:action {name}\n    :parameters ({parameters})\n"
        f"    :precondition (and {conditions})\n    :effect (and {effects}))"
    )


def operators(*, edges: bool, cut: bool, floors: bool, tight: bool) -> Iterator[str]:
    """All of them; ``edges``: with what is next to and under things; ``cut``: with slicing;
    ``floors``: there is a floor to put things on, else they can only be let go of; ``tight``: some
    things are too big for containers, and so for what is on or next to what those contain."""
    room = " (not (no-room ?x {}))" if tight else ""
    loose = " (forall (?f - floor) (and (not (flat ?x ?f)) (not (stands ?x ?f))))"
    if edges:
        apart = "(and (not ({0} ?x ?y)) (not ({0} ?y ?x)))"
        carried = (
            "(forall (?y ?z - near) (when (and (within ?y ?x) (not (within ?z ?x)))"
            " (and (not ({0} ?y ?z)) (not ({0} ?z ?y)))))"
        )
        for name in ("nextto", "under"):
            loose += f" (forall (?y - near) {apart.format(name)}) {carried.format(name)}"
    for how, (place, at) in _LOCATIONS.items():
        yield _operator(
            f"grasp-{how}",
            f"?x {place}".strip(),
            f"(movable ?x) {at.format('?x')} (empty) (not (shut ?x))",
            f"(held ?x) (not (empty)) (not {at.format('?x')}){loose}",
        )
    let_go = "(not (held ?x)) (empty)"
    near = "(held ?x) {0} (not (shut ?p)) (not (within ?p ?x))"
    yield _operator(
        "put-in", "?x ?p", near.format("(may-in ?x ?p) (open ?p)"), f"{let_go} (in ?x ?p)"
    )
    yield _operator(
        "put-on", "?x ?p", near.format("(may-on ?x ?p)") + room.format("?p"), f"{let_go} (on ?x ?p)"
    )
    yield _operator("put-floor", "?x ?p", "(held ?x) (ground ?p)", f"{let_go} (onfloor ?x ?p)")
    if not floors:
        yield _operator("let-go", "?x", "(held ?x)", f"{let_go} (nowhere ?x)")
    if edges:
        yield from _beside(let_go, floors, room)
    can = "(there ?x) (not (shut ?x))"
    off = "(not (toggled_on ?x))"
    yield _operator("open-up", "?x", f"(openable ?x) (not (open ?x)) {off} {can}", "(open ?x)")
    yield _operator("shut-up", "?x", f"(openable ?x) (open ?x) {can}", "(not (open ?x))")
    washed = (
        "(forall (?y) (when (and (dirt ?y) (dishwasher ?x) (deep-in ?y ?x))"
        " (and (not (dusty ?y)) (not (stained ?y)))))"
    )
    for extra, condition in (
        ("", "(openable ?x) (not (open ?x))"),
        ("-plain", "(not (openable ?x))"),
    ):
        yield _operator(
            f"switch-on{extra}",
            "?x",
            f"(switch ?x) {condition} {off} {can}",
            f"(toggled_on ?x) {washed}",
        )
    yield _operator("switch-off", "?x", f"(switch ?x) (toggled_on ?x) {can}", off)
    clean, other = "(not (dusty ?x)) (not (stained ?x))", "(held ?t) (not (= ?x ?t))"
    yield _operator(
        "clean-dry",
        "?x ?t",
        f"(dirt ?x) (dusty ?x) (tool ?t) {other} {can}",
        "(not (dusty ?x))",
    )
    yield _operator("clean-wet", "?x ?t", f"(dirt ?x) (tool ?t) (soaked ?t) {other} {can}", clean)
    yield _operator(
        "clean-soap",
        "?x ?t",
        f"(dirt ?x) (stained ?x) (cleanser ?t) {other} {can}",
        "(not (stained ?x))",
    )
    yield _operator(
        "clean-machine",
        "?x ?p",
        f"(dirt ?x) (washer ?p) (toggled_on ?p) (within ?x ?p) {can}",
        clean,
    )
    wet = f"(soakable ?x) (not (soaked ?x)) (water ?p) (within ?x ?p) {can}"
    yield _operator("soak", "?x ?p", f"{wet} (runs ?p)", "(soaked ?x)")
    yield _operator("soak-running", "?x ?p", f"{wet} (toggled_on ?p)", "(soaked ?x)")
    yield _operator("dry", "?x", f"(soakable ?x) (soaked ?x) {can}", "(not (soaked ?x))")
    yield _operator(
        "freeze",
        "?x ?p",
        f"(freezable ?x) (not (frozen ?x)) (cold ?p) (deep-in ?x ?p) {can}",
        "(frozen ?x)",
    )
    yield _operator("unfreeze", "?x", f"(freezable ?x) (frozen ?x) {can}", "(not (frozen ?x))")
    yield _operator(
        "cook",
        "?x ?p",
        f"(cookable ?x) (not (cooked ?x)) (cooker ?p) (within ?x ?p) {can}",
        "(cooked ?x)",
    )
    if cut:
        yield from _slicing(edges)


def _beside(let_go: str, floors: bool, room: str) -> Iterator[str]:
    """Next to and under: the thing gets the support of the other."""
    for side, fact in (
        ("next", "(nextto ?x ?y) (nextto ?y ?x)"),
        ("under", "(under ?x ?y)"),
    ):
        given = f"(held ?x) (may-{side} ?x ?y) (there ?y) (not (shut ?y)) (not (within ?y ?x))"
        for how, stands, result in (
            ("in", "(in ?y ?p)", "(in ?x ?p)"),
            ("on", "(on ?y ?p)", "(on ?x ?p)"),
            ("floor", "(onfloor ?y ?p)", "(onfloor ?x ?p)"),
            ("loose", "(nowhere ?y) (stands ?y ?p)", "(onfloor ?x ?p)")
            if floors
            else ("loose", "(nowhere ?y)", "(nowhere ?x)"),
        ):
            place = " ?p" if "?p" in stands else ""
            yield _operator(
                f"put-{side}-{how}",
                f"?x ?y{place}",
                f"{given} {stands}{room.format('?y')}",
                f"{let_go} {fact} {result}",
            )
    given = "(held ?x) (may-next ?x ?y) (there ?y) (not (held ?y)) (not (shut ?y))"
    both = f"{let_go} (nextto ?x ?y) (nextto ?y ?x)"
    apart = "(not (within ?y ?x)) (not (= ?y ?p)) (not (= ?x ?p))"
    yield _operator(
        "put-next-on-there",
        "?x ?y ?p",
        f"{given} {apart} (may-on ?x ?p) (not (shut ?p)) (not (within ?p ?x)){room.format('?p')}",
        f"{both} (on ?x ?p)",
    )
    yield _operator(
        "put-next-floor-there",
        "?x ?y ?p",
        f"{given} {apart} (ground ?p)",
        f"{both} (onfloor ?x ?p)",
    )


def _slicing(edges: bool) -> Iterator[str]:
    copied = " ".join(
        f"(when ({s} ?x) (and ({s} ?a) ({s} ?b)))"
        for s in STATES
        if s not in ("sliced", "open", "toggled_on")
    )
    if edges:
        copied += " ".join(
            f" (forall (?y - near) (and (when ({r} ?x ?y) (and ({r} ?a ?y) ({r} ?b ?y)))"
            f" (when ({r} ?y ?x) (and ({r} ?y ?a) ({r} ?y ?b)))"
            f" (not ({r} ?x ?y)) (not ({r} ?y ?x))))"
            for r in ("nextto", "under")
        )
    for how, (place, at) in _LOCATIONS.items():
        yield _operator(
            f"slice-{how}",
            f"?x ?a ?b ?t {place}".strip(),
            "(halves ?x ?a ?b) (there ?x) (not (sliced ?x)) (slicer ?t) (held ?t)"
            f" {at.format('?x')} (not (shut ?x))",
            f"(sliced ?x) (sliced ?a) (sliced ?b) (not (there ?x)) (there ?a) (there ?b)"
            f" (not {at.format('?x')}) {at.format('?a')} {at.format('?b')} {copied}",
        )
