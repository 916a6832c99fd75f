"""Published seed tasks, and whether they fit a homebody house.

Each seed of the published repository (section 3.2 of the PARTNR paper) has an instruction and an
initial state, with names of other houses and other objects. :mod:`.counterparts` has homebody's
names for their classes. A task fits a house if all its nouns and places have a counterpart there.
homebody does not include these files: the user gives their path.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from homebody.authoring.language.exchange import replace_nouns
from homebody.authoring.language.mentions import FURNITURE, OBJECT, ROOM, Mention, tokens
from homebody.authoring.partnr.checks.case import SOURCES, case_of
from homebody.authoring.partnr.checks.reference import room_of
from homebody.authoring.partnr.draft import Draft, FailureMode, Rejected, excerpt
from homebody.authoring.partnr.regrounding.counterparts import counterparts
from homebody.authoring.partnr.regrounding.template import (
    Entry,
    Template,
    read_states,
    read_template,
    to_draft,
)
from homebody.authoring.partnr.situation import bears, situation
from homebody.core.ground.nesting import read_json
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.catalogue import STATE_OF, catalogue
from homebody.worlds.house.model.house import House

MAX_BYTES = 20_000_000
MAX_SEEDS = 10_000

_INDEX = re.compile(r"_\d+$")


@dataclass(frozen=True, slots=True)
class Seed:
    """A published seed task and the name of its file."""

    template: Template
    source: str


def read_seeds(folder: Path) -> list[Seed]:
    """Read the seed tasks of all ``.json`` files of a folder, by name of file. Raises HomebodyError
    if there are no tasks, or a file has something else."""
    seeds: list[Seed] = []
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    for file in files:
        if file.stat().st_size > MAX_BYTES:
            raise HomebodyError(f"{file.name} has more than {MAX_BYTES} bytes")
        try:
            raw = read_json(file.read_bytes())
        except ValueError:
            raise HomebodyError(f"{file.name} is not JSON") from None
        if not isinstance(raw, list):
            raise HomebodyError(f"{file.name} is not a list of tasks")
        for number, entry in enumerate(raw):
            try:
                seeds.append(Seed(read_template(entry), file.name))
            except Rejected as why:
                raise HomebodyError(f"{file.name}, task {number}: {why.why}") from None
            if len(seeds) > MAX_SEEDS:
                raise HomebodyError(f"{folder} has more than {MAX_SEEDS} tasks")
    if not seeds:
        raise HomebodyError(
            f"there are no seed tasks in {folder}",
            "give the folder with files such as 300_rearrange_val_template.json",
        )
    return seeds


def fit(seed: Seed, house: House, stand_ins: bool = True) -> Draft:
    """Return a seed task in a house, without an evaluation function.

    Objects, furniture and rooms are replaced by homebody's counterparts. Nouns of the instruction
    that name none of the counterparts are replaced, too. With ``stand_ins``, objects that homebody
    lacks may be replaced by others. Raises Rejected if something has no counterpart.
    """
    template = seed.template
    regions = _regions(template, house)
    pieces: dict[tuple[str, str], str] = {}
    for entry in template.initial_state:
        for region in entry.allowed_regions:
            for name in entry.furniture_names:
                if name != "floor":
                    _find_piece(name, region, regions, pieces, house)
    swaps: dict[str, str] = {}
    entries = tuple(
        _entry(entry, regions, pieces, swaps, stand_ins) for entry in template.initial_state
    )
    draft = to_draft(
        Template(template.instruction, entries),
        house,
    )
    states: dict[str, dict[str, bool]] = {}
    for given in template.initial_furniture_state:
        given_states = read_states(given.object_states)
        rooms = [regions[region] for region in given.allowed_regions if region in regions]
        for kind in given.furniture_classes:
            for piece in house.furniture:
                if piece.category in counterparts().furniture.get(kind, ()) and piece.room in rooms:
                    able = {
                        STATE_OF.get(affordance)
                        for affordance in catalogue().affords(piece.category)
                    }
                    states[piece.name] = {k: v for k, v in given_states.items() if k in able}
    return _reword(replace(draft, furniture_states=states), swaps, pieces, house)


def measure(seeds: Iterable[Seed], house: House, stand_ins: bool = True) -> Counter[str]:
    """Count the seeds that fit a house (under ``fits``), and the others by failure mode."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        try:
            fit(seed, house, stand_ins)
        except Rejected as why:
            counts[why.failure.value] += 1
        else:
            counts["fits"] += 1
    return counts


def _regions(template: Template, house: House) -> dict[str, str]:
    """Return a mapping from each region to a different room of the most similar kind available."""
    room_of_region: dict[str, str] = {}
    named = [region for entry in template.initial_state for region in entry.allowed_regions]
    named += [
        region for entry in template.initial_furniture_state for region in entry.allowed_regions
    ]
    for region in dict.fromkeys(named):
        kind = _INDEX.sub("", region)
        if kind not in counterparts().rooms:
            raise Rejected(
                FailureMode.HALLUCINATION, f"unknown kind of room: {excerpt(region, 40)!r}"
            )
        choices = [
            room.name
            for option in counterparts().rooms[kind]
            for room in house.rooms
            if room.kind == option and room.name not in room_of_region.values()
        ]
        if not choices:
            raise Rejected(FailureMode.HALLUCINATION, f"the house has no {kind} for {region}")
        room_of_region[region] = choices[0]
    return room_of_region


