"""Does anything get lost when a disk is full, a process is killed, or a folder is read-only?

    python benchmarks/attack_writing.py                  # every command that writes
    python benchmarks/attack_writing.py score house-new  # some

Each command is run once as it is, over what an earlier command left. Then, each time from the same
start:

- with a limit on the size of files, which fails in the middle of a file, as a full disk does;
- killed (SIGKILL) before each of its steps on files: opening to write, renaming, removing, making
  a folder. A hook in the interpreter counts the steps: none is missed and time plays no part;
- in a folder that it may not write to;
- where it can be mounted, on a file system with room for a few kilobytes;
- with its standard output full.

Whatever happens, a file has the content from before or that from after; a command that did not
succeed says so in a line, and with its exit code; the same command then succeeds, and leaves what
it leaves when nothing happens. Of results whose files are of two runs, `homebody results` says so.
Exit status 1 if anything else was seen. It needs the ``dev`` extra.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parents[1]
SIZES: Final = (0, 150, 2_000, 40_000)
"""Bytes that a file may have."""
ROOM: Final = (0, 8, 64)
"""Kilobytes that are left of a small disk."""
MOST_KILLS: Final = 60
"""Of one command, spread over all its steps."""
ACTION: Final = "eai.virtualhome.action_sequencing"
HOOK: Final = """
import os, signal, sys

def _watch():
    under, at, main, seen = os.environ["ATTACK_UNDER"], int(os.environ["ATTACK_AT"]), os.getpid(), 0
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
    steps = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"}

    def hook(event, args):
        nonlocal seen
        if event == "open":
            if not (isinstance(args[2], int) and args[2] & writing):
                return
        elif event not in steps:
            return
        if not isinstance(args[0], (str, bytes)) or os.getpid() != main:
            return
        if os.path.abspath(os.fsdecode(args[0])).startswith(under):
            seen += 1
            if seen == at:
                os.kill(main, signal.SIGKILL)
            if at == 0:
                with open(os.environ["ATTACK_COUNT"], "w") as file:
                    file.write(str(seen))

    sys.addaudithook(hook)

if "ATTACK_UNDER" in os.environ:
    _watch()
