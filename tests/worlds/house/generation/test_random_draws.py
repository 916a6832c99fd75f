"""Houses are the same everywhere: what their generator draws and how it rounds."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from homebody.core.ground.seeds import choose
from homebody.worlds.house import generation
from homebody.worlds.house.generation.random_draws import sample_between, sample_weighted

DRAWS = {"random", "integers", "permutation"}
"""Methods of a generator whose streams stay the same."""
LIBM = {"sin", "cos", "tan", "atan2", "asin", "acos", "atan", "exp", "log", "pow", "hypot"}
"""Functions whose last bit is the platform's; ``sqrt`` is the same everywhere."""


def unstable(tree: ast.AST, is_rounded: bool = False) -> Iterator[str]:
    """Draws whose stream is numpy's own affair, and what hangs on libm outside of ``round``."""
    for node in ast.iter_child_nodes(tree):
        rounded = is_rounded
        if isinstance(node, ast.Call):
            rounded = rounded or (
                isinstance(node.func, ast.Name)
                and node.func.id == "round"
                and len(node.args) == 2  # to decimals: to whole numbers, ties would hang on libm
            )
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if name in LIBM and not is_rounded:
                yield f"{name} in line {node.lineno}"
        if isinstance(node, ast.Attribute):
            owner = node.value
            owner_name = getattr(owner, "id", getattr(owner, "attr", ""))
            drawn_from = owner_name in ("rng", "generator")
            if drawn_from and node.attr not in DRAWS:
                yield f"{node.attr} in line {node.lineno}"
            if owner_name == "random" and node.attr not in ("Generator", "default_rng"):
                yield f"random.{node.attr} in line {node.lineno}"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not rounded:
            power = node.right.value if isinstance(node.right, ast.Constant) else None
            if power != 2:
                yield f"a power in line {node.lineno}"
        yield from unstable(node, rounded)


def test_the_generator_draws_and_rounds_alike_on_all_platforms() -> None:
    for file in sorted(Path(generation.__path__[0]).glob("*.py")):
        assert not [f"{file.name}: {what}" for what in unstable(ast.parse(file.read_text("utf-8")))]


def test_what_is_unstable_is_found() -> None:
    for text in (
        *("rng.uniform(1, 2)", "self.rng.choice(a)", "np.random.rand()", "random.shuffle(a)"),
        *("math.sin(1)", "round(math.atan2(1, 2))", "a ** 0.5", "1.15**n"),
    ):
        assert list(unstable(ast.parse(text))), text
    for text in ("round(math.atan2(1, 2), 9)", "rng.random(3)", "math.sqrt(2)", "round(a**n, 9)"):
        assert not list(unstable(ast.parse(text))), text


def test_weights_of_zero_are_never_drawn() -> None:
    rng = np.random.default_rng(0)
    assert {sample_weighted(rng, [0, 1, 0, 2]) for _ in range(200)} == {1, 3}
    assert all(2 <= sample_between(rng, 2, 3) < 3 for _ in range(100))
    assert {choose(rng, "abc") for _ in range(100)} == set("abc")
