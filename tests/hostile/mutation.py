"""Hostile inputs made from valid ones with a seed, by their structure.

Every format here is of words and brackets (JSON, Python, PDDL, BDDL, LTL, calls): a text is cut
into tokens, and what is mutated are its units, a token or all from a bracket to the one that closes
it. Texts within JSON texts (operators in an answer) are opened and mutated by their own structure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

MAX_CHARACTERS = 300_000
"""Of what is made: more than any reader takes."""
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[\w.?:\-]+|\s+|.', re.DOTALL)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_NESTS = (
    ("[", "]"),
    ('{"a":', "}"),
    ('[{"a":', "}]"),
    ('{"a":[', "]}"),
    ("(", ")"),
    ("(not ", ")"),
    ("(and (a b) ", ")"),
    ("(forall (?x - object) ", ")"),
    ("exists x. (", ")"),
    ("not ", ""),
    ('"', '"'),
    ("```json\n", "\n```"),
    ("<think>", "</think>"),
)
ATOMS = (
    *("", "null", "true", "NaN", "-Infinity", "1e999", "-1", "0", "-0.0", "1.5", "65535"),
    *("4294967295", str(2**53 + 1), str(2**63), str(10**30), "9" * 5_000, "1_000", "0x10"),
    *("1e-400", "\u0663", "\u00b2", "[]", "{}", "()", '""', '"NaN"', '"\\ud800"', '"\\u0000"'),
    *('"a\\nb"', "\ud800", "\x00", "\x1b[2J", "=1+1", "@SUM(A1)", "__proto__", "../..", "%s%n"),
    *("/dev/zero", "{0}", "[red]", "\u202e", "\ufb01", "\u0130", "and", "or", "not", "when"),
    *("forall", "exists", "then", "either", "=", "?x", "-", ":action", "#", ";"),
)
_AROUND = (
    ("```json\n", "\n```"),
    ("<think>\n", "\n</think>"),
    ("\ufeff", ""),
    ("Here it is:\n", "\nI hope that helps! {"),
    ("'", "'"),
)


def mutated(random: Random, text: str, other: str) -> str:
    """A text with one to six things wrong with it; ``other`` is where foreign parts come from.

    Half of them still can be read: their parts stand in the places of others of their kind. One in
    fifty is repeated or nested until it is as long as the readers' bounds, or longer.
    """
    huge, readable = random.random() < 0.02, random.random() < 0.5
    for _ in range(random.choice((1, 1, 2, 4, 6))):
        if readable:
            change = _shuffle_units
        else:
            change = random.choice(_TEXT_CHANGES) if random.random() < 0.3 else _change_units
        text = change(random, text, other)[:MAX_CHARACTERS]
    return _grow(random, text)[:MAX_CHARACTERS] if huge else text


def mutated_bytes(random: Random, data: bytes, other: bytes) -> bytes:
    """The same of any bytes: by their structure if they are a text."""
    if random.random() < 0.7:
        try:
            return mutated(random, data.decode(), other.decode()).encode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            pass
    for _ in range(random.choice((1, 1, 2, 8))):
        at, to = sorted(random.randrange(len(data) + 1) for _ in range(2))
        match random.randrange(6):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + data[to:]
            case 2 if data:
                at = random.randrange(len(data))
                data = data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
            case 3:
                number = random.choice((0, 1, 2**16, 2**31 - 1, 2**32 - 1, random.getrandbits(32)))
                at -= at % 4
                data = data[:at] + number.to_bytes(4, "little") + data[at + 4 :]
            case 4:
                data = data[:to] + data[at:to] + data[to:]
            case _:
                start = random.randrange(len(other) + 1)
                data = data[:at] + other[start : start + random.choice((4, 40, 400))] + data[to:]
    return data[: 8 * MAX_CHARACTERS]


@lru_cache(64)
def _tokens(text: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """The tokens of a text, and where its units begin and end: those without blanks."""
    tokens = tuple(_TOKEN.findall(text))
    units: list[tuple[int, int]] = []
    begun: list[tuple[str, int]] = []
    for at, token in enumerate(tokens):
        if token in _CLOSING:
            begun.append((_CLOSING[token], at))
        elif begun and token == begun[-1][0]:
            units.append((begun.pop()[1], at + 1))
        elif not token.isspace() and token not in ",:":
            units.append((at, at + 1))
    return tokens, tuple(units)


def _shuffle_units(random: Random, text: str, other: str) -> str:
    """A unit left out, doubled, or in the place of another of its kind."""
    tokens, units = _tokens(text)
    if not units:
        return text
    begin, end = random.choice(units)
    if _kind(tokens, begin) == ":":  # keys less often than what they stand for
        begin, end = random.choice(units)
    if tokens[begin][0] == '"' and len(tokens[begin]) > 12 and random.random() < 0.7:
        return "".join((*tokens[:begin], _inside(random, tokens[begin], other), *tokens[end:]))
    if random.random() < 0.4:
        begin, end = _member(tokens, begin, end)
        unit, before, after = _parts(tokens, begin, end)
        if random.random() < 0.5:
            return _left_out(before, after)
        return before + _comma(before, after).join([unit] * random.choice((2, 2, 3, 20))) + after
    source, ranges = _tokens(other) if random.random() < 0.3 else (tokens, units)
    kind = _kind(tokens, begin)
    alike = [place for place in ranges if _kind(source, place[0]) == kind]
    first, last = random.choice(alike or [(0, 0)])
    return "".join((*tokens[:begin], *source[first:last], *tokens[end:]))


def _kind(tokens: Sequence[str], at: int) -> str:
    """What a unit that begins here is: a bracket, a key, a text in quotes, a number or a word."""
    first = tokens[at][0]
    if first == '"':
        return ":" if tokens[at + 1 : at + 2] == (":",) else '"'
    return "0" if first.isdigit() else "a" if first.isalpha() else first


def _left_out(before: str, after: str) -> str:
    """What remains when something between these is left out, without its comma."""
    if after[:1] == ",":
        return before + after[1:]
    return (before.rstrip()[:-1] if before.rstrip()[-1:] == "," else before) + after


def _comma(before: str, after: str) -> str:
    """What stands between two things in this place."""
    return ", " if before.rstrip()[-1:] in (",", "[", "{") or after[:1] == "," else " "


def _change_units(random: Random, text: str, other: str) -> str:
    tokens, units = _tokens(text)
    if not units:
        return random.choice(ATOMS)
    begin, end = random.choice(units)
    begin, end = _member(tokens, begin, end) if random.random() < 0.4 else (begin, end)
    unit, before, after = _parts(tokens, begin, end)
    comma = _comma(before, after)
    match random.randrange(9):
        case 0:
            return _left_out(before, after)
        case 1:
            times = random.choice((2, 2, 2, 3, 10, 100))
            return before + comma.join([unit] * min(times, 1 + 30_000 // (len(unit) + 1))) + after
        case 2:
            atom = random.choice(ATOMS)
            quoted = unit[:1] == '"' and random.random() < 0.7
            return before + (json.dumps(atom) if quoted else atom) + after
        case 3:
            first, last = random.choice(units)
            return before + "".join(tokens[first:last]) + after
        case 4:  # two of them swapped, which do not overlap
            first, last = random.choice(units)
            if first < end and begin < last:
                return before + unit[::-1] + after
            (begin, end), (first, last) = sorted(((begin, end), (first, last)))
            parts = (tokens[:begin], tokens[first:last], tokens[end:first], tokens[begin:end])
            return "".join("".join(part) for part in (*parts, tokens[last:]))
        case 5:
            theirs, others = _tokens(other)
            first, last = random.choice(others or ((0, 0),))
            foreign = "".join(theirs[first:last])
            return before + foreign + (comma + unit if random.random() < 0.5 else "") + after
        case 6:
            depth = random.choice((1, 1, 2, 3, 20, 100, 1_000))
            left, right = random.choice(_NESTS)
            return before + left * depth + unit + right * depth + after
        case 7:
            return before + _inside(random, unit, other) + after
        case _:
            return before + json.dumps(unit) + after


def _member(tokens: tuple[str, ...], begin: int, end: int) -> tuple[int, int]:
    """A unit with its key, if it has one: ``"key": unit``."""
    at = begin - 1
    while at >= 0 and tokens[at].isspace():
        at -= 1
    if at >= 1 and tokens[at] == ":":
        return at - 1, end
    return begin, end


def _inside(random: Random, unit: str, other: str) -> str:
    """What a JSON text says, mutated by its own structure; of anything else, its letters."""
    try:
        inner = json.loads(unit)
    except (ValueError, RecursionError):
        inner = None
    if isinstance(inner, str) and len(inner) > 2:
        change = _shuffle_units if random.random() < 0.7 else _change_units
        return json.dumps(change(random, inner, other))
    return "".join(random.choice((c, c, c.swapcase(), c * 2, "")) for c in unit[:200]) + unit[200:]


def _grow(random: Random, text: str) -> str:
    """Something of a text many times over, or at great depth."""
    tokens, units = _tokens(text)
    begin, end = random.choice(units or ((0, len(tokens)),))
    if random.random() < 0.3:  # all that stands in brackets, which is a whole plan sometimes
        begin, end = max(
            random.choices(units or ((0, len(tokens)),), k=4), key=lambda u: u[1] - u[0]
        )
        begin, end = (begin + 1, end - 1) if end - begin > 2 else (begin, end)
    else:
        begin, end = _member(tokens, begin, end)
    unit, before, after = _parts(tokens, begin, end)
    size = int(10 ** random.uniform(3, 5.3))
    if random.random() < 0.7:
        separator = random.choice((_comma(before + ",", after), ", ", " ", "\n", ""))
        return before + separator.join([unit] * (1 + size // (len(unit) + 2))) + after
    left, right = random.choice(_NESTS)
    depth = size // (len(left) + len(right))
    return (
        before + left * depth + unit + right * random.choice((depth, depth, depth - 1, 0)) + after
    )


def _parts(tokens: Sequence[str], begin: int, end: int) -> tuple[str, str, str]:
    """A unit, and what stands before and after it."""
    return "".join(tokens[begin:end]), "".join(tokens[:begin]), "".join(tokens[end:])


def _cut(random: Random, text: str, other: str) -> str:
    at, to = sorted(random.randrange(len(text) + 1) for _ in range(2))
    return text[:at] + text[to:] if random.random() < 0.5 else text[:at]


def _strange_letter(random: Random, text: str, other: str) -> str:
    at = random.randrange(len(text) + 1)
    strange = (random.randrange(0x3000), random.randrange(32), random.randrange(0x110000), 0xD800)
    return text[:at] + chr(random.choice(strange)) + text[at:]


def _spliced(random: Random, text: str, other: str) -> str:
    at, to = random.randrange(len(text) + 1), random.randrange(len(other) + 1)
    return text[:at] + other[to : to + random.choice((10, 100, 100_000))] + text[at:]


def _other_quotes(random: Random, text: str, other: str) -> str:
    old, new = random.choice(
        (('"', "'"), ("'", '"'), ('"', ""), ('"', "”"), ("\n", " "), (" ", "\t"))
    )
    return text.replace(old, new, random.choice((1, 3, -1)))


def _wrapped(random: Random, text: str, other: str) -> str:
    before, after = random.choice(_AROUND)
    return before + text + after


def _twice(random: Random, text: str, other: str) -> str:
    return text + random.choice(("", "\n", ",", "\n\n")) + random.choice((text, other))


_TEXT_CHANGES: tuple[Callable[[Random, str, str], str], ...] = (
    _cut, _strange_letter, _spliced, _other_quotes, _wrapped, _twice,
)  # fmt: skip
