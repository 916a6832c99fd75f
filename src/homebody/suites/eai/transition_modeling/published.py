"""Reads predicted operators and compares their logic as eai-eval does, including quirks.

An operator is three pieces of text. A condition is a tree whose leaves are strings such as
``next_to ?char ?obj``; leaves match if their strings are equal.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from homebody.suites.eai.lenient_json import MAX_CHARACTERS
from homebody.suites.eai.published import published_json
from homebody.suites.eai.reading import ParsingError

Tree: TypeAlias = "str | tuple[Any, ...]"
"""A leaf, or ``(connective, part, ...)``; the first part of a quantifier is its variables."""

NOTHING = "()"
MAX_DEPTH = 150
"""Maximum depth of conditions. Deeper conditions count as unreadable; the published code stops a
few hundred levels later."""


MAX_MATCHED = 250_000
"""Maximum number of matching pairs of parts in one comparison; more count as unreadable."""


class UnreadableLogic(ValueError):
    """Raised for conditions that the published code cannot compare."""


@dataclass(frozen=True, slots=True)
class TextOperator:
    """An operator in the form of the published code. All parts except the name are in
    parentheses."""

    name: str
    parameters: str
    precondition: str
    effect: str

    def __str__(self) -> str:
        return (
            f"(:action {self.name}\n:parameters {self.parameters}\n"
            f":precondition {self.precondition}\n:effect {self.effect}\n)"
        )


# -- reading an output ---------------------------------------------------------------------------


def read_operators(text: str) -> dict[str, TextOperator]:
    """Return the operators that eai-eval finds, by name. Raises ParsingError if eai-eval refuses
    the output."""
    if len(text) > MAX_CHARACTERS:
        raise ParsingError("the output is too long")
    if text.startswith("```json"):
        text = text[7:].strip("`")
    text = text.strip().replace("\n", "").replace("'", '"')
    try:
        value = published_json(text)
    except ValueError:
        return _find_operators(text)
    operators = value.get("output", value) if isinstance(value, dict) else value
    if not isinstance(operators, str):
        raise ParsingError("the output has no text of operators")
    return _find_operators(operators)


_COMMENT = re.compile(r";.*$", re.MULTILINE)
_ACTION = re.compile(r"\(:action\s+(\w+)")


def _find_operators(text: str) -> dict[str, TextOperator]:
    text = " ".join(_COMMENT.sub("", text).split())
    blocks = _Blocks(text)
    operators: dict[str, TextOperator] = {}
    position = 0
    while (action := _ACTION.search(text, position)) is not None:
        places = [
            text.find(keyword, action.end())
            for keyword in (":parameters", ":precondition", ":effect")
        ]
        if min(places) < 0:
            break
        pieces = [blocks.block_after(place) for place in places]
        if pieces[0] is None:
            raise ParsingError("the parentheses of an operator do not match")
        parameters, precondition, effect = (
            ("(" + (NOTHING if piece is None else piece.strip())).replace(") )", "))")
            for piece in pieces
        )
        name = action.group(1)
        operators[name] = TextOperator(name, parameters, precondition, effect)
        last = pieces[2] if pieces[2] is not None else NOTHING
        position = last.find(")") + places[2] + 1
    return operators


class _Blocks:
    """Finds the text between the next parenthesis and its end, in constant time.

    The published loop skips the character right after the parenthesis. Therefore, if a group starts
    with an inner group, it ends at the end of the inner group.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.closing: dict[int, int] = {}
        self.surplus = -1  # position of the first unmatched closing parenthesis
        opened: list[int] = []
        for at, character in enumerate(text):
            if character == "(":
                opened.append(at)
            elif character == ")":
                if opened:
                    self.closing[opened.pop()] = at
                elif self.surplus < 0:
                    self.surplus = at

    def block_after(self, place: int) -> str | None:
        """Return the block after ``place``; None if the published loop reaches the end of the
        text."""
        text = self.text
        opening = text.find("(", place)
        start = opening + 1
        if start >= len(text):
            return None
        if text[start] == ")":
            return ")"
        if text[start] == "(":
            end = self.closing.get(start, -1)
        else:
            end = self.closing.get(opening, -1) if opening >= 0 else self.surplus
        return text[start : end + 1] if end >= 0 else None


