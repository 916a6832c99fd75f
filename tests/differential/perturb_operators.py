"""Operators as models write them: the ground truth with mistakes, in every format we have seen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

Tree: TypeAlias = Any
"""A word, or a list of trees."""
Block: TypeAlias = dict[str, Any]
"""``name``, ``parameters`` (text), ``precondition`` and ``effect`` (trees)."""


def read(text: str) -> Tree:
    """One group of a text in parentheses."""
    stack: list[list[Tree]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0][0]


def show(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(show, tree))})"


def block(operator: Mapping[str, str]) -> Block:
    """From the official JSON file of operators."""
    return {
        "name": operator["action_name"],
        "parameters": operator["action_parameters"],
        "precondition": read(operator["action_preconditions"]),
        "effect": read(operator["action_effects"]),
    }


@dataclass(frozen=True)
class Words:
    """What is put into operators: ``literals``, and of a quantified variable ``?o`` ``about``."""

    literals: Sequence[Tree]
    about: Tree
    extra: Tree
    renamed: Sequence[tuple[str, str]]
    heads: Sequence[str] = ("(:action {}",)


VIRTUALHOME = Words(
    literals=[
        ["next_to", "?char", "?obj"],
        ["holds_rh", "?char", "?obj"],
        ["holds_lh", "?char", "?obj"],
        ["on", "?obj"],
        ["off", "?obj"],
        ["plugged_in", "?obj"],
        ["has_switch", "?obj"],
        ["facing", "?char", "?obj"],
        ["obj_inside", "?obj", "?char"],
        ["recipient", "?obj"],
        ["sitting", "?char"],
        ["standing", "?char"],
        ["near", "?char", "?obj"],
        ["on", "?char", "?obj"],
        ["=", "?char", "?obj"],
        ["clean", "?nothing"],
        [],
        "on",
    ],
    about=["next_to", "?char", "?o"],
    extra=["near", "?char", "?obj"],
    renamed=[
        ("?obj2", "?box"),
        ("?far_obj", "?o"),
        ("?close_obj", "?obj"),
        ("?obj3", "?char"),
    ],
)
BEHAVIOR = Words(
    literals=[
        ["in_reach_of_agent", "?obj"],
        ["holding", "?obj"],
        ["handsfull", "?agent"],
        ["holding", "?obj_in_hand"],
        ["inside", "?obj", "?obj"],
        ["ontop", "?obj_in_hand", "?obj"],
        ["nextto", "?obj", "?obj_in_hand"],
        ["open", "?obj"],
        ["open", "?obj"],
        ["toggled_on", "?obj"],
        ["soaked", "?rag"],
        ["same_obj", "?obj", "?agent"],
        ["on", "?obj"],
        ["open", "?agent", "?obj"],
        ["=", "?agent", "?obj"],
        ["stained", "?nothing"],
        [],
        "open",
    ],
    about=["under", "?o", "?agent"],
    extra=["near", "?obj", "?agent"],
    renamed=[
        ("?obj2", "?box"),
        ("?other_obj", "?o"),
        ("?objfrom", "?from"),
        ("?agent", "?robot"),
    ],
    heads=("(:action {}", "(:action {}", "(:action {})"),  # their prompts close heads
)


class Writer:
    """Draws outputs; ``operators`` are the official ones, ``asked`` the names a task asks for."""

    def __init__(
        self,
        generator: np.random.Generator,
        operators: Mapping[str, Mapping[str, str]],
        words: Words = VIRTUALHOME,
    ) -> None:
        self.generator = generator
        self.operators = operators
        self.words = words

    def output(self, asked: Sequence[str]) -> str:
        blocks = [block(self.operators[name]) for name in asked]
        for _ in range(int(self.generator.integers(0, 4))):
            blocks = self._pick(self._block_changes)(blocks)
        for _ in range(int(self.generator.integers(0, 5))):
            if blocks:
                self._change_logic(self._pick(blocks))
        return self._format(blocks)

    def _pick(self, options: Sequence[Any]) -> Any:
        return options[int(self.generator.integers(len(options)))]

    # -- whole operators --------------------------------------------------------------------------

    @property
    def _block_changes(self) -> list[Callable[[list[Block]], list[Block]]]:
        return [
            lambda blocks: blocks,
            lambda blocks: blocks,
            lambda blocks: blocks[1:],
            lambda blocks: blocks[::-1],
            lambda blocks: [*blocks, block(self.operators[self._pick(list(self.operators))])],
            lambda blocks: [*blocks, *({**b, "name": "fly"} for b in blocks[:1])],
            lambda blocks: [{**b, "name": b["name"].title()} for b in blocks[:1]] + blocks[1:],
            lambda blocks: [*blocks, *blocks[:1]],
            self._rename_parameters,
        ]

    def _rename_parameters(self, blocks: list[Block]) -> list[Block]:
        def renamed(tree: Tree) -> Tree:
            if isinstance(tree, str):
                return tree.replace("?obj", "?thing") if tree.startswith("?obj") else tree
            return [renamed(part) for part in tree]

        return [
            {
                **b,
                "parameters": b["parameters"].replace("?obj", "?thing"),
                "precondition": renamed(b["precondition"]),
                "effect": renamed(b["effect"]),
            }
            for b in blocks
        ]

    # -- their logic ------------------------------------------------------------------------------

    def _change_logic(self, operator: Block) -> None:
        part = self._pick(["precondition", "effect"])
        operator[part] = self._changed(operator[part])

    def _changed(self, tree: Tree) -> Tree:
        """One change, somewhere in the tree."""
        if isinstance(tree, list) and tree and self.generator.random() < 0.6:
            places = [at for at, part in enumerate(tree) if isinstance(part, list)]
            if tree[0] in ("forall", "exists"):
                places = [at for at in places if at > 1]
            if places:
                at = self._pick(places)
                return [*tree[:at], self._changed(tree[at]), *tree[at + 1 :]]
        return self._pick(self._tree_changes)(tree)

    @property
    def _tree_changes(self) -> list[Callable[[Tree], Tree]]:
        return [
            lambda t: [],
            lambda t: self._literal(),
            lambda t: ["and", t, self._literal()],
            lambda t: ["and", self._literal(), t],
            lambda t: ["or", t, ["and", self._literal(), self._literal()]],
            lambda t: ["not", t],
            lambda t: ["and", t],
            lambda t: ["when", self._literal(), t],
            lambda t: ["exists", ["?o", "-", "object"], ["and", t, self.words.about]],
            lambda t: ["forall", ["?far_obj", "-", "object"], ["when", t, self._literal()]],
            lambda t: ["forall", ["?o", "-", "object"], ["not", self.words.about]],
            self._shuffled,
            self._shuffled,
            lambda t: [*t, *t[-1:]],
            lambda t: t[:-1],
            lambda t: [*t[:1], *t[2:]],
            lambda t: [*t, self._literal()],
            lambda t: [*t, self._literal()],
            lambda t: ["imply", self._literal(), t],
            lambda t: [t, self._literal()],
            lambda t: t[1] if len(t) == 2 and isinstance(t[1], list) else t,
            lambda t: [t[0].upper(), *t[1:]] if t and isinstance(t[0], str) else t,
            lambda t: _longer_negation(t, self._literal()),
            lambda t: _longer_negation(t, self.words.extra),
            *(partial(_renamed, old=old, new=new) for old, new in self.words.renamed),
        ]

    def _shuffled(self, tree: Tree) -> Tree:
        if len(tree) > 2 and tree[0] in ("and", "or"):
            order = self.generator.permutation(len(tree) - 1)
            return [tree[0], *(tree[1 + int(at)] for at in order)]
        return tree

    def _literal(self) -> Tree:
        literal = self._pick(self.words.literals)
        return ["not", literal] if self.generator.random() < 0.3 else literal

    # -- the text ---------------------------------------------------------------------------------

    def _format(self, blocks: Sequence[Block]) -> str:
        comment = self._pick(["", "", "", " ; why", " ; (it's so"])
        heads = self.words.heads
        head = heads[0] if len(heads) == 1 else self._pick(heads)
        lines = []
        for b in blocks:
            lines += [
                head.format(b["name"]) + comment,
                f"  :parameters {b['parameters']}",
                f"  :precondition {show(b['precondition'])}",
                f"  :effect {show(b['effect'])}{comment}",
                ")",
            ]
        text = self._pick(["\n", "\n", "\n", " "]).join(lines)
        if self.generator.random() < 0.1:
            at = int(self.generator.integers(len(text) + 1))
            text = self._pick([text[:at], text[:at] + text[at + 1 :], text[:at] + ")" + text[at:]])
        return str(self._pick(self._envelopes)(text))

    @property
    def _envelopes(self) -> list[Callable[[str], str]]:
        return [
            lambda text: json.dumps({"output": text}),
            lambda text: json.dumps({"output": text}),
            lambda text: json.dumps({"output": text}),
            lambda text: json.dumps({"output": text}),
            lambda text: "```json\n" + json.dumps({"output": text}, indent=1) + "\n```",
            lambda text: "Here is it:\n" + json.dumps({"output": text}),
            lambda text: "{'output': '" + text + "'}",
            lambda text: '{"output": "' + text + '"}',
            lambda text: text,
            lambda text: "```pddl\n" + text + "\n```",
            lambda text: json.dumps({"output": [text]}),
            lambda text: json.dumps({"answer": text}),
            lambda text: json.dumps(text),
        ]


def _longer_negation(tree: Tree, literal: Tree) -> Tree:
    """With one part more in each negated conjunction, quantified or not."""
    if isinstance(tree, str):
        return tree
    changed = [_longer_negation(part, literal) for part in tree]
    inner = changed
    while inner[:1] in (["not"], ["exists"]) and isinstance(inner[-1], list):
        inner = inner[-1]
    if inner is not changed and inner[:1] == ["and"] and inner[-1] != literal:
        inner.append(literal)
    return changed


def _renamed(tree: Tree, old: str, new: str) -> Tree:
    if isinstance(tree, str):
        return new if tree == old else tree
    return [_renamed(part, old, new) for part in tree]
