"""Propositions as models write them: ``is_on_top("cup_0 or cup_1", "table in living_room_0")``.

Each line has one call. Its arguments are names or kinds of objects, furniture and rooms, with
``or`` between alternatives. The reader resolves them in a house and checks affordances. It does not
execute the calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from homebody.authoring.partnr.draft import FailureMode, Rejected, excerpt
from homebody.authoring.partnr.situation import BEARING, Situation
from homebody.goals.partnr import PREDICATES, Proposition
from homebody.suites.partnr.episodes.predicates import AFFORDANCE
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.receptacles import relations_to

MAX_TEXT = 20_000
MAX_CALLS = 60
_CALL = re.compile(r"\b(is_[a-z_]{1,30})\s*\(")
_PART = re.compile(
    r"""\s*(?:(?P<text>"[^"\n]{0,2000}"|'[^'\n]{0,2000}')|(?P<word>[A-Za-z_]\w{0,40})"""
    r"""|(?P<number>\d{1,4})|(?P<mark>[(),=]))"""
)
_OR = re.compile(r"\s+or\s+|\s*,\s*|\s*\|\s*")
_IN = re.compile(r"(.+?)\s+in\s+(?:the\s+)?(.+)")


def read_propositions(text: str, where: Situation) -> tuple[Proposition, ...]:
    """Return the propositions of a text, in order; words around the calls are ignored.

    Raises:
        Rejected: UNREADABLE for text that is not a call, ENTITY for unknown names, PREDICATE for
            impossible states or relations.
    """
    text = text[:MAX_TEXT]
    propositions: list[Proposition] = []
    at = 0
    while (match := _CALL.search(text, at)) is not None:
        if len(propositions) == MAX_CALLS:
            raise Rejected(FailureMode.UNREADABLE, f"there are more than {MAX_CALLS} calls")
        arguments, options, at = _arguments(text, match.end(), match[1])
        proposition = _proposition(match[1], arguments, options, where)
        if proposition not in propositions:
            propositions.append(proposition)
    if not propositions:
        raise Rejected(FailureMode.UNREADABLE, 'the answer has no call, such as is_clean("cup_0")')
    return tuple(propositions)


def write_proposition(proposition: Proposition, where: Situation | None = None) -> str:
    """Write a proposition as :func:`read_propositions` reads it. With a situation, furniture is
    written as ``table in living_room_0`` where that is equivalent."""
    parts = [f'"{_alternatives(names, where)}"' for names in proposition.lists]
    if proposition.numbers[0] > 1:
        parts.append(f"number={proposition.numbers[0]}")
    if proposition.same:
        parts.append("same=true")
    return f"{proposition.predicate}({', '.join(parts)})"


def _alternatives(names: Sequence[str], where: Situation | None) -> str:
    if where is not None and len(names) > 1 and all(n in where.house.piece for n in names):
        first = where.house.piece[names[0]]
        if sorted(names) == sorted(where.pieces(first.category, [first.room])):
            return f"{first.category} in {first.room}"
    return " or ".join(names)


def _arguments(text: str, at: int, name: str) -> tuple[list[str], dict[str, str], int]:
    """Return the arguments and options of a call, and the position of its end."""
    arguments: list[str] = []
    options: dict[str, str] = {}
    key = ""
    while (match := _PART.match(text, at)) is not None:
        at = match.end()
        if match["mark"] == ")" and not key:
            return arguments, options, at
        if match["mark"] == "(":
            break
        if match["text"] is not None:
            arguments.append(match["text"][1:-1])
            key = ""
        elif match["word"] is not None and not key:
            key = match["word"]
        elif match["number"] is not None or match["word"] is not None:
            if not key:
                break
            options[key] = match["number"] or match["word"]
            key = ""
        if len(arguments) + len(options) > 20:
            break
    raise Rejected(
        FailureMode.UNREADABLE,
        f"the call of {name} near {excerpt(text[max(0, at - 20) : at + 20], 40)!r}"
        " does not have the form: texts in quotes, then number=2 or same=true",
    )


