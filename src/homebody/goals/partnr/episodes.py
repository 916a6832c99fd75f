"""Published PARTNR episodes: instruction, scene, evaluation function and initial state, from JSON.

homebody's own episodes add ``house_seed``, so that they replay anywhere; ``assigned``, the
propositions that the instruction assigns to an agent ("I'll water the plants while you ..."); and,
in lived-in houses, ``removed``, the names of the house's own objects that are missing.
"""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from homebody.core.ground.nesting import read_json
from homebody.goals.partnr.evaluation_function import Evaluation, EvaluationError
from homebody.goals.partnr.json_format import read_evaluation, write_evaluation

MAX_BYTES = 2 * 1024**3
"""Maximum bytes of an uncompressed file of episodes. The file of the 100,000 published episodes is
smaller."""
MAX_OBJECTS = 10_000

Transform: TypeAlias = tuple[tuple[float, float, float, float], ...]
"""A 4 by 4 matrix, by row: rotation and metres, y up."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One task in one scene.

    Attributes:
        id: Unique in its file.
        scene: The scene's name.
        instruction: The task in a person's words.
        evaluation: Judges the run. Its names are the handles of the simulator.
        objects: Template file and pose of each movable object, in the simulator's order of
            creation.
        receptacles: Handle of an object -> its initial place: a receptacle's unique name, ``|`` and
            names of its parts, or a floor.
        states: State such as ``is_clean`` -> handle -> its initial value.
        house_seed: Seed of homebody's house; None in published episodes.
        assigned: Agent -> indices of the propositions that the instruction assigns to it. Empty in
            published episodes.
        removed: In a lived-in house, the names of the house's own objects that are missing. If
            None, the house has no objects besides ``objects``.
    """

    id: str
    scene: str
    instruction: str
    evaluation: Evaluation
    objects: tuple[tuple[str, Transform], ...] = ()
    receptacles: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    house_seed: int | None = None
    assigned: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    removed: tuple[str, ...] | None = None


def read_episodes(path: Path) -> Iterator[Episode]:
    """Yield the episodes of a ``.json`` or ``.json.gz`` file with a list of ``episodes``.

    Raises EvaluationError with the index of an invalid episode; OSError if it cannot be read.
    """
    with path.open("rb") as raw_file:
        file = gzip.GzipFile(fileobj=raw_file) if path.suffix == ".gz" else raw_file
        try:
            text = file.read(MAX_BYTES + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise EvaluationError(f"{path.name} is not a complete gzip file") from None
    if len(text) > MAX_BYTES:
        raise EvaluationError(f"{path.name} is larger than {MAX_BYTES} bytes")
    try:
        raw = read_json(text)
    except ValueError:
        raise EvaluationError(f"{path.name} is not JSON") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("episodes"), list):
        raise EvaluationError(f"{path.name} has no list of episodes")
    for index, raw_episode in enumerate(raw["episodes"]):
        try:
            yield read_episode(raw_episode)
        except EvaluationError as error:
            raise EvaluationError(f"{path.name}, episode {index}: {error}") from None


def read_episode(raw: object) -> Episode:
    """Read one episode; unknown fields are ignored. Raises EvaluationError."""
    if not isinstance(raw, dict):
        raise EvaluationError("an episode is not a JSON object")
    seed = raw.get("house_seed")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise EvaluationError("house_seed is not an integer")
    identifier = raw.get("episode_id")
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        identifier = str(identifier)
    evaluation = read_evaluation(raw)
    removed = raw.get("removed")
    return Episode(
        _text(identifier, "episode_id"),
        _text(raw.get("scene_id"), "scene_id"),
        _text(raw.get("instruction"), "instruction"),
        evaluation,
        tuple(_object(raw_object) for raw_object in _list(raw.get("rigid_objs", []), "rigid_objs")),
        {
            _text(handle, "name_to_receptacle"): _text(place, "name_to_receptacle")
            for handle, place in _entries(raw.get("name_to_receptacle", {}), "name_to_receptacle")
        },
        {
            _text(state, "object_states"): dict(_states(values))
            for state, values in _entries(raw.get("object_states", {}), "object_states")
        },
        seed,
        {
            _text(agent, "assigned"): _indices(indices, len(evaluation.propositions))
            for agent, indices in _entries(raw.get("assigned", {}), "assigned")
        },
        None
        if removed is None
        else tuple(_text(name, "removed") for name in _list(removed, "removed")),
    )


def write_episode(episode: Episode) -> dict[str, Any]:
    """Return the episode in published field names; :func:`read_episode` reads it back."""
    written: dict[str, Any] = {
        "episode_id": episode.id,
        "scene_id": episode.scene,
        "instruction": episode.instruction,
        **write_evaluation(episode.evaluation),
        "rigid_objs": [[name, [list(row) for row in place]] for name, place in episode.objects],
        "name_to_receptacle": dict(episode.receptacles),
        "object_states": {state: dict(values) for state, values in episode.states.items()},
    }
    if episode.house_seed is not None:
        written["house_seed"] = episode.house_seed
    if episode.assigned:
        written["assigned"] = {agent: list(each) for agent, each in episode.assigned.items()}
    if episode.removed is not None:
        written["removed"] = list(episode.removed)
    return written


def _indices(raw: object, count: int) -> tuple[int, ...]:
    indices = []
    for index in _list(raw, "assigned"):
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < count:
            raise EvaluationError("assigned has an invalid proposition index")
        indices.append(index)
    return tuple(indices)


def _object(raw: object) -> tuple[str, Transform]:
    pair = _list(raw, "an object")
    if len(pair) != 2:
        raise EvaluationError("an object is not a pair of name and place")
    rows = [_list(row, "a place") for row in _list(pair[1], "a place")]
    if len(rows) != 4 or any(len(row) != 4 for row in rows):
        raise EvaluationError("a place is not a 4 by 4 matrix")
    a, b, c, d = ((_metres(w), _metres(x), _metres(y), _metres(z)) for w, x, y, z in rows)
    return _text(pair[0], "an object"), (a, b, c, d)


def _metres(raw: object) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise EvaluationError("a place has an entry that is not a number")
    if (isinstance(raw, int) and abs(raw) > 10**9) or not math.isfinite(raw):
        raise EvaluationError("a place is not finite")
    return float(raw)


def _states(raw: object) -> Iterator[tuple[str, bool]]:
    for handle, value in _entries(raw, "object_states"):
        if not isinstance(value, bool):
            raise EvaluationError("a state in object_states is neither true nor false")
        yield _text(handle, "object_states"), value


def _list(raw: object, where: str) -> Sequence[object]:
    if not isinstance(raw, list) or len(raw) > MAX_OBJECTS:
        raise EvaluationError(f"{where} is not a list of at most {MAX_OBJECTS}")
    return raw


def _entries(raw: object, where: str) -> list[tuple[object, object]]:
    if not isinstance(raw, dict) or len(raw) > MAX_OBJECTS:
        raise EvaluationError(f"{where} is not an object of at most {MAX_OBJECTS} entries")
    return list(raw.items())


def _text(raw: object, where: str) -> str:
    if not isinstance(raw, str) or len(raw) > 100_000:
        raise EvaluationError(f"{where} is not a string")
    return raw
