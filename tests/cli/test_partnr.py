"""``homebody partnr``: episodes made, counted, shown, drawn and verified."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from authoring.partnr import fake_maker
from command import Homebody
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.tasks import load


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of four verified episodes of two houses."""
    from homebody.authoring.partnr.make import make
    from homebody.authoring.partnr.splits import scenes

    path = tmp_path_factory.mktemp("partnr") / "four.jsonl.gz"
    pairs = [(scene, index) for scene in scenes("val", 2) for index in range(2)]
    files.write_file(path, (make("val", scene, index)[0] for scene, index in pairs))
    return path


@pytest.fixture
def faked(tmp_path: Path) -> Path:
    """A file of 30 episodes that mean nothing."""
    path = tmp_path / "fake.jsonl"
    files.write_file(path, (fake_maker.make("val", 18, index)[0] for index in range(30)))
    return path


def test_generate_goes_on_and_stats_counts(partnr: Homebody, tmp_path: Path) -> None:
    command = ("generate", tmp_path / "out", "--split", "val", "--episodes", "3")
    first = partnr(*command, "--engine", "serial")
    assert first.code == 0, first.err
    assert "3 episodes of val in 3 houses" in first.out
    assert "of drafts accepted" in first.out
    assert partnr(*command, "--engine", "serial").out == first.out
    other = partnr("generate", tmp_path / "out", "--split", "test", "--engine", "serial")
    assert other.code == 2
    assert "was started with split val, not test" in other.err
    result = partnr("stats", tmp_path / "out" / "episodes.jsonl.gz")
    assert result.code == 0, result.err
    assert "3 episodes in 3 houses" in result.out


def test_stats_as_text_and_json(partnr: Homebody, faked: Path) -> None:
    result = partnr("stats", faked)
    assert result.code == 0, result.err
    assert "class reference" in result.out
    assert "[100 %, 6.38]" in result.out
    raw = json.loads(partnr("stats", faked, "--format", "json").out)
    assert raw["episodes"] == 30
    assert raw["unique"] == 100
    assert raw["types"]["spatial"] == 0


def test_show(partnr: Homebody, made: Path) -> None:
    one = next(files.read_file(made))
    result = partnr("show", made, one.id)
    assert result.code == 0, result.err
    assert result.out.startswith(one.instruction)
    assert "propositions = [" in result.out or '"evaluation_propositions"' in result.out
    assert all(name in result.out for name in one.receptacles)


def test_draw(partnr: Homebody, made: Path, tmp_path: Path) -> None:
    one = next(files.read_file(made))
    result = partnr("draw", made, one.id, "-o", tmp_path / "one.svg")
    assert result.code == 0, result.err
    root = ElementTree.parse(tmp_path / "one.svg").getroot()
    assert root.tag.endswith("svg")
    assert partnr("draw", made, one.id, "-o", tmp_path / "one.png").code == 2


@pytest.mark.slow
def test_check_finds_what_is_wrong(partnr: Homebody, made: Path, tmp_path: Path) -> None:
    good = partnr("check", made, "--engine", "serial")
    assert good.code == 0, good.out + good.err
    assert "4 episodes, 0 defective" in good.out
    some = list(files.read_file(made))
    names = dict.fromkeys(some[1].receptacles, "rocket_0")
    broken = replace(some[1], evaluation=some[1].evaluation.rename(names))
    files.write_file(tmp_path / "bad.jsonl", [some[0], some[0], broken, some[2]])
    bad = partnr("check", tmp_path / "bad.jsonl", "--engine", "pool", "--workers", "1")
    assert bad.code == 1
    assert f"{some[0].id}: the id is not unique" in bad.out
    assert f"{broken.id}: " in bad.out
    assert some[2].id not in bad.out
    assert "4 episodes, 2 defective" in bad.out
    only = partnr("check", tmp_path / "bad.jsonl", "--first", "1", "--engine", "serial")
    assert only.code == 0