def _proposition(
    predicate: str, texts: Sequence[str], options: Mapping[str, str], where: Situation
) -> Proposition:
    signature = PREDICATES.get(predicate)
    if signature is None:
        raise Rejected(
            FailureMode.PREDICATE,
            f"unknown function {predicate}; use one of {', '.join(PREDICATES)}",
        )
    clustered = predicate == "is_clustered"
    wanted = len(texts) if clustered and len(texts) > 1 else len(signature.arguments) + clustered
    if len(texts) != wanted:
        raise Rejected(
            FailureMode.UNREADABLE, f"{predicate} takes {wanted} texts, not {len(texts)}"
        )
    for name in options:
        if name not in ("number", "same") or (name == "same" and not signature.same):
            raise Rejected(FailureMode.UNREADABLE, f"{predicate} has no option {name!r}")
    raw = options.get("number", "1")
    same = options.get("same", "false").lower()
    lists = tuple(_list(predicate, place, text, where) for place, text in enumerate(texts))
    if same not in ("true", "false"):
        raise Rejected(FailureMode.UNREADABLE, f"same is true or false in {predicate}")
    if not raw.isdigit() or not 1 <= int(raw) <= len(lists[0]) or (clustered and raw != "1"):
        raise Rejected(
            FailureMode.ENTITY,
            f"number={raw} does not go with {len(lists[0])} objects in {predicate}",
        )
    numbers = (1,) * len(lists) if clustered else (int(raw),)
    if BEARING.get(predicate) == "within":
        predicate, lists = _on_if_not_within(lists, where)
    return Proposition(predicate, lists, numbers, same == "true")


def _list(predicate: str, place: int, text: str, where: Situation) -> tuple[str, ...]:
    """Return the alternatives that an argument stands for."""
    names: dict[str, None] = {}
    for part in _OR.split(text.strip())[:200]:
        names.update(dict.fromkeys(_resolve(part, predicate, place, where)))
    if predicate == "is_in_room" and place == 1:
        return tuple(names)
    if predicate in AFFORDANCE:
        able = [name for name in names if AFFORDANCE[predicate] in _affords(name, where)]
        return _unless_empty(able, f"of {text!r} nothing can be {predicate[3:]}".replace("_", " "))
    if predicate in BEARING and place == 1:
        able = [name for name in names if _can_bear(name, BEARING[predicate], predicate, where)]
        return _unless_empty(
            able, f"{predicate} does not fit {text!r}: nothing can be there that way"
        )
    if predicate not in ("is_next_to", "is_clustered") or place == 0:
        objects = [name for name in names if name in where.category]
        return _unless_empty(objects, f"{predicate} takes objects, not {text!r}")
    return tuple(names)


def _resolve(part: str, predicate: str, place: int, where: Situation) -> Sequence[str]:
    """Return the names that a name or kind stands for, with or without ``in ROOM``."""
    name, room = part.strip(), ""
    inside = _IN.fullmatch(name[:200])
    if inside is not None:
        name, room = inside[1], inside[2]
    name = name.lower().replace(" ", "_").removeprefix("the_")
    rooms = _rooms(room, where) if room else [room.name for room in where.house.rooms]
    if predicate == "is_in_room" and place == 1:
        return _rooms(name, where)
    choices: tuple[Callable[[], Sequence[str]], ...] = (
        lambda: [name] if name in where.category or name in where.house.piece else [],
        lambda: where.of_kind(name),
        lambda: where.pieces(name),
    )
    for choice in choices:
        names = choice()
        if names:
            kept = [candidate for candidate in names if where.room(candidate) in rooms]
            return _unless_empty(kept, f"{room!r} has no {name!r}", FailureMode.ENTITY)
    hint = "; use is_on_floor for floors" if name.startswith("floor") else ""
    raise Rejected(
        FailureMode.ENTITY, f"{excerpt(part, 60)!r} is neither an object nor furniture here{hint}"
    )


def _rooms(name: str, where: Situation) -> list[str]:
    name = name.strip().lower().replace(" ", "_").removeprefix("the_")
    rooms = [room.name for room in where.house.rooms if name in (room.name, room.kind)]
    return list(
        _unless_empty(rooms, f"the house has no room {excerpt(name, 40)!r}", FailureMode.ENTITY)
    )


def _unless_empty(
    names: Sequence[str], why: str, failure: FailureMode = FailureMode.PREDICATE
) -> tuple[str, ...]:
    if not names:
        raise Rejected(failure, why)
    return tuple(names)


def _affords(name: str, where: Situation) -> tuple[str, ...]:
    piece = where.house.piece.get(name)
    return catalogue().affords(where.category.get(name) or (piece.category if piece else ""))


def _can_bear(name: str, relation: str, predicate: str, where: Situation) -> bool:
    kinds = _relations(name, where)
    # is_inside of a piece without an inside is read as is_on_top: see below
    return relation in kinds or (predicate == "is_inside" and "on" in kinds)


def _relations(name: str, where: Situation) -> frozenset[str]:
    """Return the relations in which objects can be put to an object or a piece of furniture."""
    piece = where.house.piece.get(name)
    if piece is not None:
        return frozenset(space.kind for space in piece.receptacles)
    return relations_to(catalogue().things[where.category[name]])


def _on_if_not_within(
    lists: tuple[tuple[str, ...], ...], where: Situation
) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """Return ``is_inside`` with the furniture that can contain objects, or ``is_on_top`` if none
    can."""
    within = tuple(name for name in lists[1] if "within" in _relations(name, where))
    return ("is_inside", (lists[0], within)) if within else ("is_on_top", lists)
