"""Doorways and windows are where one would have them."""

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Opening


def _width(opening: Opening) -> float:
    (ax, ay), (bx, by) = opening.start, opening.end
    return abs(bx - ax) + abs(by - ay)


def test_bathrooms_and_bedrooms_have_narrow_doorways_and_small_rooms_windows_in_one_wall() -> None:
    entries = catalogue()
    wide = 0
    for kind in ("home", "hotel", "hospital", "restaurant"):
        for seed in range(15):
            house = generate(seed, kind, density=0.0, people=0)
            walls: dict[str, set[tuple[int, float]]] = {}
            for opening in house.openings:
                kinds = [house.room[name].kind for name in opening.rooms]
                if opening.is_passage and _width(opening) > 1.0:
                    wide += 1
                    assert all(entries.door_of(one).leaf < 0.5 for one in kinds), (seed, kinds)
                if opening.kind == "window" and entries.rooms[kinds[0]].area[1] < 12:
                    axis = 0 if opening.start[0] == opening.end[0] else 1
                    walls.setdefault(opening.rooms[0], set()).add((axis, opening.start[axis]))
            assert all(len(of) == 1 for of in walls.values())
    assert wide >= 4
