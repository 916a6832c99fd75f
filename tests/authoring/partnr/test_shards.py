"""Generating episodes by the shard: the same bytes whatever happens."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from authoring.partnr import fake_maker
from homebody.authoring.partnr import shards
from homebody.authoring.partnr.counts import GenerationPlan, Report
from homebody.authoring.partnr.draft import FailureMode
from homebody.core import HomebodyError
from homebody.suites.partnr.episodes import files
from patience import wait_until
from places import ROOT

PLAN = GenerationPlan("val", 60, author="fake")
TESTS = ROOT / "tests"


def content(out: Path) -> bytes:
    return (out / "episodes.jsonl.gz").read_bytes()


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """What comes of the plan in one process."""
    out = tmp_path_factory.mktemp("serial")
    return out, shards.generate(out, PLAN, fake_maker.make, engine="serial")


def test_all_episodes_are_there_once_and_houses_take_turns(serial: tuple[Path, Report]) -> None:
    out, report = serial
    found = list(files.read_file(out / "episodes.jsonl.gz"))
    jobs = shards.jobs_of(PLAN)
    asked = {f"val-{job.scene}-{index}" for job in jobs for index in range(job.start, job.stop)}
    assert sorted(one.id for one in found) == sorted(asked)
    assert sorted(int(one.id.rsplit("-", 1)[1]) for one in found) == list(range(60))
    assert [one.house_seed for one in found[:26]] == [job.scene for job in jobs] * 2
    assert len(found) == report.counts.episodes == 60
    assert found[0] == fake_maker.make("val", jobs[0].scene, 0)[0]
    assert report.houses == len(jobs) == 13
    assert sorted(path.name for path in out.iterdir()) == [
        ".lock",
        "episodes.jsonl.gz",
        "manifest.json",
        "report.json",
    ]


@pytest.mark.slow
def test_shards_of_train_follow_each_other(tmp_path: Path) -> None:
    plan = GenerationPlan("train", 100, author="fake")
    for engine in ("serial", "pool"):
        shards.generate(tmp_path / engine, plan, fake_maker.make, engine=engine, workers=2)
    found = [
        int(one.id.rsplit("-", 1)[1])
        for one in files.read_file(tmp_path / "serial" / "episodes.jsonl.gz")
    ]
    assert found == list(range(100))
    assert content(tmp_path / "serial") == content(tmp_path / "pool")


def test_rejected_drafts_are_counted(serial: tuple[Path, Report]) -> None:
    counts = serial[1].counts
    expected: Counter[FailureMode] = Counter()
    ordered = {"rejected": 0, "episodes": 0}
    for job in shards.jobs_of(PLAN):
        for index in range(job.start, job.stop):
            episode, failures = fake_maker.make("val", job.scene, index)
            expected.update(failures)
            if len(episode.evaluation.propositions) == 2:
                ordered["episodes"] += 1
                ordered["rejected"] += sum(failures.values())
    assert counts.rejected == {failure.value: count for failure, count in expected.items()}
    assert counts.acceptance == pytest.approx(60 / (60 + sum(expected.values())))
    assert counts.of_kind["temporal"] == ordered["episodes"]
    assert sum(counts.rejected_of_kind["temporal"].values()) == ordered["rejected"]
    assert counts.of_kind["constraint-free"] + counts.of_kind["temporal"] == 60
    assert counts.seconds >= 0
    assert counts.megabytes > 10


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_the_pool_makes_the_same(serial: tuple[Path, Report], tmp_path: Path, workers: int) -> None:
    seen: list[tuple[int, int]] = []
    report = shards.generate(
        tmp_path,
        PLAN,
        fake_maker.make,
        engine="pool",
        workers=workers,
        progress=lambda what, done, total: seen.append((done, total)),
    )
    assert content(tmp_path) == content(serial[0])
    assert report.counts.rejected == serial[1].counts.rejected
    assert report.counts.rejected_of_kind == serial[1].counts.rejected_of_kind
    assert seen[0] == (0, 60)
    assert seen[-1] == (60, 60)
    assert seen == sorted(seen)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_ray_makes_the_same(
    serial: tuple[Path, Report], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))  # where its workers find the author
    report = shards.generate(tmp_path, PLAN, fake_maker.make, engine="ray", workers=2)
    assert content(tmp_path) == content(serial[0])
    assert report.counts.rejected == serial[1].counts.rejected


def test_another_seed_makes_other_episodes(serial: tuple[Path, Report], tmp_path: Path) -> None:
    shards.generate(
        tmp_path, GenerationPlan("val", 60, 1, "fake"), fake_maker.make, engine="serial"
    )
    first = {one.id for one in files.read_file(serial[0] / "episodes.jsonl.gz")}
    second = {one.id for one in files.read_file(tmp_path / "episodes.jsonl.gz")}
    assert len(second) == 60
    assert not first & second


def test_more_than_a_shard_in_a_house() -> None:
    jobs = shards.jobs_of(GenerationPlan("test", 10 * 450 + 3))
    by_scene: dict[int, list[int]] = {}
    for job in jobs:
        by_scene.setdefault(job.scene, []).extend(range(job.start, job.stop))
        assert 0 < job.stop - job.start <= shards.SHARD
    assert [len(some) for some in by_scene.values()] == [451] * 3 + [450] * 7
    assert [index for some in by_scene.values() for index in some] == list(range(4503))
    assert [job.number for job in jobs] == list(range(len(jobs)))


@pytest.mark.parametrize(
    ("make", "counted"),
    [(fake_maker.moody, FailureMode.UNSOLVED.value), (fake_maker.sullen, shards.GIVEN_UP)],
)
def test_who_gives_up_is_asked_for_another(tmp_path: Path, make: shards.Make, counted: str) -> None:
    report = shards.generate(tmp_path, PLAN, make, engine="serial")
    ids = [one.id for one in files.read_file(tmp_path / "episodes.jsonl.gz")]
    assert len(set(ids)) == 60
    replaced = sum(int(one.rsplit("-", 1)[1]) >= 5_000_000 for one in ids)
    assert report.counts.rejected[counted] == replaced > 0


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("make", "engine", "error", "match"),
    [
        (fake_maker.hopeless, "serial", HomebodyError, r"index 0: contradiction"),
        (fake_maker.hopeless, "pool", HomebodyError, r"index \d+: contradiction"),
        (fake_maker.mistaken, "pool", HomebodyError, r"index \d+: on purpose"),
        (fake_maker.broken, "pool", RuntimeError, "ZeroDivisionError: on purpose"),
        (fake_maker.dying, "pool", HomebodyError, "ended with code 7"),
    ],
)
def test_what_goes_wrong_ends_it(
    tmp_path: Path,
    make: shards.Make,
    engine: str,
    error: type[Exception],
    match: str,
) -> None:
    with pytest.raises(error, match=match):
        shards.generate(tmp_path, PLAN, make, engine=engine, workers=2)
    assert not (tmp_path / "episodes.jsonl.gz").exists()
    # and it can go on with an author that does better
    shards.generate(tmp_path, PLAN, fake_maker.make, engine="serial")


def test_finished_shards_are_not_made_again(tmp_path: Path, serial: tuple[Path, Report]) -> None:
    calls, out = tmp_path / "calls", tmp_path / "out"
    calls.mkdir()
    stop: list[int] = []

    def interrupt(what: str, done: int, total: int) -> None:
        if done >= 30 and not stop:
            stop.append(done)
            raise KeyboardInterrupt

    make = partial(fake_maker.counted, str(calls))
    with pytest.raises(KeyboardInterrupt):
        shards.generate(out, PLAN, make, engine="serial", progress=interrupt)
    assert 30 <= len(list(calls.iterdir())) < 60
    # what a kill can leave: a half-written file, counts without their episodes
    (out / "shards" / ".shard-000012.jsonl.gz.1.half").write_bytes(b"half")
    (out / "shards" / "shard-000012.json").write_text('{"episodes": 99}')
    shards.generate(out, PLAN, make, engine="serial")
    assert content(out) == content(serial[0])
    names = [one.name for one in calls.iterdir()]
    assert len(names) == 60
    assert all(name.endswith(".0") for name in names)
    shards.generate(out, PLAN, make, engine="serial")  # all done: it makes nothing
    assert len(list(calls.iterdir())) == 60


@pytest.mark.parametrize(
    "damage",
    [
        lambda episodes, counts: counts.unlink(),
        lambda episodes, counts: episodes.unlink(),
        lambda episodes, counts: (episodes.write_bytes(b"garbage"), counts.unlink()),
        lambda episodes, counts: episodes.write_bytes(b"garbage"),
        lambda episodes, counts: episodes.write_bytes(episodes.read_bytes()[:-20]),
        lambda episodes, counts: counts.write_bytes(b"\xff garbage"),
        lambda episodes, counts: counts.write_text('{"episodes": 5}'),  # an older homebody's
    ],
    ids=["no counts", "no episodes", "garbage alone", "garbage", "cut off", "other", "older"],
)
def test_a_shard_that_is_not_whole_is_made_again(
    tmp_path: Path, serial: tuple[Path, Report], damage: Callable[[Path, Path], object]
) -> None:
    out = tmp_path / "out"

    def interrupt(what: str, done: int, total: int) -> None:
        if done >= 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shards.generate(out, PLAN, fake_maker.make, engine="serial", progress=interrupt)
    folder = out / "shards"
    damage(folder / "shard-000001.jsonl.gz", folder / "shard-000001.json")
    shards.generate(out, PLAN, fake_maker.make, engine="serial")
    assert content(out) == content(serial[0])


SCRIPT = """
import sys
from pathlib import Path
from homebody.authoring.partnr import shards
from homebody.authoring.partnr.counts import GenerationPlan
from authoring.partnr import fake_maker

