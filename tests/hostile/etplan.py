"""ET-Plan-Bench as targets: criteria, read and judged by; released tasks, read and audited; files
of tasks, read and played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import numpy as np
from msgspec.structs import replace

from homebody.core import CORRECTED, HomebodyError, Object, State, Trace
from homebody.core.play.rounds import play
from homebody.goals.etplan import QUIRKS, RELATIONS, ROBOT, EtplanGoal, add_stages, read_criterion
from homebody.suites.etplan.agents.oracle import oracle
from homebody.suites.etplan.audit import audit
from homebody.suites.etplan.graph_game import GraphGame
from homebody.suites.etplan.released import FILES, read_released
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import keep
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import decode_tasks, encode_tasks, load
from homebody.worlds.virtualhome.scene_graph import read_graph, write_graph
from hostile.corpus import nested
from hostile.readers import folder, reader
from hostile.target import Broken, Prepared, Target
from suites.etplan.released_files import line, write
from suites.etplan.test_audit import CASES
from worlds.virtualhome.scene_graphs import household

_CLASSES = ("robot", "apple", "cup", "fridge")
_IN_GRAPH = (
    "Navigate[apple_20]",
    "Pick[apple_20]",
    "Navigate[bed_13]",
    "Place[apple_20, on, bed_13]",
)
_CRITERIA = (
    "(CLOSE, robot, apple)",
    "(CLOSE, robot, apple)(CLOSE, robot, fridge)(INSIDE, apple, fridge)(ON, apple, cup)",
    "STEP_1: (CLOSE, robot, cup)(FACING, cup, apple) STEP_2:(ON, cup, fridge)(ON, apple, apple)",
)


def etplan_targets() -> Iterator[Target]:
    """A target for criteria and one for the released files."""
    yield Target("ET-Plan-Bench criterion", lambda: reader(_CRITERIA, _judged, crafted=_crafted()))
    yield Target("ET-Plan-Bench released tasks", _released)
    yield Target("VirtualHome scene graph", lambda: reader([household().decode()], _graph))
    yield Target("ET-Plan-Bench tasks", _tasks)


def _graph(text: str) -> object:
    graph = read_graph(text.encode("utf-8", "surrogatepass"))
    if read_graph(write_graph(graph)).digest != graph.digest:
        raise Broken("another graph when read again")
    game = GraphGame(graph.start(graph.rooms[0]), read_criterion(_CRITERIA[1]), "visible", 2)
    for turn in range(8):
        options = game.options()
        if options:
            with suppress(HomebodyError):
                game.do(options[turn * 31 % len(options)])
    return game.describe()


def _tasks() -> Prepared:
    """Files of tasks, in a home and in a scene graph."""
    graph = keep(read_graph(household()))
    in_home = load("test")["manipulation"][0]
    in_graph = replace(in_home, house=graph.digest, start=graph.rooms[0], plan=_IN_GRAPH)
    files = [encode_tasks([task], packed=False) for task in (in_home, in_graph)]
    line = files[0].strip()
    wrong = [
        (b'"start":[', b'"start":[1e308,'), (b'"metres":', b'"metres":1e999,"x":'),
        (b'"house":', b'"house":99999999999999999999,"x":'), (b'"plan":[', b'"plan":["Fly[up]",'),
        (b'"id":"', b'"id":"../'), (b'"row":"', b'"row":"\xff'),
        (b'"start":', b'"start":"' + b"a" * 99 + b'","y":'),
    ]  # fmt: skip
    crafted = [
        *(line.replace(old, new, 1) for old, new in wrong),
        *(b"[" * 100_000, b'{"nodes"' + b"[" * 100_000, b"\n" * 50_000, b"\x1f\x8b", b"{}"),
        *(nested('{"start":', "}", 50_000, "0").encode(), line + b"\n" + line, files[1] * 2),
    ]  # fmt: skip
    return reader(files, _played, crafted=crafted)


def _played(data: bytes) -> object:
    tasks = decode_tasks(data)
    if decode_tasks(encode_tasks(tasks, packed=False)) != tasks:
        raise Broken("other tasks when written and read again")
    said: list[object] = []
    for task in tasks[:2]:
        if task.house not in range(39, 41) and not isinstance(task.house, str):
            continue  # making homes is slow, and attacked by itself
        with suppress(HomebodyError):
            session = start(ROWS[task.row], task, {}, 0, CORRECTED)
            play(session, {ROBOT: oracle(session, np.random.default_rng(0))})
            said.append((session.ending, session.score().metrics))
    return said


def _crafted() -> list[str]:
    long = "".join(f"({r}, {a}, {b})" for r, a, b in product(RELATIONS, _CLASSES, _CLASSES[1:]))
    deep = [nested("(", ")", depth, "ON, a, b") for depth in (30, 50_000)]
    return [long[: 21 * count] for count in (30, 32, 33)] + [*deep, "STEP_1:" * 500, "(ON," * 900]


def _judged(text: str) -> object:
    criterion = read_criterion(text)
    if read_criterion(str(criterion)) != criterion:
        raise Broken(f"another criterion when read again: {criterion}")
    names = [(f"{name}_{number}", name) for name in _CLASSES for number in range(6)]
    objects = [Object(name, category) for name, category in names]
    facts = [
        (relation, a, b)
        for relation, ((a, _), (b, _)) in product(RELATIONS, product(names, names))
        if a != b and hash_of(relation, a, b) % 5 == 0
    ]
    states = [State.from_facts(objects, facts[start::2]) for start in range(2)]
    verdicts = []
    for read, quirks in product((criterion, add_stages(criterion)), ((), *((q,) for q in QUIRKS))):
        goal = EtplanGoal(read, frozenset(quirks))
        verdict = goal.judge(Trace(tuple(states)))
        if verdict.progress != goal.progress(Trace(tuple(states))):
            raise Broken("progress is not that of the verdict")
        if verdict.success != all(part.satisfied for part in verdict.parts):
            raise Broken("a success with an unmet part, or the other way round")
        verdicts.append((verdict.success, verdict.progress, verdict.explanation))
    return verdicts


def hash_of(*words: str) -> int:
    """A number of some words, the same in every process."""
    return sum(ord(letter) * place for place, letter in enumerate("".join(words), 1))


def _released() -> Prepared:
    tasks = [json.dumps(task) for _, wrong, right in CASES.values() for task in (wrong, right)]
    return reader(tasks, _audited, crafted=[json.dumps(line()) * 2, "[" * 100_000, "{}", "\udcff"])


def _audited(text: str) -> object:
    where = write(folder())
    for file in ("navi_and_mani_multi_two_arm", "navigation_tasks"):
        assert file in FILES
        (where / f"{file}.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    return list(audit(read_released(where)))
