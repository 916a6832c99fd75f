"""Activities of BEHAVIOR-1K as tasks of the BEHAVIOR world, with sampled initial states.

The world is made for the predicates and abilities of BEHAVIOR-100. BEHAVIOR-1K has different ones.
Equivalent ones are translated:

- ``covered x dust.n.01`` is ``dusty x``, ``covered x stain.n.01`` is ``stained x``.
- ``saturated x water.n.06`` is ``soaked x`` for objects that can be soaked.
- ``ontop`` of a floor is ``onfloor``, as in the world.
- ``real`` of a half that slicing makes (``half__apple.n.01_1``) is ``sliced``: the half is a part
  of a whole in this activity, ``apple_0_part_0``.
- ``particleRemover`` is ``cleaningTool``, and also ``soakable`` if it works by contact. An object
  that is filled with, or a source of, a substance that removes stains (by the conditions of
  particle
  removers: detergent, liquid soap, vinegar ...) cleans like detergent.
- ``openable``, ``toggleable``, ``cookable``, ``freezable``, ``sliceable``, ``slicer``,
  ``dustyable``, ``stainable``, ``heatSource``, ``coldSource`` and ``waterSource`` keep their names.

No action changes any other fact (``filled``, ``contains``, other ``covered``, ``attached``,
``draped``, ``folded``, ``hot`` ...): goals that require such changes are out of reach. Goals about
objects that only cooking or mixing makes (``future``) are out of reach, too: these objects are
absent and cannot be acted on. An object ``filled`` with something ``contains`` it. Substances are
objects that cannot be grasped. Unary states that are not stated do not hold, except those that the
world assumes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

from homebody.core import CORRECTED, Fact, HomebodyError, Protocol, Task
from homebody.core.formula import Atom, Formula, atom_of, atoms, is_variable, with_atoms
from homebody.data import behavior1k as data
from homebody.data.store import disable_collection
from homebody.goals.bddl import (
    BDDLError,
    BDDLGoal,
    Problem,
    condition_text,
    parse_problem,
    phrase,
    rename_objects,
    sentence,
)
from homebody.suites.eai.behavior.tasks import AGENT, BehaviorTask, unstated_facts
from homebody.suites.eai.behavior1k.sampling import FLOOR, Sample, abilities, cleansers, sample
from homebody.suites.eai.behavior1k.volumes import volumes
from homebody.worlds.behavior import WORLD_QUIRKS, Behavior, Thing, scene

DUST, STAIN, WATER = "dust.n.01", "stain.n.01", "water.n.06"
A_PINCH = 0.001
"""Volume of a substance in litres. It is small, so that nothing fits inside."""


def load_tasks(protocol: Protocol = CORRECTED, seed: int = 0) -> Sequence[BehaviorTask]:
    """Load all activities that can be loaded, by name, with worlds that follow ``protocol``.

    Args:
        protocol: Protocol of the worlds.
        seed: Seed of scenes and objects.

    Raises:
        HomebodyError: The data is missing and cannot be fetched.
    """
    return _load(protocol.kept_quirks(WORLD_QUIRKS), seed)[0]


def load_task(activity: str, protocol: Protocol = CORRECTED, seed: int = 0) -> BehaviorTask:
    """Load one activity. Raises HomebodyError if it does not exist or cannot be loaded."""
    text = data.load("activities").get(activity)
    if text is None:
        raise HomebodyError(
            f"unknown activity: {activity!r}",
            "see: homebody list eai.behavior1k.action_sequencing",
        )
    try:
        return _build(activity, text, protocol.kept_quirks(WORLD_QUIRKS), seed)
    except ValueError as error:
        raise HomebodyError(f"{activity} cannot be loaded: {error}") from None


def unloadable_activities(seed: int = 0) -> Mapping[str, str]:
    """Map each activity that cannot be loaded to the reason."""
    return _load(frozenset(), seed)[1]


@lru_cache(maxsize=2)
def _load(quirks: frozenset[str], seed: int) -> tuple[tuple[BehaviorTask, ...], dict[str, str]]:
    tasks, failed = [], {}
    with disable_collection():
        for activity, text in data.load("activities").items():
            try:
                tasks.append(_build(activity, text, quirks, seed))
            except ValueError as error:  # BDDLError, or facts that contradict
                failed[activity] = str(error)
    return tuple(tasks), failed


@lru_cache(maxsize=2000)
def _parse(text: str) -> Problem:
    return parse_problem(text)


def _build(activity: str, text: str, quirks: frozenset[str], seed: int) -> BehaviorTask:
    """Build a task. Raises ValueError if it is not BDDL, or its facts contradict."""
    problem = _parse(text)
    problem = replace(problem, objects={k: v for k, v in problem.objects.items() if k != AGENT})
    stated = [literal for literal in problem.initial if isinstance(literal, Atom)]
    rooms = {a.args[0]: a.args[1] for a in stated if a.predicate == "inroom"}
    for name in rooms:
        if name not in problem.objects:
            raise BDDLError(f"{name} is in a room, and is not declared")
    future = {a.args[0] for a in stated if a.predicate == "future"}
    chosen = sample(activity, problem.objects, rooms, seed)
    names = _names(problem.objects, chosen, rooms)
    halves = _halves(problem.objects, future, chosen, names)
    names |= halves
    sources = {
        a.args[0]
        for a in stated
        if a.predicate in ("filled", "insource")
        and problem.objects.get(a.args[1]) in cleansers(STAIN)
    }
    sizes = volumes(
        {name: (chosen.models[name], chosen.kinds[name]) for name in problem.objects},
        _inside(problem),
    )
    things = {
        name: replace(
            _make_thing(names[name], category, chosen.kinds[name], name in rooms),
            litres=A_PINCH if "substance" in abilities(category) else sizes[name],
        )
        for name, category in problem.objects.items()
        if name not in halves
    }
    for name in sorted(future & things.keys()):  # never made: absent for good
        things[name] = replace(things[name], abilities=frozenset({"PART"}), fixed=True)
    for name in sorted(sources & things.keys()):
        things[name] = replace(things[name], abilities=things[name].abilities | {"CLEANSER"})
    translate = _translation(problem.objects, things, halves)
    initial = [
        literal
        for literal in problem.initial
        if atom_of(literal).predicate not in ("inroom", "future")
    ]
    facts = [
        (isinstance(literal, Atom), _fact(translate(atom_of(literal)), names))
        for literal in initial
    ]
    facts += [
        (True, ("contains", *fact[1:]))
        for positive, fact in facts
        if positive and fact[0] == "filled"
    ]
    holding = [fact for positive, fact in facts if positive]
    there_now = [("real", thing.name) for name, thing in things.items() if name not in future]
    denied = [fact for positive, fact in facts if not positive]
    not_so = [("not", *fact) for fact in denied]
    there = tuple(things.values())
    unstated = unstated_facts(there, rooms, names, holding, denied)
    world = Behavior(AGENT, quirks)
    wanted = replace(
        problem,
        conditions=tuple(with_atoms(condition, translate) for condition in problem.conditions),
    )
    judged = rename_objects(wanted, names)
    task = Task(
        id=activity,
        name=activity,
        instruction=sentence(judged.conditions),
        world=world,
        initial=scene(there, [*holding, *unstated, *there_now, *not_so], AGENT),
        goal=BDDLGoal.of(judged, world.view),
    )
    raw = {
        "id": activity,
        "activity": activity,
        "definition": "0",
        "scene": chosen.scene,
        "instance": seed,
        "instruction": task.instruction,
        "phrases": [phrase(condition) for condition in judged.conditions],
        "problem": text,
        "original": None,
        "objects": [
            {
                "bddl": name,
                "category": problem.objects[name],
                "name": thing.name,
                "model": chosen.models[name],
                "synset": thing.kind,
            }
            for name, thing in things.items()
        ],
        "rooms": rooms,
        "initial": [
            [*(() if positive else ("not",)), *fact] for positive, fact in dict.fromkeys(facts)
        ],
        "goal": [words(condition) for condition in judged.conditions],
        "plan": [],
    }
    return BehaviorTask(
        task=task,
        problem=judged,
        names=names,
        things=there,
        unstated=unstated,
        categories=(),
        raw=raw,
    )


def words(condition: Formula) -> list[str]:
    """Return the words of a condition without nesting, as the official prompts write it."""
    text = re.sub(r"[()]", " ", condition_text(condition))
    return [word.removeprefix("?") for word in text.split()]


def _names(objects: Mapping[str, str], chosen: Sample, rooms: Mapping[str, str]) -> dict[str, str]:
    """Map each object to its name in plans: ``apple_0``, ``room_floor_kitchen_0``."""
    seen: dict[str, int] = {}
    names = {}
    for name in objects:
        word = chosen.models[name]
        if chosen.kinds[name] == FLOOR:
            word = f"room_floor_{rooms.get(name, 'house')}"
        number = seen.get(word, 0)
        seen[word] = number + 1
        names[name] = f"{word}_{number}"
    return names


def _halves(
    objects: Mapping[str, str], future: Iterable[str], chosen: Sample, names: Mapping[str, str]
) -> dict[str, str]:
    """Map each half that slicing makes to a part of a whole. Each whole has two parts."""
    parts: dict[str, list[str]] = {}
    for name in objects:
        made = abilities(chosen.kinds[name]).get("sliceable", {}).get("sliceable_derivative_synset")
        if made is not None and name not in future:
            parts.setdefault(made, []).extend(f"{names[name]}_part_{i}" for i in range(2))
    halves: dict[str, str] = {}
    for name, category in objects.items():
        free = parts.get(category)
        if name in future and free:
            halves[name] = free.pop(0)
    return halves


def _inside(problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield every object and container with an ``inside`` in the activity's facts or goal."""

    def objects(term: str) -> Sequence[str]:
        # the variables of bddl are named like their categories
        if not is_variable(term):
            return (term,)
        return [name for name, category in problem.objects.items() if category == term[1:]]

    wanted = (atom for condition in problem.conditions for atom in atoms(condition))
    for atom in (*(atom_of(literal) for literal in problem.initial), *wanted):
        if atom.predicate == "inside":
            yield from product(objects(atom.args[0]), objects(atom.args[1]))