@pytest.mark.slow
def test_check_keeps_what_people_solved(partnr: Homebody, made: Path, tmp_path: Path) -> None:
    first, second, third, fourth = (episode.id for episode in files.read_file(made))
    results, kept = tmp_path / "results.csv", tmp_path / "kept.jsonl.gz"
    results.write_text(
        "participant,task,practice,try,solved,mark\n"
        f"1,{first},no,1,no,\n1,{first},no,2,yes,\n"
        f"2,{second},no,3,no,infeasible\n3,{third},no,1,yes,\n4,{third},no,1,no,ambiguous\n"
    )
    result = partnr("check", made, "--human", results, "-o", kept, "--engine", "serial")
    assert result.code == 1
    assert result.out.splitlines() == [
        f"{second}: 0 of 1 people solved it, 1 marked it as infeasible",
        f"{third}: 1 of 2 people solved it, 1 marked it as ambiguous",
        f"{fourth}: nobody has tried it",
        "4 episodes, 3 defective",
    ]
    assert [episode.id for episode in files.read_file(kept)] == [first]
    other = partnr("check", made, "--human", made, "--engine", "serial")
    assert other.code == 2
    assert "no results of a study" in other.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("show", "{file}", "nobody"), "no episode 'nobody'"),
        (("show", "{missing}", "x"), "No such file"),
        (("stats", "{missing}"), "No such file"),
        (("stats", "{file}", "--format", "xml"), "unknown format: 'xml'"),
        (("stats", "{text}"), "line 1: this is not JSON"),
        (("stats", "{half}"), "not a complete gzip file"),
        (("stats", "{empty}"), "has no episodes"),
        (("check", "{file}", "--engine", "gpu"), "unknown engine: 'gpu'"),
        (("check", "{file}", "--first", "-1"), "'--first'"),
        (("check", "{file}", "--workers", "-3"), "'--workers'"),
        (("stats", "{file}", "--seed", "-4"), "'--seed'"),
        (("stats", "{file}", "--most", "-1"), "'--most'"),
        (("generate", "{out}", "--model", "none", "--concurrency", "0"), "'--concurrency'"),
        (("stats", "partnr.train"), "No such file"),
        (("generate", "{out}", "--split", "dev"), "unknown split: 'dev'"),
        (("generate", "{out}", "--episodes", "0"), "1 to"),
        (("generate", "{out}", "--engine", "gpu"), "unknown engine: 'gpu'"),
        (("generate", "{file}"), "cannot write"),
    ],
)
def test_mistakes_are_one_line(
    partnr: Homebody, faked: Path, tmp_path: Path, args: tuple[str, ...], message: str
) -> None:
    (tmp_path / "text.jsonl").write_text("hello\n")
    (tmp_path / "empty.jsonl").write_text("\n\n")
    files.write_file(tmp_path / "whole.jsonl.gz", files.read_file(faked))
    packed = (tmp_path / "whole.jsonl.gz").read_bytes()
    (tmp_path / "half.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    places = {
        "file": faked,
        "missing": tmp_path / "missing.jsonl",
        "text": tmp_path / "text.jsonl",
        "empty": tmp_path / "empty.jsonl",
        "half": tmp_path / "half.jsonl.gz",
        "out": tmp_path / "out",
    }
    result = partnr(*(one.format(**places) for one in args))
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1


def test_episodes_of_the_suites_need_no_path(partnr: Homebody) -> None:
    one = load("test")[0]
    result = partnr("show", "partnr.test", one.id)
    assert result.code == 0, result.err
    assert result.out.startswith(one.episode.instruction)
    assert "has no episode 'x' (it has 1000 episodes" in partnr("show", "partnr.val", "x").err


def test_show_says_nothing_of_an_episode_of_another_house(
    partnr: Homebody, made: Path, tmp_path: Path
) -> None:
    one = replace(next(files.read_file(made)), scene="home-3")
    files.write_file(tmp_path / "one.jsonl", [one])
    result = partnr("show", tmp_path / "one.jsonl", one.id)
    assert result.code == 2
    assert "is not possible" in result.err
    assert not result.out


def test_a_files_text_does_not_steer_the_terminal(partnr: Homebody, tmp_path: Path) -> None:
    one = fake_maker.make("val", 18, 0)[0]
    nasty = replace(one, instruction="Put \x1b[2J it \x07 there.", receptacles={"a\x1b_0": "b"})
    files.write_file(tmp_path / "one.jsonl", [nasty])
    result = partnr("show", tmp_path / "one.jsonl", one.id)
    assert result.code == 0, result.err
    assert "\x1b" not in result.out
    assert "\x07" not in result.out
