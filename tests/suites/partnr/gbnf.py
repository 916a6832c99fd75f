"""A small reader of GBNF, the notation of grammars that llama.cpp documents.

It draws strings from a grammar, and tells whether it has one. It takes what homebody writes: rules
of one line, literals, sets of characters, groups, alternatives and ``{least,most}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d+,\d+\}|[A-Za-z0-9-]+|[|()]')
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class Grammar:
    """Rules as nested tuples: ``("text", s)``, ``("set", chars, negated)``, ``("rule", name)``,
    ``("either", parts)``, ``("all", parts)``, ``("repeat", part, least, most)``."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, Any] = {}
        for line in text.splitlines():
            name, arrow, rest = line.partition(" ::= ")
            assert arrow, line
            assert re.fullmatch("[A-Za-z0-9-]+", name), f"llama.cpp knows no rule named {name}"
            assert name.lower() not in map(str.lower, self.rules), f"two rules named {name}"
            tokens = TOKEN.findall(rest)
            assert re.sub(TOKEN, "", rest).strip() == "", rest
            self.rules[name], end = self._either(tokens, 0)
            assert end == len(tokens)
        used = {name for rule in self.rules.values() for name in _named(rule)}
        assert used <= set(self.rules), used - set(self.rules)

    def _either(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        parts = []
        while True:
            part, at = self._all(tokens, at)
            parts.append(part)
            if at >= len(tokens) or tokens[at] != "|":
                return ("either", parts), at
            at += 1

    def _all(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        parts: list[Any] = []
        while at < len(tokens) and tokens[at] not in "|)":
            token = tokens[at]
            at += 1
            if token == "(":
                part, at = self._either(tokens, at)
                assert tokens[at] == ")"
                at += 1
            elif token[0] == '"':
                part = ("text", re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), token[1:-1]))
            elif token[0] == "[":
                part = _set(token[1:-1])
            elif token[0] == "{":
                least, most = token[1:-1].split(",")
                part = ("repeat", parts.pop(), int(least), int(most))
            else:
                part = ("rule", token)
            parts.append(part)
        assert parts
        return ("all", parts), at

    def draw(self, rng: np.random.Generator, rule: Any = ("rule", "root")) -> str:
        kind = rule[0]
        if kind == "text":
            return str(rule[1])
        if kind == "set":
            chars = [c for c in map(chr, range(10, 400)) if (c in rule[1]) != rule[2]]
            return chars[int(rng.integers(len(chars)))]
        if kind == "rule":
            return self.draw(rng, self.rules[rule[1]])
        if kind == "either":
            return self.draw(rng, rule[1][int(rng.integers(len(rule[1])))])
        if kind == "all":
            return "".join(self.draw(rng, part) for part in rule[1])
        count = int(rng.integers(rule[2], min(rule[3], 40) + 1))
        return "".join(self.draw(rng, rule[1]) for _ in range(count))

    def has(self, text: str) -> bool:
        return len(text) in set(self._ends(("rule", "root"), text, 0))

    def _ends(self, rule: Any, text: str, at: int) -> Iterator[int]:
        kind = rule[0]
        if kind == "text":
            if text.startswith(rule[1], at):
                yield at + len(rule[1])
        elif kind == "set":
            if at < len(text) and (text[at] in rule[1]) != rule[2]:
                yield at + 1
        elif kind == "rule":
            yield from self._ends(self.rules[rule[1]], text, at)
        elif kind == "either":
            for part in rule[1]:
                yield from self._ends(part, text, at)
        elif kind == "all":
            ends = {at}
            for part in rule[1]:
                ends = {end for start in ends for end in self._ends(part, text, start)}
            yield from ends
        else:
            ends = {at}
            for count in range(rule[3] + 1):
                if count >= rule[2]:
                    yield from ends
                ends = {end for start in ends for end in self._ends(rule[1], text, start)}
                if not ends:
                    return


def _set(inside: str) -> Any:
    negated = inside.startswith("^")
    chars, text = set(), inside[negated:]
    text = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text)
    at = 0
    while at < len(text):
        if at + 2 < len(text) and text[at + 1] == "-":
            chars |= set(map(chr, range(ord(text[at]), ord(text[at + 2]) + 1)))
            at += 3
        else:
            chars.add(text[at])
            at += 1
    return ("set", frozenset(chars), negated)


def _named(rule: Any) -> Iterator[str]:
    if rule[0] == "rule":
        yield rule[1]
    elif rule[0] in ("either", "all"):
        for part in rule[1]:
            yield from _named(part)
    elif rule[0] == "repeat":
        yield from _named(rule[1])
