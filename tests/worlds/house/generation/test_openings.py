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


def test_a_bathroom_of_a_hotel_has_one_door_nearly_always_from_a_room() -> None:
    baths = own = 0
    for seed in range(25):
        house = generate(seed, "hotel", density=0.0, people=0)
        for room in house.rooms:
            if room.kind == "hotel_bathroom":
                doors = [one for one in house.openings if one.is_passage and room.name in one.rooms]
                kinds = {house.room[name].kind for one in doors for name in one.rooms}
                baths += 1
                own += len(doors) == 1 and "hotel_room" in kinds
    assert baths >= 30
    assert own >= 0.7 * baths, (own, baths)
