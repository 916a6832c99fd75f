"""Jobs: the changes to objects that make due propositions true.

The choices for due propositions determine the place and the state of an object. All compatible
atoms about an object become one job. For example, a cup that belongs on the table and next to a
plate is carried only once. If atoms are incompatible, the atoms that need not hold at the end come
first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from homebody.suites.partnr.episodes.predicates import OPPOSITES, STATES
from homebody.suites.partnr.expert.argument_constraints import Choice, is_compatible
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.expert.requirements import Atom, PropositionStatus, Requirements

OPPOSITE: Final = {
    predicate: opposite for predicate, opposite in OPPOSITES.items() if opposite != "is_dirty"
}
"""State predicate -> the predicate that ends it. No skill makes objects dirty."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done to one object or piece of furniture.

    Attributes:
        kind: ``move``: put it where its atoms hold. ``state``: make its one atom true. ``away``:
            put it where none of ``avoid`` holds.
        name: The object or furniture.
        atoms: Atoms about its place, or the one state.
        near: Objects and furniture that it must be next to.
        avoid: Atoms that must become false.
    """

    kind: str
    name: str
    atoms: tuple[Atom, ...] = ()
    near: tuple[str, ...] = ()
    avoid: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class Agenda:
    """All jobs that are due now.

    Attributes:
        jobs: The jobs, in the order of the propositions.
        wanted: Object -> all atoms about it that must hold now.
        later: Propositions that must not become true yet.
    """

    jobs: tuple[Job, ...]
    wanted: Mapping[str, tuple[Atom, ...]]
    later: tuple[int, ...]


def make_agenda(
    requirements: Requirements,
    now: PropositionStatus,
    chosen: Mapping[int, Choice],
    view: HouseView,
    swapped: Set[Atom] = frozenset(),
    meeting: Mapping[str, str] = MappingProxyType({}),
) -> Agenda:
    """Return the current agenda.

    Args:
        chosen: Proposition -> its concrete atoms.
        swapped: ``is_next_to`` atoms for which the second object is moved next to the first.
        meeting: Object -> its meeting place, if it belongs nowhere else.
    """
    wanted = _wanted_atoms(requirements, now, chosen, view)
    for name, target in meeting.items():
        atoms = wanted.get(name, ())
        near = any(atom[0] == "is_next_to" and not view.is_true(atom) for atom in atoms)
        if near and not is_bound(name, atoms):
            wanted[name] = (*atoms, *meeting_atoms(name, target))
    movers: dict[str, None] = {}
    for name, atoms in wanted.items():
        if any(
            names[0] == name and _is_place(p) and not view.is_true((p, names)) for p, names in atoms
        ):
            movers[name] = None
    for atoms in wanted.values():
        for atom in atoms:
            if atom[0] == "is_next_to" and not view.is_true(atom):
                mover = _choose_mover(atom, movers, wanted, view, atom in swapped)
                if mover:
                    movers[mover] = None
    jobs = []
    for name in movers:
        atoms = wanted[name]
        places = tuple(atom for atom in atoms if _is_place(atom[0]) and atom[1][0] == name)
        others = [_other_name(atom[1], name) for atom in atoms if atom[0] == "is_next_to"]
        jobs.append(Job("move", name, places, tuple(dict.fromkeys(others))))
    for name, atoms in wanted.items():
        jobs += [
            Job("state", name, (atom,))
            for atom in atoms
            if atom[0] in STATES and not view.is_true(atom)
        ]
    jobs += _undo_jobs(requirements, now.undone, jobs, view)
    return Agenda(tuple(jobs), wanted, now.later)


def _wanted_atoms(
    requirements: Requirements,
    now: PropositionStatus,
    chosen: Mapping[int, Choice],
    view: HouseView,
) -> dict[str, tuple[Atom, ...]]:
    """Return a mapping from objects to atoms that must hold at the same time.

    Atoms of due propositions and their dependencies come first, then atoms of satisfied
    propositions that must hold at the end."""
    wanted: dict[str, tuple[Atom, ...]] = {}
    taken: set[int] = set()
    own = dict.fromkeys(now.kept)

    def take(index: int) -> bool:
        if index in taken:
            return True
        atoms = chosen.get(index, ())
        for atom in atoms:
            for name in _things_of(atom):
                if not all(
                    is_compatible(view, name, atom, other) for other in wanted.get(name, ())
                ):
                    return False
        taken.add(index)
        for atom in atoms:
            for name in _things_of(atom):
                if atom not in wanted.get(name, ()):
                    wanted[name] = (*wanted.get(name, ()), atom)
        return True

    for index in sorted(now.due, key=lambda due: (due in requirements.terminal, due)):
        if take(index):
            for head in sorted(requirements.beside.get(index, ())):
                if head in own or head in now.due:
                    take(head)
    for index in own:
        take(index)
    return wanted


def _undo_jobs(
    requirements: Requirements, undone: Iterable[int], jobs: Sequence[Job], view: HouseView
) -> list[Job]:
    """Return jobs that make propositions false, unless another job does."""
    moving = {job.name for job in jobs if job.kind == "move"}
    undoing: dict[str, Job] = {}
    for index in undone:
        for atom in true_atoms(requirements, index, view):
            predicate, names = atom
            if predicate in STATES:
                other = OPPOSITE.get(predicate)
                if other is not None:
                    undoing.setdefault(names[0], Job("state", names[0], ((other, names),)))
                continue
            name = next(filter(view.is_movable, _things_of(atom)), "")
            if name and not moving.intersection(_things_of(atom)):
                before = undoing[name].avoid if name in undoing else ()
                undoing[name] = Job("away", name, avoid=(*before, atom))
    return list(undoing.values())


def true_atoms(requirements: Requirements, index: int, view: HouseView) -> list[Atom]:
    """Return the true atoms, out of the atoms that could satisfy a proposition."""
    return [atom for atom in all_atoms(requirements, index) if view.is_true(atom)]


def all_atoms(requirements: Requirements, index: int, name: str = "") -> list[Atom]:
    """Return all atoms that could satisfy a proposition. With a name, return only atoms about
    it."""
    proposition = requirements.evaluation.propositions[index]
    if proposition.predicate == "is_clustered":
        things = list(dict.fromkeys(thing for names in proposition.lists for thing in names))
        return [
            ("is_next_to", (a, b))
            for k, a in enumerate(things)
            for b in things[k + 1 :]
            if not name or name in (a, b)
        ]
    if len(proposition.lists) == 1:
        return [
            (proposition.predicate, (a,)) for a in proposition.lists[0] if not name or a == name
        ]
    return [
        (proposition.predicate, (a, b))
        for a in proposition.lists[0]
        for b in proposition.lists[1]
        if not name or name in (a, b)
    ]


def can_satisfy(requirements: Requirements, index: int, atom: Atom) -> bool:
    """Return whether an atom could satisfy a proposition, at least in part."""
    proposition = requirements.evaluation.propositions[index]
    predicate, names = atom
    return proposition.predicate == predicate and all(
        name in listed for name, listed in zip(names, proposition.lists, strict=False)
    )


def meeting_atoms(name: str, target: str) -> tuple[Atom, ...]:
    """Return the atoms that put an object on the furniture or floor where it must be next to
    others."""
    if target.startswith("floor_"):
        room = target.removeprefix("floor_")
        return ("is_on_floor", (name,)), ("is_in_room", (name, room))
    return (("is_on_top", (name, target)),)


def is_bound(name: str, atoms: Iterable[Atom]) -> bool:
    """Return whether atoms require that an object is on, in or on the floor of something."""
    kinds = ("is_on_top", "is_inside", "is_on_floor")
    return any(atom[0] in kinds and atom[1][0] == name for atom in atoms)


def _choose_mover(
    atom: Atom,
    movers: Mapping[str, None],
    wanted: Mapping[str, tuple[Atom, ...]],
    view: HouseView,
    swap: bool,
) -> str:
    """Return the object that is moved, out of two future neighbours; empty if one is being moved
    already."""
    first, second = atom[1]
    if first in movers or second in movers:
        # the second is put next to the first, which must not wait for it
        if first in movers and second in movers:
            return ""
        still, moving = (second, first) if first in movers else (first, second)
        return "" if _can_go(moving, still, wanted, view) or not view.is_movable(still) else still
    able = [name for name in (first, second) if view.is_movable(name)]
    if not able:
        return ""
    free = [name for name in able if not any(_is_place(p) for p, _ in wanted.get(name, ()))]
    order = free or able
    return order[-1] if swap else order[0]


def _can_go(
    moving: str, still: str, wanted: Mapping[str, tuple[Atom, ...]], view: HouseView
) -> bool:
    """Return whether a moved object can be put where the other one is."""
    at = view.state.places.get(still)
    for predicate, names in wanted.get(moving, ()):
        if names[0] != moving:
            continue
        if predicate in ("is_on_top", "is_inside") and at is not None and names[1] != at[0]:
            return False
        if predicate == "is_in_room" and view.room(still) != names[1]:
            return False
        if predicate == "is_on_floor" and at is not None and at[0] in view.state.house.piece:
            return False
    return True


def _is_place(predicate: str) -> bool:
    return predicate in ("is_on_top", "is_inside", "is_in_room", "is_on_floor")


def _things_of(atom: Atom) -> tuple[str, ...]:
    return atom[1] if atom[0] == "is_next_to" else atom[1][:1]


def _other_name(names: tuple[str, ...], name: str) -> str:
    return names[1] if names[0] == name else names[0]