def _find_piece(
    name: str,
    region: str,
    regions: Mapping[str, str],
    pieces: dict[tuple[str, str], str],
    house: House,
) -> None:
    """Find the counterpart of a published piece of furniture; pieces share one only if there are
    too few."""
    if (name, region) in pieces:
        return
    kind = _INDEX.sub("", name)
    taken = set(pieces.values())
    here = [
        piece.name
        for option in counterparts().furniture.get(kind, ())
        for piece in house.furniture
        if piece.category == option and piece.room == regions[region]
        if bears(piece, "on") or bears(piece, "within")
    ]
    if not here:
        raise Rejected(
            FailureMode.HALLUCINATION, f"{regions[region]} has nothing like a {excerpt(kind, 40)}"
        )
    pieces[name, region] = next((piece for piece in here if piece not in taken), here[0])


def _entry(
    entry: Entry,
    regions: Mapping[str, str],
    pieces: Mapping[tuple[str, str], str],
    swaps: dict[str, str],
    stand_ins: bool,
) -> Entry:
    if entry.common_sense_object_classes or not entry.object_classes:
        return Entry(entry.number, common_sense_object_classes=True)
    names = tuple(_object(name, swaps, stand_ins) for name in entry.object_classes)
    region = next(iter(entry.allowed_regions), "")
    places = [pieces[name, region] for name in entry.furniture_names if (name, region) in pieces]
    if not places and region in regions:
        places = [f"floor_{regions[region]}"]
    able = {STATE_OF.get(affordance) for name in names for affordance in catalogue().affords(name)}
    states = {k: v for k, v in read_states(entry.object_states).items() if k in able}
    return Entry(entry.number, names, tuple(places), (), "", states)


def _object(name: str, swaps: dict[str, str], stand_ins: bool) -> str:
    if name in catalogue().things:
        return name
    tables = counterparts()
    category = tables.objects.get(name) or (tables.stand_ins.get(name, "") if stand_ins else "")
    if not category:
        raise Rejected(FailureMode.HALLUCINATION, f"homebody has no {excerpt(name, 40)!r}")
    swaps[name] = category
    return category


def _reword(
    draft: Draft,
    swaps: Mapping[str, str],
    pieces: Mapping[tuple[str, str], str],
    house: House,
) -> Draft:
    """Return the draft with nouns that fit the scene. Raises Rejected if a noun has no
    counterpart."""
    case = case_of(draft, house, situation(draft, house))
    turned: dict[str, str] = {}
    for (name, _), piece in pieces.items():
        turned.setdefault(_INDEX.sub("", name), house.piece[piece].category)
    there = [placed.category for placed in draft.placements]

    def counterpart(mention: Mention) -> str | None:
        words = [token.word for token in tokens(mention.text)]
        singular = "_".join(words).removesuffix("s")
        source = turned.get(singular.replace("shelve", "shelves"), "")
        if (
            source
            and mention.preposition in SOURCES
            and source not in mention.categories(FURNITURE)
        ):
            return source
        rooms = (
            room_of(case, mention) & case.there[ROOM]
            if mention.categories(FURNITURE)
            else frozenset()
        )
        if case.exists(mention) and (not rooms or case.stands(mention, rooms)):
            return None
        for own, other in swaps.items():
            name = own.replace("-", "_").removesuffix("s")
            alike = name == singular or name == "".join(words) or name.endswith(f"_{singular}")
            if alike or name.startswith(f"{singular}_"):
                return other
        if source and not rooms:
            return source
        for kind in (FURNITURE, ROOM, OBJECT):
            options = {
                c for name in sorted(mention.categories(kind)) for c in _similar_categories(name)
            }
            for other in _available(options, kind, house, there, rooms):
                return other
        if case.is_idle(mention):
            return None
        raise Rejected(
            FailureMode.HALLUCINATION, f"{mention.text!r} has no counterpart in this house"
        )

    return replace(draft, instruction=replace_nouns(draft.instruction, counterpart))


def _similar_categories(category: str) -> Iterator[str]:
    """Yield possible counterparts of a category of furniture or a kind of room: the other names in
    the same row."""
    tables = counterparts()
    for options in (*tables.furniture.values(), *tables.rooms.values(), *tables.alike):
        if category in options:
            yield from options


def _available(
    options: set[str], kind: str, house: House, there: Iterable[str], rooms: frozenset[str]
) -> Iterator[str]:
    """Yield the options that a house has, in some kinds of rooms if any are given."""
    if kind == FURNITURE:
        for piece in house.furniture:
            if piece.category in options and (not rooms or house.room[piece.room].kind in rooms):
                yield piece.category
    elif kind == ROOM:
        yield from (room.kind for room in house.rooms if room.kind in options)
    else:
        yield from (category for category in there if category in options)
