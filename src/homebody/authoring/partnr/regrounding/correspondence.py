"""Counterparts of the rooms and furniture of a task in another house; see :mod:`.adapt`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from homebody.authoring.language.mentions import FURNITURE, OBJECT, ROOM, Mention
from homebody.authoring.language.names import join_words, lexicon
from homebody.authoring.partnr.checks.case import Case
from homebody.authoring.partnr.checks.reference import room_of
from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.regrounding.counterparts import counterparts
from homebody.authoring.partnr.situation import BEARING, bears
from homebody.goals.partnr import Proposition
from homebody.suites.partnr.episodes.predicates import AFFORDANCE
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House

Needs = Mapping[tuple[str, str], frozenset[str]]
"""(Room, category of furniture) -> the task's requirements: ``on``, ``within``, affordances."""


def needs_of(case: Case, seed: Draft) -> Needs:
    """Return a task's requirements of the furniture of each room."""
    needs: dict[tuple[str, str], set[str]] = {}

    def add(name: str, need: str) -> None:
        piece = case.house.piece.get(name)
        if piece is not None:
            needs.setdefault((piece.room, piece.category), set()).add(need)

    for placed in seed.placements:
        add(placed.furniture, placed.relation)
    for proposition in case.propositions:
        need = BEARING.get(proposition.predicate) or AFFORDANCE.get(proposition.predicate, "")
        for place, names in enumerate(proposition.lists):
            for name in names:
                add(name, need if place or proposition.predicate in AFFORDANCE else "")
    return {key: frozenset(asked_of - {""}) for key, asked_of in needs.items()}


def _can_serve(house: House, name: str, needs: Iterable[str]) -> bool:
    piece = house.piece[name]
    affords = catalogue().affords(piece.category)
    return all(
        bears(piece, need) if need in ("on", "within") else need in affords for need in needs
    )


def find_rooms(case: Case, needs: Needs, new: House) -> dict[str, str]:
    """Return old room -> new room, if possible of the same kind and with most of the furniture.

    All rooms of a kind are mapped to rooms of one kind, and to different rooms if there are
    enough."""
    used = dict.fromkeys(room for room, _ in needs)
    for proposition in case.propositions:
        used.update(
            dict.fromkeys(n for names in proposition.lists for n in names if n in case.house.room)
        )
    for at in case.where.holder.values():
        if at in case.house.floors:
            used[case.house.floors[at].name] = None
    named = {kind for m in case.mentions for kind in m.categories(ROOM)}
    counterpart: dict[str, str] = {}
    kinds: dict[str, str] = {}
    order = sorted(used, key=lambda name: (case.house.room[name].kind not in named, name))
    for name in order:
        kind = case.house.room[name].kind
        wanted = {
            category: asked_of for (room, category), asked_of in needs.items() if room == name
        }

        def cost(
            other: str, kind: str = kind, wanted: Mapping[str, frozenset[str]] = wanted
        ) -> int:
            room = new.room[other]
            lacking = 0
            for category, asked_of in wanted.items():
                pieces = [piece for piece in new.furniture if piece.room == other]
                same = [piece for piece in pieces if piece.category == category]
                if not any(_can_serve(new, piece.name, asked_of) for piece in same):
                    serving = [
                        piece.category for piece in pieces if _can_serve(new, piece.name, asked_of)
                    ]
                    alike = any(_is_alike(category, other_category) for other_category in serving)
                    lacking += 1 if alike else 4 if serving else 100
            return 10 * (room.kind != kind) + lacking

        free = [
            room.name
            for room in new.rooms
            if room.name not in counterpart.values()
            and kinds.get(kind, room.kind) == room.kind
            and (kind in kinds or room.kind not in kinds.values())
        ]
        if not free and kind in kinds:
            free = [
                other
                for other in dict.fromkeys(counterpart.values())
                if new.room[other].kind == kinds[kind]
            ]
        best = min(free, key=lambda other: (cost(other), other), default="")
        if not best or cost(best) >= 100:
            raise Rejected(FailureMode.HALLUCINATION, f"the house has no room like {name}")
        counterpart[name] = best
        kinds[kind] = new.room[best].kind
    return counterpart


