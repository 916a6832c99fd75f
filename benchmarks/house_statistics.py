"""What is in homes: objects a room, categories a house, furniture a room, what comes together.

    python benchmarks/house_statistics.py [--homes 1000] [--workers 4]

Homes of seeds from 0 on, of all types and as many rooms as are drawn. Averages are over homes or
rooms; what comes together are pairs of categories on one surface, by how much likelier the second
is where the first is than anywhere (lift), of pairs that at least one home in five has.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations

from homebody.worlds.house.generation.generate import generate

MOST = 15
"""Pairs that are printed."""


@dataclass
class Counts:
    """What was counted in some homes.

    Attributes:
        homes: A row each: type, rooms, pieces of furniture, objects, categories of furniture,
            categories of objects.
        rooms: Kind of room -> of each such room: pieces of furniture, objects.
        surfaces: Receptacles, floors left out, that have something on or in them.
        on: Category -> surfaces that have such an object.
        pairs: Two categories -> surfaces that have both.
        homes_of: Two categories -> homes in which they are on one surface.
    """

    homes: list[tuple[str, int, int, int, int, int]] = field(default_factory=list)
    rooms: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    surfaces: int = 0
    on: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    homes_of: Counter[tuple[str, str]] = field(default_factory=Counter)


def count(seeds: Sequence[int]) -> Counts:
    """What is in the homes of some seeds."""
    counts = Counts()
    for seed in seeds:
        house = generate(seed)
        counts.homes.append(
            (
                house.type,
                len(house.rooms),
                len(house.furniture),
                len(house.things),
                len({piece.category for piece in house.furniture}),
                len({thing.category for thing in house.things}),
            )
        )
        room_of = {piece.name: piece.room for piece in house.furniture}
        room_of |= {name: room.name for name, room in house.floors.items()}
        pieces = Counter(piece.room for piece in house.furniture)
        things: Counter[str] = Counter()
        surfaces: dict[tuple[str, str], set[str]] = defaultdict(set)
        for thing in house.things:
            owner = thing.place[0]
            while owner in house.thing:
                owner = house.thing[owner].place[0]
            things[room_of.get(owner, "")] += 1
            if thing.place[0] not in house.floors:
                surfaces[thing.place].add(thing.category)
        for room in house.rooms:
            counts.rooms[room.kind].append((pieces[room.name], things[room.name]))
        found: set[tuple[str, str]] = set()
        for categories in surfaces.values():
            counts.surfaces += 1
            counts.on.update(categories)
            both = list(combinations(sorted(categories), 2))
            counts.pairs.update(both)
            found.update(both)
        counts.homes_of.update(found)
    return counts


def merge(parts: Sequence[Counts]) -> Counts:
    """All that was counted, in the order of the parts."""
    whole = Counts()
    for part in parts:
        whole.homes += part.homes
        for kind, rooms in part.rooms.items():
            whole.rooms[kind] += rooms
        whole.surfaces += part.surfaces
        whole.on.update(part.on)
        whole.pairs.update(part.pairs)
        whole.homes_of.update(part.homes_of)
    return whole


def tables(counts: Counts) -> str:
    """The counts as Markdown."""
    types = sorted({home[0] for home in counts.homes})
    lines = ["| homes | number | rooms | furniture | objects | objects a room | furniture "
             "categories | object categories |", "|---|---|---|---|---|---|---|---|"]  # fmt: skip
    for name in ("all", *types):
        homes = [home[1:] for home in counts.homes if name in ("all", home[0])]
        rooms, pieces, things, kinds, sorts = (
            sum(column) / len(homes) for column in zip(*homes, strict=True)
        )
        lines.append(f"| {name} | {len(homes)} | {rooms:.1f} | {pieces:.0f} | {things:.0f} | "
                     f"{things / rooms:.1f} | {kinds:.0f} | {sorts:.0f} |")  # fmt: skip
    amounts = sorted(home[3] for home in counts.homes)
    at = [amounts[int(share * (len(amounts) - 1))] for share in (0, 0.05, 0.5, 0.95, 1)]
    lines += ["", f"Objects a home: least {at[0]}, 5 % {at[1]}, median {at[2]}, 95 % {at[3]}, "
              f"most {at[4]}.", "", "| room | number | furniture | objects |",
              "|---|---|---|---|"]  # fmt: skip
    for kind, rooms in sorted(counts.rooms.items()):
        pieces, things = (sum(column) / len(rooms) for column in zip(*rooms, strict=True))
        lines.append(f"| {kind} | {len(rooms)} | {pieces:.1f} | {things:.1f} |")
    lines += ["", "| together on a surface | homes | lift |", "|---|---|---|"]
    usual = [pair for pair, homes in counts.homes_of.items() if homes * 5 >= len(counts.homes)]
    lift = {
        pair: counts.pairs[pair] * counts.surfaces / (counts.on[pair[0]] * counts.on[pair[1]])
        for pair in usual
    }
    for pair in sorted(lift, key=lambda pair: (-lift[pair], pair))[:MOST]:
        share = counts.homes_of[pair] / len(counts.homes)
        lines.append(f"| {pair[0]}, {pair[1]} | {share:.0%} | {lift[pair]:.0f} |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--homes", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    shares = [range(start, options.homes, 50) for start in range(50)]
    with ProcessPoolExecutor(options.workers) as pool:
        print(tables(merge(list(pool.map(count, shares)))))


if __name__ == "__main__":
    main()
