"""Operators as models write them: the ground truth with mistakes, in every format we have seen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
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


class Writer:
    """Draws outputs; ``operators`` are the official ones, ``asked`` the names a task asks for."""

    def __init__(
        self, generator: np.random.Generator, operators: Mapping[str, Mapping[str, str]]
    ) -> None:
        self.generator = generator
        self.operators = operators

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
            lambda t: ["exists", ["?o", "-", "object"], ["and", t, ["next_to", "?char", "?o"]]],
            lambda t: ["forall", ["?far_obj", "-", "object"], ["when", t, self._literal()]],
            lambda t: ["forall", ["?o", "-", "object"], ["not", ["next_to", "?char", "?o"]]],
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
            lambda t: _longer_negation(t, ["near", "?char", "?obj"]),
            lambda t: _renamed(t, "?obj2", "?box"),
            lambda t: _renamed(t, "?far_obj", "?o"),
            lambda t: _renamed(t, "?close_obj", "?obj"),
            lambda t: _renamed(t, "?obj3", "?char"),
        ]

    def _shuffled(self, tree: Tree) -> Tree:
        if len(tree) > 2 and tree[0] in ("and", "or"):
            order = self.generator.permutation(len(tree) - 1)
            return [tree[0], *(tree[1 + int(at)] for at in order)]
        return tree

    def _literal(self) -> Tree:
        literal = self._pick(
            [
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
            ]
        )
        return ["not", literal] if self.generator.random() < 0.3 else literal

    # -- the text ---------------------------------------------------------------------------------

    def _format(self, blocks: Sequence[Block]) -> str:
        comment = self._pick(["", "", "", " ; why", " ; (it's so"])
        lines = []
        for b in blocks:
            lines += [
                f"(:action {b['name']}{comment}",
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
    """With one part more in each negated conjunction."""
    if isinstance(tree, str):
        return tree
    changed = [_longer_negation(part, literal) for part in tree]
    if changed[:1] == ["not"] and isinstance(changed[-1], list) and changed[-1][:1] == ["and"]:
        changed[-1] = [*changed[-1], literal]
    return changed


def _renamed(tree: Tree, old: str, new: str) -> Tree:
    if isinstance(tree, str):
        return new if tree == old else tree
    return [_renamed(part, old, new) for part in tree]
