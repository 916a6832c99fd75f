"""Arguments: those that are right come back, of all others it is said what is expected."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.core.ground.arguments import names, numbers, text, texts, whole
from homebody.core.ground.user_errors import HomebodyError


def test_what_is_right_comes_back() -> None:
    assert whole("seed", 0) == 0
    assert type(whole("seed", np.int64(3), 3)) is int
    assert text("task", "a") == "a"
    assert texts("settings", {"human": "idle"}) == {"human": "idle"}
    assert texts("settings", None) == {}
    assert numbers("bounds", {"nodes": 3}) == {"nodes": 3}
    assert numbers("bounds", None) == {}
    assert names("tasks", ("a", "b")) == ["a", "b"]
    assert names("tasks", None) == []


@pytest.mark.parametrize("value", [-1, 2.5, 2.0, "3", None, True, [], np.float64(1)])
def test_a_whole_number(value: object) -> None:
    with pytest.raises(HomebodyError, match="limit must be a whole number of at least 0, not "):
        whole("limit", value)
    with pytest.raises(HomebodyError, match="of at least 4, not 3"):
        whole("limit", 3, 4)


def test_a_text() -> None:
    with pytest.raises(HomebodyError, match="task must be a string, not 3"):
        text("task", 3)
    with pytest.raises(HomebodyError, match=r"settings must map names to strings, not \['human'\]"):
        texts("settings", ["human"])
    with pytest.raises(HomebodyError, match="a name in settings must be a string, not 3"):
        texts("settings", {3: "idle"})
    with pytest.raises(HomebodyError, match="settings: human must be a string, not None"):
        texts("settings", {"human": None})
    with pytest.raises(HomebodyError, match="bounds must map names to numbers, not 3"):
        numbers("bounds", 3)  # type: ignore[arg-type]
    with pytest.raises(HomebodyError, match="a name in bounds must be a string, not 3"):
        numbers("bounds", {3: 3})  # type: ignore[dict-item]
    with pytest.raises(HomebodyError, match="tasks must be a list of strings, not 'a'"):
        names("tasks", "a")
    with pytest.raises(HomebodyError, match="an item of tasks must be a string, not 3"):
        names("tasks", ["a", 3])
    with pytest.raises(HomebodyError, match="a string, not 000") as caught:
        text("task", _Long())
    assert len(str(caught.value)) < 200


class _Long:
    def __repr__(self) -> str:
        return "0" * 10_000