if __name__ == "__main__":
    plan = GenerationPlan("val", 260, author="fake")
    shards.generate(Path(sys.argv[1]), plan, fake_maker.slow, engine="pool", workers=2)
"""


def running(folder: Path) -> list[int]:
    """Processes that have this folder among their arguments, and their children."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and str(folder) in (entry / "environ").read_text():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_ended_at_any_time_it_goes_on(tmp_path: Path, ending: signal.Signals) -> None:
    script, out = tmp_path / "script.py", tmp_path / "out"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "MARK": str(tmp_path)}
    command = [sys.executable, str(script), str(out)]

    def finished() -> int:
        return len(list((out / "shards").glob("shard-*.jsonl.gz")))

    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as process:
        wait_until(lambda: finished() >= 2 or process.poll() is not None)
        process.send_signal(ending)
    kept = {path.name: path.stat().st_mtime_ns for path in (out / "shards").glob("shard*.gz")}
    assert 2 <= len(kept) < 13
    wait_until(lambda: not running(tmp_path))  # nor do workers go on
    assert not (out / "episodes.jsonl.gz").exists()
    plan = GenerationPlan("val", 260, author="fake")
    shards.generate(out, plan, fake_maker.make, engine="serial")
    shards.generate(tmp_path / "whole", plan, fake_maker.make, engine="serial")
    assert content(out) == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("other", "match"),
    [
        (GenerationPlan("val", 61, author="fake"), "started with episodes 60, not 61"),
        (GenerationPlan("test", 60, author="fake"), "started with split val, not test"),
        (GenerationPlan("val", 60, 3, "fake"), "started with seed 0, not 3"),
        (GenerationPlan("val", 60), "started with author fake, not grammar"),
    ],
)
def test_another_plan_is_refused(
    serial: tuple[Path, Report], other: GenerationPlan, match: str
) -> None:
    before = content(serial[0])
    with pytest.raises(HomebodyError, match=match):
        shards.generate(serial[0], other, fake_maker.make, engine="serial")
    assert content(serial[0]) == before


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', "\x00"])
def test_another_folder_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(HomebodyError, match="not a manifest"):
        shards.generate(tmp_path, PLAN, fake_maker.make, engine="serial")


