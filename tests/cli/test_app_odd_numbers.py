"""Numbers that no one means: each is one line that says what is possible, and soon."""

from __future__ import annotations

import pytest

from command import Homebody

RENDER = ["house", "render", "0", "--size", "8x8"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["house", "new", "a.json", "--people", "1000000"], "at most 1000 people"),
        (["house", "render", "0", "--size", "nanxnan", "--at", "1,1"], "give 2 numbers"),
        (["house", "render", "0", "--size", "infx2", "--at", "1,1"], "give 2 numbers"),
        ([*RENDER, "--at", "nan,inf"], "give 2 or 3 numbers"),
        ([*RENDER, "--room", "studio_room_0", "--fov", "nan"], "choose 1 to 170"),
        (
            ["house", "render", "0", "--size", "20000x2", "--at", "1,1", "-o", "a.webp"],
            "cannot write a.webp",
        ),
        (["run", "partnr.val", "-a", "expert", "--epochs", "9" * 20], "10,000,000 samples"),
        (["run", "partnr.val", "-a", "expert", "--temperature", "nan"], "--temperature"),
        (["data", "fetch", "eai", "--force", "--wheel", "/dev/zero"], "/dev/zero is not a file"),
        (["analyse", "sensitivity", ".", "--workers", "9" * 9], "--workers"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line(command: list[str], message: str, homebody: Homebody) -> None:
    result = homebody(*command)
    assert (result.code, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert message in result.err