def _make_thing(name: str, category: str, kind: str, in_room: bool) -> Thing:
    of_kind = abilities(kind)
    if "substance" in of_kind:
        return Thing(name, category, kind, fixed=True)
    can = {*of_kind}
    remover = of_kind.get("particleRemover")
    if remover is not None:
        can.add("cleaningTool")
        if remover.get("method") == "adjacency":
            can.add("soakable")
    floor = kind == FLOOR
    return Thing(name, category, kind, frozenset(can), fixed=in_room and not floor, floor=floor)


def _translation(
    objects: Mapping[str, str], things: Mapping[str, Thing], halves: Mapping[str, str]
) -> Callable[[Atom], Atom]:
    """Return the translation of BEHAVIOR-1K's atoms to this world; see the module's docstring."""
    made = {objects[name] for name in halves}
    remaining = {c for name, c in objects.items() if c in made and name not in halves}

    def category(term: str) -> str:
        # the variables of bddl are named like their categories
        return term[1:] if is_variable(term) else objects.get(term, "")

    def translate(atom: Atom) -> Atom:
        match atom.predicate, atom.args:
            case "covered", (thing, substance) if category(substance) == DUST:
                return Atom("dusty", (thing,))
            case "covered", (thing, substance) if category(substance) == STAIN:
                return Atom("stained", (thing,))
            case "saturated", (thing, substance) if category(substance) == WATER:
                wet_thing = things.get(thing)
                if wet_thing is not None and "soakable" in wet_thing.abilities:
                    return Atom("soaked", (thing,))
            case "real", (thing,) if category(thing) in made - remaining:
                return Atom("sliced", (thing,))
        return atom

    return translate


def _fact(atom: Atom, names: Mapping[str, str]) -> Fact:
    return (atom.predicate, *(names.get(name, name) for name in atom.args))


def state_facts(task: BehaviorTask) -> Sequence[Sequence[str]]:
    """Return the initial state as prompts list it: stated facts, then unstated ones."""
    rows: list[Any] = [*task.raw["initial"]]
    return [*rows, *(list(fact) for fact in task.unstated if list(fact) not in rows)]