@pytest.mark.parametrize(("name", "value"), [("homebody", "0.0.9"), ("version", 0)])
def test_a_folder_of_another_homebody_is_refused(tmp_path: Path, name: str, value: object) -> None:
    shards.check_manifest(tmp_path / "manifest.json", PLAN)
    begun = json.loads((tmp_path / "manifest.json").read_bytes()) | {"homebody": "0.0.9"}
    (tmp_path / "manifest.json").write_text(json.dumps(begun | {name: value}))
    with pytest.raises(HomebodyError, match=f"started with {name} {value}") as caught:
        shards.generate(tmp_path, PLAN, fake_maker.make, engine="serial")
    assert "pip install homebody==0.0.9" in caught.value.hint


def test_episodes_of_others_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl.gz").write_bytes(b"precious")
    with pytest.raises(HomebodyError, match="has episodes already"):
        shards.generate(tmp_path, PLAN, fake_maker.make, engine="serial")
    assert (tmp_path / "episodes.jsonl.gz").read_bytes() == b"precious"


def test_two_do_not_work_in_one_folder(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(HomebodyError, match="another process"):
            shards.generate(tmp_path, PLAN, fake_maker.make, engine="serial")


@pytest.mark.parametrize(
    ("plan", "options", "match"),
    [
        (GenerationPlan("val", 0), {}, "1 to"),
        (GenerationPlan("val", 10**9), {}, "1 to"),
        (GenerationPlan("train", 2_000_001), {}, "1 to"),
        (GenerationPlan("val", 1, -1), {}, "seed"),
        (GenerationPlan("dev", 1), {}, "unknown split: 'dev'"),
        (PLAN, {"engine": "gpu"}, "unknown engine: 'gpu'"),
        (PLAN, {"workers": 0}, "workers"),
    ],
)
def test_impossible_plans_are_refused(
    tmp_path: Path, plan: GenerationPlan, options: dict[str, str | int], match: str
) -> None:
    with pytest.raises(HomebodyError, match=match):
        shards.generate(tmp_path, plan, fake_maker.make, **options)  # type: ignore[arg-type]


def test_a_missing_ray_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(HomebodyError, match="not installed") as caught:
        shards.generate(tmp_path, PLAN, fake_maker.make, engine="ray")
    assert "homebody[scale]" in caught.value.hint


def test_the_file_is_compressed_without_a_time(serial: tuple[Path, Report]) -> None:
    packed = content(serial[0])
    assert packed[4:8] == bytes(4)
    lines = gzip.decompress(packed).splitlines()
    assert len(lines) == 60
    assert all(json.loads(line)["house_seed"] % 20 == 18 for line in lines)