"""


@dataclass(frozen=True)
class Command:
    """A command that writes.

    Attributes:
        name: Of the command here.
        words: After ``homebody``.
        before: Commands that were run before it.
        results: The folder of results that it writes, if it does.
        volatile: Files that say how long it took, or when.
        model: It asks a model, on a server of this process.
        packages: It is given the published packages: ``{wheel}`` and ``{sdist}``.
    """

    name: str
    words: tuple[str, ...]
    before: tuple[tuple[str, ...], ...] = ()
    results: str = ""
    volatile: tuple[str, ...] = ()
    model: bool = False
    packages: bool = False


def run_words(limit: int, *more: str, out: str = "out") -> tuple[str, ...]:
    few = ("--limit", str(limit), "--log-dir", "logs", "-o", out)
    return ("run", ACTION, *more, *few)


def new(house: str, seed: int, rooms: int = 2) -> tuple[str, ...]:
    return ("house", "new", house, "--seed", str(seed), "--rooms", str(rooms))


def render(name: str, verb: str, *more: str) -> Command:
    words = ("house", verb, "house.json", *more)
    return Command(name, words, (new("house.json", 1, 1), words, new("house.json", 2, 1)))


AGENT: Final = ("--agent", "oracle", "--workers", "1")
MODEL: Final = ("--model", "{model}")
SERIAL: Final = ("--engine", "serial")
PLAYED: Final = (
    "run",
    "partnr.val",
    "-a",
    "expert",
    "--limit",
    "2",
    "--workers",
    "1",
    "-o",
    "played",
)
OUTPUTS: Final = "played/expert_outputs.json"
COMMANDS: Final = (
    Command("run-agent", run_words(3, *AGENT), results="out/oracle"),
    Command(
        "run-model",
        run_words(3, *MODEL),
        results="out/{folder}",
        volatile=("logs",),
        model=True,
    ),
    Command(
        "score",
        ("score", ACTION, "outputs/oracle_outputs.json", "-o", "out"),
        (
            run_words(2, *AGENT, out="fewer"),
            ("score", ACTION, "fewer/oracle_outputs.json", "-o", "out"),
            run_words(3, *AGENT, out="outputs"),
        ),
        "out/oracle",
    ),
    Command("house-new", new("house.json", 2), (new("house.json", 1),)),
    Command("house-new-packed", new("house.json.gz", 2), (new("house.json.gz", 1),)),
    render("house-map", "render", "-o", "house.png"),
    render("house-glb", "export", "-o", "house.glb"),
    Command(
        "partnr-generate",
        ("partnr", "generate", "made", "--episodes", "3", "--split", "val", *SERIAL),
        volatile=("made/report.json", "made/shards"),
    ),
    Command(
        "partnr-draw",
        ("partnr", "draw", "partnr.val", "val-18-0", "-o", "task.svg"),
        (("partnr", "draw", "partnr.test", "test-19-0", "-o", "task.svg"),),
    ),
    Command(
        "partnr-traces",
        ("partnr", "traces", OUTPUTS, "-o", "traces.jsonl", *SERIAL),
        (PLAYED, ("partnr", "finetune", OUTPUTS, "-o", "traces.jsonl", *SERIAL)),
    ),
    Command(
        "partnr-finetune",
        ("partnr", "finetune", OUTPUTS, "-o", "chats.jsonl", *SERIAL),
        (PLAYED, ("partnr", "traces", OUTPUTS, "-o", "chats.jsonl", *SERIAL)),
    ),
    Command(
        "analyse-plot",
        ("analyse", "difficulty", ACTION, "out", "--plot", "plot.svg"),
        (
            run_words(2, *AGENT),
            ("analyse", "difficulty", ACTION, "out", "--plot", "plot.svg"),
            run_words(5, *AGENT),
        ),
    ),
    Command(
        "data-fetch",
        ("data", "fetch", "behavior", "--force", "--wheel", "{wheel}", "--bddl", "{sdist}"),
        (("data", "fetch", "behavior", "--wheel", "{wheel}", "--bddl", "{sdist}"),),
        packages=True,
    ),
    Command("list", ("list",)),
    Command("show", ("show", ACTION, "27_2")),
)


@dataclass
class Row:
    """What came of one fault in one command.

    Attributes:
        command: Its name.
        fault: What happened to it.
        tries: How often.
        failures: What was wrong, a line each.
    """

    command: str
    fault: str
    tries: int = 0
    failures: list[str] = field(default_factory=list)


def matrix(names: Sequence[str] = ()) -> list[Row]:
    """Every fault in the commands of these names; in all if there are none."""
    rows: list[Row] = []
    chosen = [command for command in COMMANDS if not names or command.name in names]
    with tempfile.TemporaryDirectory(prefix="attack-") as scratch, _environment(scratch) as given:
        if any(command.packages for command in chosen):
            given |= _packages(Path(scratch))
        for command in chosen:
            rows += _Attack(command, Path(scratch), given).rows()
    return rows


class _Attack:
    """A command, what it leaves, and every fault in it."""

    def __init__(self, command: Command, scratch: Path, given: dict[str, str]) -> None:
        self.command, self.given = command, given
        self.folder = scratch / "work"
        self.start = scratch / f"{command.name}-start"
        self.counted = scratch / "count"
        self._reset(None)
        for words in command.before:
            self._must(self._run(words))
        shutil.rmtree(self.start, ignore_errors=True)
        shutil.copytree(self.folder, self.start, symlinks=True)
        self.before = self._files()
        self._must(self._run(command.words))
        self.after = self._files()

    def rows(self) -> Iterator[Row]:
        print(f"{self.command.name} ...", file=sys.stderr, flush=True)
        yield self._each("full stdout", ["/dev/full"], self._full_stdout)
        if not self.before and not self.after:
            return
        yield self._each("file size", SIZES, self._file_size)
        yield self._each("kill -9", self._steps(), self._kill)
        yield self._each("read-only", ["folder"], self._read_only)
        if _can_mount():
            yield self._each("small disk", ROOM, self._small_disk)

    def _each(
        self, fault: str, cases: Sequence[object], attack: Callable[[object], list[str]]
    ) -> Row:
        row = Row(self.command.name, fault)
        for case in cases:
            self._reset(self.start)
            row.tries += 1
            row.failures += [f"{case}: {problem}" for problem in attack(case)]
        return row

    # -- faults -----------------------------------------------------------------------------------

    def _file_size(self, size: object) -> list[str]:
        assert isinstance(size, int)
        ended = self._run(
            self.command.words,
            first=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        )
        return [*self._after_fault(ended), *self._goes_on()]

    def _small_disk(self, kilobytes: object) -> list[str]:
        size = sum(-(-len(data) // 4096) * 4 for data in self._files(every=True).values())
        folders = sum(1 for path in self.start.rglob("*") if path.is_dir())
        with _mounted(self.folder, f"size={size + 4 * (folders + 2) + int(str(kilobytes))}k"):
            shutil.copytree(self.start, self.folder, dirs_exist_ok=True)
            ended = self._run(self.command.words)
            problems = self._after_fault(ended)
            kept = self._files(every=True)
        self._reset(None)
        for name, data in kept.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(data)
        return [*problems, *self._goes_on()]

    def _kill(self, step: object) -> list[str]:
        ended = self._run(self.command.words, watched=str(step))
        if ended.returncode != -signal.SIGKILL:
            return [f"was not killed: {ended.stderr[-200:]}"]
        return [*self._kept(), *self._goes_on()]

    def _read_only(self, _: object) -> list[str]:
        places = [self.folder, *(path for path in self.folder.rglob("*") if path.is_dir())]
        for place in places:
            place.chmod(0o555)
        try:
            ended = self._run(self.command.words, first=_drop_privileges)
        finally:
            for place in places:
                place.chmod(0o755)
        if ended.returncode == 0 and self._files() != self.before:
            return ["could write"]
        problems = self._after_fault(ended) if self._files() == self.before else ["something lost"]
        return [*problems, *self._goes_on()]

    def _full_stdout(self, device: object) -> list[str]:
        with Path(str(device)).open("w") as full:
            ended = self._run(self.command.words, stdout=full.fileno())
        said = "" if ended.returncode else "succeeds"
        return [*([said] if said and self.command.name in ("list", "show") else [])] + [
            problem for problem in self._told(ended) if ended.returncode
        ]

    # -- what has to hold -------------------------------------------------------------------------

    def _after_fault(self, ended: subprocess.CompletedProcess[str]) -> list[str]:
        if ended.returncode == 0:
            return [] if self._files() == self.after else ["succeeds without its files"]
        return [*self._told(ended), *self._kept(), *self._halves()]

    def _told(self, ended: subprocess.CompletedProcess[str]) -> list[str]:
        lines = ended.stderr.strip().splitlines()
        if ended.returncode < 0 or "Traceback" in ended.stderr or not lines:
            return [f"exit code {ended.returncode}: ...{ended.stderr[-300:]!r}"]
        errors = [line for line in lines if line.startswith("homebody: ")]
        return [] if len(errors) == 1 else [f"says {lines[-3:]}"]

    def _kept(self) -> list[str]:
        """Each file from before is there, as before or as after; results of two runs are told."""
        now = self._files()
        problems = [
            f"{name} is lost" if name not in now else f"{name} is neither old nor new"
            for name in {*self.before, *now}
            if now.get(name) not in (self.before.get(name), self.after.get(name))
            and not name.endswith(".jsonl.gz")  # shards of a generation, which goes on with them
            and not name.startswith("logs/")  # journals, which grow by lines
            and b"not written yet" not in now.get(name, b"")  # a place that is claimed
        ]
        results = self._filled((self.command.results,))[0]
        names = ("/samples.jsonl", "/summary.json", "/run.json", "_outputs.json")
        files = [f"{results}{name}" for name in names]
        if results and any(file in now for file in files):
            states = [
                [now.get(f) == tree.get(f) for f in files] for tree in (self.before, self.after)
            ]
            told = self._run(("results", results)).returncode != 0
            if told == any(map(all, states)):
                problems.append(f"homebody results says {told}: {states}")
        return problems

    def _halves(self) -> list[str]:
        """Who is not killed leaves no half files."""
        return [f"{path.name} is left" for path in self.folder.rglob(".*.half")]

    def _goes_on(self) -> list[str]:
        """The same command succeeds, and leaves what it leaves when nothing happens."""
        ended = self._run(self.command.words)
        if ended.returncode and "is there already" not in ended.stderr:
            return [f"does not go on: {ended.stderr[-300:]}"]
        now = self._files()
        wrong = sorted(n for n in {*now, *self.after} if now.get(n) != self.after.get(n))
        return [*(f"{name} differs afterwards" for name in wrong), *self._halves()]

    # -- how --------------------------------------------------------------------------------------

    def _steps(self) -> list[int]:
        self._reset(self.start)
        self.counted.unlink(missing_ok=True)
        self._must(self._run(self.command.words, watched="0"))
        count = int(self.counted.read_text()) if self.counted.exists() else 0
        every = max(1, -(-count // MOST_KILLS))
        return list(range(1, count + 1, every))

    def _reset(self, start: Path | None) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if start is None:
            self.folder.mkdir()
        else:
            shutil.copytree(start, self.folder, symlinks=True)

    def _files(self, every: bool = False) -> dict[str, bytes]:
        """The files that count, by their path; those that are hidden do not."""
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        named = {path.relative_to(self.folder).as_posix(): path for path in paths}
        return {
            name: path.read_bytes()
            for name, path in named.items()
            if every
            or not (
                any(part.startswith(".") for part in Path(name).parts)
                or name.startswith(self.command.volatile or ("\0",))
            )
        }

    def _filled(self, words: Sequence[str]) -> list[str]:
        return [word.format(**self.given) for word in words]

    def _run(
        self,
        words: Sequence[str],
        *,
        watched: str = "",
        first: Callable[[], object] | None = None,
        stdout: int = subprocess.DEVNULL,
    ) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        if self.command.packages:
            environment["HOMEBODY_DATA"] = str(self.folder / "cache")
        if watched:
            environment |= {
                "ATTACK_UNDER": str(self.folder),
                "ATTACK_AT": watched,
                "ATTACK_COUNT": str(self.counted),
            }
        return subprocess.run(
            [sys.executable, "-m", "homebody", *self._filled(words)],
            cwd=self.folder,
            env=environment,
            preexec_fn=first,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )

    def _must(self, ended: subprocess.CompletedProcess[str]) -> None:
        if ended.returncode:
            raise SystemExit(f"{self.command.name} fails by itself: {ended.stderr[-500:]}")


@contextmanager
def _environment(scratch: str) -> Iterator[dict[str, str]]:
    """What commands are given: a model, packages; and the hook in every interpreter."""
    hook = Path(scratch) / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(HOOK)
    sys.path.insert(0, str(REPOSITORY / "tests"))
    from model_server import ModelServer

    server = ModelServer()
    paths = [str(hook), str(REPOSITORY / "src"), os.environ.get("PYTHONPATH", "")]
    os.environ |= {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "XDG_DATA_HOME": str(Path(scratch) / "inspect"),
        "NO_PROXY": "*",
        "COLUMNS": "100",
        **server.environment,
    }
    folder = server.model.replace("/", "_")
    try:
        yield {"model": server.model, "folder": folder}
    finally:
        server.stop()


def _packages(scratch: Path) -> dict[str, str]:
    """The published packages, downloaded as ``homebody data fetch`` does."""
    from homebody.data.behavior import STORE
    from homebody.data.downloads import obtain

    files = {
        name: obtain(package, None, scratch, lambda *step: None)
        for name, package in STORE.packages.items()
    }
    return {"wheel": str(files["source"]), "sdist": str(files["taxonomy"])}


def _drop_privileges() -> None:
    """Have modes of files count for root, too: without CAP_DAC_OVERRIDE after the next exec."""
    if os.geteuid() == 0:
        library = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if library.prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
                os._exit(99)


def _can_mount() -> bool:
    with tempfile.TemporaryDirectory() as place:
        return not subprocess.run(
            f"mount -t tmpfs none {place} && umount {place}", shell=True, capture_output=True
        ).returncode


@contextmanager
def _mounted(place: Path, options: str) -> Iterator[None]:
    shutil.rmtree(place)
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(place)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", nargs="*", help="; ".join(c.name for c in COMMANDS))
    began = time.monotonic()
    rows = matrix(parser.parse_args().commands)
    for row in rows:
        print(f"{row.command:<18} {row.fault:<12} {row.tries:4} tries {len(row.failures):4} failed")
        for failure in row.failures:
            print(f"    {failure}")
    failed = sum(len(row.failures) for row in rows)
    print(
        f"{sum(row.tries for row in rows)} tries, {failed} failed, {time.monotonic() - began:.0f} s"
    )
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