_QUANTIFIED = re.compile(r"\(\s*(?:forall|exists)\s*\(([^()]*)\)", re.IGNORECASE)


def add_question_marks(text: str) -> str:
    """Add missing question marks to quantified variables. The published planner accepts variables
    without them."""
    if not any(_unmarked_words(match.group(1).split()) for match in _QUANTIFIED.finditer(text)):
        return text
    stack: list[list[Any]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            if len(stack) > MAX_DEPTH:
                return text
            stack.append([])
        elif word != ")":
            stack[-1].append(word)
        elif len(stack) == 1:
            return text
        else:
            group = stack.pop()
            stack[-1].append(group)
    return (
        text
        if len(stack) > 1
        else " ".join(_mark_variables(part, frozenset()) for part in stack[0])
    )


def _unmarked_words(words: Sequence[str]) -> frozenset[str]:
    """Return the words of a list of variables that are neither variables nor types."""
    types = {at + 1 for at, word in enumerate(words) if word == "-"}
    return frozenset(
        word
        for at, word in enumerate(words)
        if at not in types and word != "-" and not word.startswith("?")
    )


def _mark_variables(tree: Any, names: frozenset[str]) -> str:
    if isinstance(tree, str):
        return tree
    quantified = (
        len(tree) > 1
        and isinstance(tree[0], str)
        and tree[0].lower() in ("forall", "exists")
        and all(isinstance(word, str) for word in tree[1])
    )
    words = []
    for at, part in enumerate(tree):
        if quantified and at == 1:
            own = _unmarked_words(part)
            names |= own
            words.append("(" + " ".join(f"?{word}" if word in own else word for word in part) + ")")
        elif isinstance(part, str):
            words.append(f"?{part}" if at and part in names else part)
        else:
            words.append(_mark_variables(part, names))
    return f"({' '.join(words)})"


# -- reading a condition -------------------------------------------------------------------------

_CONNECTIVES = {"and": None, "or": None, "not": 2, "exists": 3, "forall": 3, "when": 3}
"""Connective -> required length of its group, itself included."""
_PIECE = re.compile(r"[()]|[^()]+")


def parse(text: str) -> Tree:
    """Parse a condition as a tree. Raises UnreadableLogic."""
    stack: list[Tree] = []
    opened: list[int] = []
    for match in _PIECE.finditer(text):
        piece = match.group().strip()
        if piece == "(":
            opened.append(len(stack))
            stack.append(piece)
        elif piece == ")":
            if not opened:
                raise UnreadableLogic("a parenthesis closes nothing")
            start = opened.pop()
            group = stack[start + 1 :]
            del stack[start:]
            stack.append(_make_group(group))
        elif piece:
            stack.append(piece)
    if len(stack) != 1:
        raise UnreadableLogic("not one condition")
    _check_depth(stack[0])
    return stack[0]


def _make_group(group: list[Tree]) -> Tree:
    if not group:
        return NOTHING
    first = group[0]
    if isinstance(first, str) and first in _CONNECTIVES:
        length = _CONNECTIVES[first]
        if length is not None and len(group) != length:
            raise UnreadableLogic(f"{first} has {len(group) - 1} parts")
        return tuple(group)
    words = [part for part in group if isinstance(part, str)]
    if len(words) < len(group):
        raise UnreadableLogic("a predicate holds a condition")
    return " ".join(words)


def _check_depth(tree: Tree) -> None:
    level: list[Tree] = [tree]
    for _ in range(MAX_DEPTH):
        level = [part for node in level if isinstance(node, tuple) for part in node[1:]]
        if not level:
            return
    raise UnreadableLogic("nested too deep")


# -- comparing two conditions --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Comparison:
    """The matched and unmatched parts of the predicted condition, and the unmatched parts of the
    ground truth."""

    matched: Sequence[Tree] = ()
    wrong: Sequence[Tree] = ()
    missed: Sequence[Tree] = ()
    score: float = 0.0


def compare(
    predicted: str, gold: str, *, misread_rows: bool = True, parts_suffice: bool = True
) -> Comparison:
    """Compare two conditions in text.

    Args:
        predicted: The predicted condition or effect.
        gold: The annotated one.
        misread_rows: If true, a predicted part counts as matched only if its position is also the
            position of a matched part of the ground truth. Parts also count if they match a part
            that is paired with another one.
        parts_suffice: If true, a nested conjunction matches another conjunction that has all of its
            parts and possibly more.

    Raises:
        UnreadableLogic: The published code raises an exception, and counts nothing.
    """
    left, right = _align(parse(predicted), parse(gold))
    return _Matcher(misread_rows, parts_suffice).match(left, right)


def _align(left: Tree, right: Tree) -> tuple[Tree, Tree]:
    """Pad ``and`` and ``or`` to equal length, and rename bound variables, as the published code
    does."""
    if isinstance(left, str) or isinstance(right, str):
        return left, right
    if left[0] == right[0] and left[0] in ("exists", "forall"):
        if isinstance(left[1], tuple) or isinstance(right[1], tuple):
            raise UnreadableLogic("the variables are a condition")
        new, old = (tree[1].split("-")[0].strip() for tree in (left, right))
        return left, (right[0], *(_replace(part, old, new) for part in right[1:]))
    if left[0] in ("and", "or") and right[0] in ("and", "or"):
        length = max(len(left), len(right))
        pairs = [
            _align(
                left[at] if at < len(left) else NOTHING, right[at] if at < len(right) else NOTHING
            )
            for at in range(1, length)
        ]
        return (left[0], *(pair[0] for pair in pairs)), (right[0], *(pair[1] for pair in pairs))
    return left, right


def _replace(tree: Tree, old: str, new: str) -> Tree:
    if isinstance(tree, str):
        return tree.replace(old, new)
    return tuple(_replace(part, old, new) for part in tree)


class _Matcher:
    def __init__(self, misread_rows: bool, parts_suffice: bool) -> None:
        self.misread_rows = misread_rows
        self.parts_suffice = parts_suffice
        self.left = MAX_MATCHED

    def _count_matches(self, number: int) -> None:
        self.left -= number
        if self.left < 0:
            raise UnreadableLogic("too many parts that are the same")

    def match(self, left: Tree, right: Tree) -> Comparison:
        if isinstance(left, str) or isinstance(right, str):
            same = left == right
        elif left[0] != right[0]:
            same = False
        elif left[0] in ("and", "or"):
            return self._compare_parts(left, right)
        elif left[0] == "not":
            return self._compare_whole(left, right, self.match(left[1], right[1]).score)
        elif left[0] == "when":
            scores = [self.match(a, b).score for a, b in zip(left[1:], right[1:], strict=True)]
            same = scores == [1, 1]
        else:
            if left[1] == right[1]:
                return self._compare_whole(left, right, self.match(left[2], right[2]).score)
            same = False
        return self._compare_whole(left, right, float(same))

    def _compare_whole(self, left: Tree, right: Tree, score: float) -> Comparison:
        if score > 0:
            return Comparison(matched=[left], score=score)
        return Comparison(wrong=[left], missed=[right])

    def _compare_parts(self, left: tuple[Any, ...], right: tuple[Any, ...]) -> Comparison:
        rows, columns = left[1:], right[1:]
        leaves: dict[str, list[int]] = {}  # text -> its columns: leaves match only equal leaves
        for to, column in enumerate(columns):
            if isinstance(column, str):
                leaves.setdefault(column, []).append(to)
        trees = [(to, column) for to, column in enumerate(columns) if not isinstance(column, str)]
        edges: list[list[int]] = []
        matched: dict[tuple[int, int], Sequence[Tree]] = {}
        for at, row in enumerate(rows):
            if isinstance(row, str):
                edges.append(leaves.get(row, []))
                matched.update(((at, to), [row]) for to in edges[at])
                self._count_matches(len(edges[at]))
                continue
            edges.append([])
            for to, column in trees:
                result = self.match(row, column)
                if result.score >= 1:  # partial matches are rounded down to none
                    edges[at].append(to)
                    matched[at, to] = result.matched
                    self._count_matches(len(result.matched))
        column_of = maximum_matching(edges, len(columns))
        pairs = {(at, to) for at, to in enumerate(column_of) if to >= 0}
        taken = {to for _, to in pairs}
        if self.misread_rows:
            lost = [at for at, to in enumerate(column_of) if to < 0 or at not in taken]
            counted = list(matched)
        else:
            lost = [at for at, to in enumerate(column_of) if to < 0]
            counted = sorted(pairs)
        whole = min(len(rows), len(columns)) if self.parts_suffice else max(len(rows), len(columns))
        return Comparison(
            matched=[tree for pair in counted for tree in matched[pair]],
            wrong=[rows[at] for at in lost],
            missed=[columns[to] for to in range(len(columns)) if to not in taken],
            score=len(pairs) / whole if whole else 0.0,
        )


def maximum_matching(edges: Sequence[Sequence[int]], columns: int) -> list[int]:
    """Return the column of each row, or -1, with the most pairs (Hopcroft and Karp, 1973).

    If several pairings have the most pairs, the result is the one of the library that the published
    evaluator uses: rows and columns are tried in order, and paths are followed from the last
    postponed row.
    """
    rows = len(edges)
    column_of = [-1] * rows
    row_of = [rows] * columns  # ``rows`` stands for none
    while True:
        depth = _layers(edges, column_of, row_of)
        if depth[rows] is None:
            return column_of
        for root in range(rows):
            if column_of[root] < 0:
                _augment(root, edges, column_of, row_of, depth)


def _layers(
    edges: Sequence[Sequence[int]], column_of: Sequence[int], row_of: Sequence[int]
) -> list[int | None]:
    """Return the distance of each row from the unpaired rows. The last number is the distance of an
    unpaired column."""
    rows = len(edges)
    depth: list[int | None] = [0 if column < 0 else None for column in column_of]
    depth.append(None)
    queue = deque(at for at in range(rows) if depth[at] == 0)
    while queue:
        row = queue.popleft()
        own, end = depth[row], depth[rows]
        assert own is not None
        if row == rows or (end is not None and own >= end):
            continue
        for column in edges[row]:
            if depth[row_of[column]] is None:
                depth[row_of[column]] = own + 1
                queue.append(row_of[column])
    return depth


def _augment(
    root: int,
    edges: Sequence[Sequence[int]],
    column_of: list[int],
    row_of: list[int],
    depth: list[int | None],
) -> None:
    """Pair one more row along a shortest path, if such a path still exists."""
    free = len(edges)
    came_from: dict[int, int] = {}
    aside = [root]
    while aside:
        row = aside.pop()
        own = depth[row]
        if own is None:
            continue
        for column in edges[row]:
            owner = row_of[column]
            if depth[owner] != own + 1:
                continue
            if owner != free:
                aside.append(owner)
                came_from[owner] = row
                continue
            while True:
                depth[row] = None
                column_of[row], before = column, column_of[row]
                row_of[column] = row
                if row == root:
                    return
                row, column = came_from[row], before


# -- counting ------------------------------------------------------------------------------------


def predicates(trees: Sequence[Tree]) -> Iterator[str]:
    """Yield the first word of every leaf except ``()``."""
    waiting = list(reversed(trees))
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, str):
            if tree != NOTHING:
                yield tree.split(" ")[0]
        else:
            start = 2 if tree[0] in ("exists", "forall") else 1
            waiting.extend(reversed(tree[start:]))