def find_kinds(case: Case, needs: Needs, rooms: Mapping[str, str], new: House) -> dict[str, str]:
    """Return old category of furniture -> new category, the same in all rooms.

    The new category is empty for an alternative that can be omitted. Two categories are never
    mapped to the same one."""
    counterpart: dict[str, str] = {}
    categories = dict.fromkeys(category for _, category in needs)

    def works(category: str, other: str) -> bool:
        return all(
            any(
                piece.category == other and _can_serve(new, piece.name, asked_of)
                for piece in new.furniture
                if piece.room == rooms[room]
            )
            for (room, own), asked_of in needs.items()
            if own == category
        )

    for category in categories:
        if works(category, category):
            counterpart[category] = category
    for category in categories:
        if category in counterpart:
            continue
        if _is_spare(case, category, counterpart):
            counterpart[category] = ""
            continue
        others = [
            piece.category
            for piece in new.furniture
            if piece.receptacles and piece.category not in (*counterpart.values(), *categories)
        ]
        suits = {other: _suitability(case, category, other) for other in dict.fromkeys(others)}
        ranked = sorted(suits, key=lambda other: (-suits[other], other))
        match = next(
            (other for other in ranked if suits[other] > 0 and works(category, other)), None
        )
        if match is None:
            raise Rejected(FailureMode.HALLUCINATION, f"nothing there can stand for a {category}")
        counterpart[category] = match
    return counterpart


def _is_spare(case: Case, category: str, kept: Iterable[str]) -> bool:
    """Return whether a category only occurs as an alternative to other categories that are kept."""
    if any(case.category(at) == category for at in case.where.holder.values()):
        return False
    others = frozenset(kept)
    for proposition in case.propositions:
        for names in proposition.lists:
            kinds = {case.category(name) for name in names}
            if category in kinds and not kinds & others:
                return False
    return True


def _is_alike(category: str, other: str) -> bool:
    """Return whether people would use the same name for two kinds of furniture."""
    return any(category in row and other in row for row in counterparts().furniture.values())


def _suitability(case: Case, category: str, other: str) -> float:
    """Return the score of a category as a counterpart.

    It is the share of the task's objects there that are usually on or in it, plus one if both
    categories are similar. Beds and chairs are not counterparts of other furniture."""
    kinds = catalogue()
    new, old = set(kinds.affords(other)), set(kinds.affords(category))
    if (new - old) & {"sittable", "lieable"}:
        return 0.0
    goes = [
        case.objects[name]
        for proposition in case.propositions
        if len(proposition.lists) > 1
        and any(case.category(n) == category for n in proposition.lists[1])
        for name in proposition.lists[0]
        if name in case.objects
    ]
    goes += [
        case.objects[name]
        for name, at in case.where.holder.items()
        if case.category(at) == category
    ]
    usual = sum(other in kinds.things[name].places for name in goes)
    if not goes:  # a dresser can be cleaned instead of a piano, but a fridge is no fireplace
        predicates = {
            proposition.predicate
            for proposition in case.propositions
            if any(case.category(name) == category for name in proposition.lists[0])
        }
        return _is_alike(category, other) + (0.5 if predicates <= {"is_clean", "is_dirty"} else 0.0)
    return _is_alike(category, other) + usual / len(goes)


