"""Functions as commands: what their annotations say is what is parsed."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import click
import pytest

from homebody.cli.command import Argument, Group, Option, is_given

GIVEN: dict[str, Any] = {}
app = Group("toy", help="Toys.")


@app.command()
def take_all(
    name: Annotated[str, Argument(help="What", metavar="NAME")],
    files: Annotated[list[Path] | None, Argument(help="Where", meaning=lambda paths: paths)] = None,
    count: Annotated[int, Option(min=1, max=9, help="How many")] = 1,
    share: Annotated[float | None, Option("--part", min=0.0)] = None,
    word: Annotated[list[str] | None, Option("--word", "-w", envvar="TOY_WORDS")] = None,
    loud: Annotated[bool, Option("--loud", help="Whether")] = False,
    out_dir: Annotated[Path, Option()] = Path("here"),
) -> None:
    """Take all.

    More of it.
    """
    GIVEN.update(locals(), given=is_given("word"))


@app.command("of")
def named_otherwise() -> None:
    """Do nothing."""


def run(*words: str) -> dict[str, Any]:
    GIVEN.clear()
    app.main(["take-all", *words], standalone_mode=False)
    return dict(GIVEN)


def test_what_is_left_out_is_the_functions() -> None:
    assert run("a") == {
        "name": "a",
        "files": None,
        "count": 1,
        "share": None,
        "word": None,
        "loud": False,
        "out_dir": Path("here"),
        "given": False,
    }


def test_what_is_given_has_the_annotated_type() -> None:
    assert run(
        *[
            "a",
            "b",
            "c",
            "--count",
            "3",
            "--part",
            "0.5",
            "-w",
            "x",
            "--word=y",
            "--loud",
            "--out-dir",
            "d",
        ]
    ) == {
        "name": "a",
        "files": [Path("b"), Path("c")],
        "count": 3,
        "share": 0.5,
        "word": ["x", "y"],
        "loud": True,
        "out_dir": Path("d"),
        "given": True,
    }


@pytest.mark.parametrize(
    "words", ["", "a --count 0", "a --count 10", "a --part -1", "a --count x", "a --nothing"]
)
def test_what_is_wrong_is_refused(words: str) -> None:
    with pytest.raises(click.UsageError):
        run(*words.split())


def test_the_environment_gives_what_is_not_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_WORDS", "p q")
    found = run("a")
    assert (found["word"], found["given"]) == (["p", "q"], False)


def test_help_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    app.main(["take-all", "--help"], standalone_mode=False)
    text = capsys.readouterr().out
    for part in ("Take all.", "More of it.", "How many", "[default: 1", "--out-dir", "TOY_WORDS"):
        assert part in text
    app.main(["--help"], standalone_mode=False)
    text = capsys.readouterr().out
    assert "take-all  Take all.\n" in text
    assert "of        Do nothing.\n" in text


def test_a_module_is_imported_for_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    lazy = Group("lazy", help="Lazy.", modules={"one": "toy_one", "two": "toy_two"})
    monkeypatch.setitem(sys.modules, "toy_lazy", SimpleNamespace(lazy=lazy))
    for name in ("one", "two"):
        text = f"from toy_lazy import lazy\n@lazy.command()\ndef {name}(): print('{name}')\n"
        (tmp_path / f"toy_{name}.py").write_text(text)
    lazy.main(["one"], standalone_mode=False)
    assert capsys.readouterr().out == "one\n"
    assert "toy_one" in sys.modules
    assert "toy_two" not in sys.modules
