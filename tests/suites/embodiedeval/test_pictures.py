"""Sets of pictures: made, found, refused; runs that take their pictures from them."""

from __future__ import annotations

import io
import json
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image

from homebody.core import CORRECTED, Action, HomebodyError, Session
from homebody.core.play.rounds import play
from homebody.suites.embodiedeval import agents, picture_sets
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.picture_sets import make_pictures
from homebody.suites.embodiedeval.pictures import _decode, digest_of, open_set
from homebody.suites.embodiedeval.report import snapshot
from homebody.suites.embodiedeval.session import KEPT_FROM, check_settings, start
from homebody.suites.embodiedeval.suite import PLAYING
from homebody.suites.embodiedeval.tasks import EmbodiedTask
from homebody.suites.embodiedeval.views import camera_of, picture
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import HouseState
from suites.embodiedeval.small_tasks import task_of


def small(category: str, family: str, steps: int = 1) -> EmbodiedTask:
    """A task whose plan is cut, for fewer views."""
    task = task_of(category, family)
    return msgspec.structs.replace(task, plan=task.plan[:steps])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of the views of the first step of a task, and of one turn to each side."""
    out = tmp_path_factory.mktemp("pictures") / "set"
    make_pictures(out, [small("object_interaction", "pick_up")], which="plan", engine="serial")
    return out


def take_away(state: HouseState, name: str) -> None:
    state.move(name, state.places[name], Pose((0.0, 0.0, 0.0)))


def marked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all pictures of a set be one colour, so that they are told apart from drawn ones."""
    grey = np.full((448, 448, 3), 77, np.uint8)
    monkeypatch.setattr("homebody.suites.embodiedeval.pictures._decode", lambda *_: grey)


@pytest.mark.slow
def test_what_is_kept_is_what_is_drawn(folder: Path) -> None:
    task = task_of("object_interaction", "pick_up")
    drawn = start(task, {}, 0, CORRECTED)
    kept = start(task, {"pictures": str(folder)}, 0, CORRECTED)
    for action in (None, drawn.options(AGENT)[0]):
        for session in (drawn, kept):
            if action is not None:
                session.act(AGENT, action)
        assert (kept.images(AGENT)[0].rgb == drawn.images(AGENT)[0].rgb).all()


def test_whose_eyes_these_are_darkens_nothing() -> None:
    session = start(task_of("object_interaction", "pick_up"), {}, 0, CORRECTED)
    state, camera = session.game.state, camera_of(session.game.house, session.game.view, 112)
    before = picture(state, camera).rgb
    state.walk(AGENT, Pose((camera.position[0], camera.position[1] + 0.4, 0.0)))
    assert (picture(state, camera).rgb == before).all()


def drawn_now(session: Session) -> Any:
    (draw,) = snapshot(session).pictures.values()
    return draw()


def test_a_run_takes_pictures_while_all_is_as_at_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked(folder, monkeypatch)
    task = task_of("object_interaction", "pick_up")
    session = start(task, {"pictures": str(folder)}, 0, CORRECTED)
    assert drawn_now(session).max() == 77
    assert snapshot(session).note == f"picture: {open_set(folder)}"
    take_away(session.game.state, task.options[0].objects[0])
    assert drawn_now(session).max() > 77
    assert snapshot(session).note == "picture: drawn"


def test_a_transcript_tells_which_set_it_was_and_scores_without_it(folder: Path) -> None:
    task = task_of("object_interaction", "pick_up")
    session = start(task, {"pictures": str(folder)}, 0, CORRECTED)
    session.images(AGENT)
    play(session, {AGENT: agents.oracle(session, np.random.default_rng(0))})
    score = session.score(CORRECTED)
    assert score.record[KEPT_FROM] == str(open_set(folder)) != ""
    text = session.transcript().encode()
    labelled = {**score.record, "labels": []}
    assert PLAYING.score(task, text, CORRECTED).record == labelled
    moved = text.replace(str(folder), "/nowhere")
    assert PLAYING.score(task, moved, CORRECTED).record == labelled
    again, _ = PLAYING.replay(task, moved, CORRECTED)
    assert again.observe(AGENT).images  # drawn, as the set is not there
    with pytest.raises(HomebodyError, match="no finished set"):
        start(task, {"pictures": "/nowhere"}, 0, CORRECTED).images(AGENT)


def test_states_are_told_apart_but_not_where_the_agent_is() -> None:
    session = start(task_of("object_interaction", "pick_up"), {}, 0, CORRECTED)
    state = session.game.state
    before = digest_of(state)
    session.act(AGENT, Action("TurnLeft"))
    assert digest_of(state) == before
    take_away(state, next(iter(state.poses)))
    assert digest_of(state) != before


def test_an_interrupted_set_goes_on_to_the_same_bytes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = small("object_interaction", "pick_up")
    monkeypatch.setattr(picture_sets, "VIEWS", 2)
    make_pictures(tmp_path, [task], which="plan", engine="serial")
    shards = {path.name: path.read_bytes() for path in sorted(tmp_path.glob("*.tar"))}
    assert len(shards) >= 2
    with pytest.raises(HomebodyError, match="started with views plan"):
        make_pictures(tmp_path, [task], engine="serial")
    next(iter(tmp_path.glob("*.tar"))).unlink()
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(HomebodyError, match="no finished set"):
        open_set(tmp_path)
    make_pictures(tmp_path, [task], which="plan", engine="serial")
    assert shards == {path.name: path.read_bytes() for path in sorted(tmp_path.glob("*.tar"))}


def test_what_is_damaged_is_refused(folder: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (shard,) = copy.glob("*.tar")
    shard.write_bytes(shard.read_bytes()[:-1] + b"x")
    session = start(task_of("object_interaction", "pick_up"), {"pictures": str(copy)}, 0, CORRECTED)
    with pytest.raises(HomebodyError, match="not the file in the manifest"):
        session.images(AGENT)
    for number, text in enumerate(("[", '{"format": "x", "quality": "", "shards": []}')):
        other = tmp_path / str(number)
        other.mkdir()
        (other / "manifest.json").write_text(text)
        with pytest.raises(HomebodyError, match=r"manifest\.json"):
            open_set(other)
    told = json.loads((folder / "manifest.json").read_text())
    told["shards"][0]["name"] = "../../etc/passwd"
    (other / "manifest.json").write_text(json.dumps(told))
    with pytest.raises(HomebodyError, match="lists an invalid file name"):
        open_set.__wrapped__(other)


def test_settings_that_do_not_go_together_are_refused(folder: Path) -> None:
    check_settings({"pictures": str(folder)})
    for other in ({"boxes": "yes"}, {"picture": "224"}):
        with pytest.raises(HomebodyError, match="boxes must be no and picture must be 448"):
            check_settings({"pictures": str(folder), **other})
    with pytest.raises(HomebodyError, match="no finished set"):
        check_settings({"pictures": "/nowhere"})
    with pytest.raises(HomebodyError, match="unknown choice of views"):
        make_pictures(folder, [], which="some")


@pytest.mark.parametrize("side", [16, 100_000])
def test_pictures_of_another_size_are_not_unpacked(side: int) -> None:
    data = io.BytesIO()
    Image.new("1", (side, 1)).save(data, "PNG")
    lying = bytearray(data.getvalue())
    lying[16:24] = side.to_bytes(4, "big") * 2
    lying[29:33] = zlib.crc32(lying[12:29]).to_bytes(4, "big")
    for content in (bytes(lying), b"", b"\x89PNG\r\n\x1a\n"):
        with pytest.raises(HomebodyError, match="picture"):
            _decode(content, Path("x.tar"))