@dataclass(frozen=True)
class Regrounding:
    """The mapping from one house to another: ``rooms`` and ``kinds`` of furniture, old -> new."""

    case: Case
    new: House
    rooms: Mapping[str, str]
    kinds: Mapping[str, str]

    def proposition(self, proposition: Proposition) -> Proposition:
        """Return a proposition with the names of the new house. Raises Rejected."""
        need = BEARING.get(proposition.predicate) or AFFORDANCE.get(proposition.predicate, "")
        back = self.case.goes_back(proposition)
        lists = []
        for names in proposition.lists:
            objects = tuple(name for name in names if name in self.case.objects)
            others = tuple(name for name in names if name not in self.case.objects)
            if others and all(name in self.case.house.room for name in others):
                lists.append((*objects, *self.all_rooms(others)))
            elif others:
                lists.append((*objects, *self.pieces(others, need, exactly=not back)))
            else:
                lists.append(objects)
        return replace(proposition, lists=tuple(lists))

    def all_rooms(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the counterparts of rooms. If the old rooms were all rooms of their kind, these
        are all rooms of the new kind."""
        kinds = {self.case.house.room[name].kind for name in names}
        own = {room.name for room in self.case.house.rooms if room.kind in kinds}
        if own == set(names):
            wanted = {self.new.room[self.rooms[name]].kind for name in names}
            return tuple(room.name for room in self.new.rooms if room.kind in wanted)
        return tuple(self.rooms[name] for name in names)

    def pieces(self, names: Sequence[str], need: str, exactly: bool = True) -> tuple[str, ...]:
        """Return the furniture, or floors, that a list of names refers to in the new house.

        All pieces of a kind in the house, or in a room, become all pieces of the new kind there.
        Other pieces are mapped by their position among the pieces of their kind in the room. With
        ``exactly``, a piece at this position must exist.
        """
        names_there: dict[str, None] = {}
        house = self.case.house
        for name in names:
            if name in house.floors:
                names_there[f"floor_{self.rooms[house.floors[name].name]}"] = None
        kinds = dict.fromkeys(house.piece[name].category for name in names if name in house.piece)
        for kind in kinds:
            if not self.kinds[kind]:
                continue
            own = [n for n in names if n in house.piece and house.piece[n].category == kind]
            everywhere = [n for n in self.case.where.pieces(kind) if self._is_able(house, n, need)]
            rooms = dict.fromkeys(house.piece[n].room for n in own)
            here = [n for n in everywhere if house.piece[n].room in rooms]
            if exactly and sorted(own) == sorted(everywhere) and not self._by_room(kind):
                names_there.update(dict.fromkeys(self._all(kind, None, need)))
            elif exactly and sorted(own) == sorted(here):
                wanted = {self.rooms[room] for room in rooms}
                names_there.update(dict.fromkeys(self._all(kind, wanted, need)))
            else:
                names_there.update(dict.fromkeys(self._by_number(n, need, exactly) for n in own))
        if exactly and len(kinds) > 1 and not any(self._by_room(kind) for kind in kinds):
            self._cover(names_there, kinds, need)
        if not names_there:
            raise Rejected(
                FailureMode.HALLUCINATION, f"nothing stands for {join_words(list(names))}"
            )
        return tuple(names_there)

    def source(self, placed: Placement) -> str:
        """Return the initial place of a placement's objects."""
        if placed.furniture in self.case.objects:
            return placed.furniture
        return self.pieces((placed.furniture,), placed.relation, exactly=False)[0]

    def noun(self, mention: Mention) -> str | None:
        """Return the replacement of a noun; None to keep it."""
        house = self.case.house
        rooms = mention.categories(ROOM)
        if rooms:
            used = {
                house.room[name].kind: self.new.room[at].kind for name, at in self.rooms.items()
            }
            meant = sorted(rooms & set(used))
            there = {room.kind for room in self.new.rooms}
            if meant and not {used[kind] for kind in meant} & rooms:
                return used[meant[0]]
            if not meant and not rooms & there and not self.case.is_idle(mention):
                raise Rejected(FailureMode.HALLUCINATION, f"there is no {mention.text} there")
            return None
        kept = {kind for kind, other in self.kinds.items() if other}
        meant = sorted(mention.categories(FURNITURE) & kept)
        if not meant or mention.categories(OBJECT) & self.case.there[OBJECT]:
            return None
        exact = sorted(mention.categories(FURNITURE, wider=False) & set(meant)) or meant
        turned = {self.kinds[kind] for kind in exact}
        if turned & mention.categories(FURNITURE):
            return None
        return self.kinds[exact[0]]

    def _is_able(self, house: House, name: str, need: str) -> bool:
        return _can_serve(house, name, (need,) if need else ())

    def _by_room(self, kind: str) -> bool:
        """Return whether furniture of a kind is mentioned with its room."""
        mentioned = [m for m in self.case.mentions if kind in m.categories(FURNITURE)]
        return any(room_of(self.case, m) for m in mentioned)

    def _all(self, kind: str, rooms: set[str] | None, need: str) -> list[str]:
        return [
            piece.name
            for piece in self.new.furniture
            if piece.category == self.kinds[kind]
            and (rooms is None or piece.room in rooms)
            and self._is_able(self.new, piece.name, need)
        ]

    def _by_number(self, name: str, need: str, exactly: bool) -> str:
        piece = self.case.house.piece[name]
        own = self.case.where.pieces(piece.category, [piece.room])
        there = self._all(piece.category, {self.rooms[piece.room]}, need)
        index = own.index(name)
        if not there or (exactly and index >= len(there)):
            raise Rejected(FailureMode.HALLUCINATION, f"nothing in the house corresponds to {name}")
        return there[index % len(there)]

    def _cover(self, names_there: dict[str, None], kinds: Iterable[str], need: str) -> None:
        """Extend a word for several kinds, such as "chair", by the kinds that only the new house
        has."""
        for names in lexicon().covers.values():
            if set(kinds) <= set(names):
                names_there.update(
                    dict.fromkeys(
                        piece.name
                        for piece in self.new.furniture
                        if piece.category in names and self._is_able(self.new, piece.name, need)
                    )
                )
                return
