"""Models that are asked with pictures, as an OpenAI-compatible server on loopback sees it."""

from __future__ import annotations

import io
import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from homebody.core import CORRECTED
from homebody.evals import RunResult, run
from homebody.evals.logs import read_log
from homebody.results.viewing.replays import make_replay, replies_by_role, shown_replay
from homebody.suites import get_suite
from homebody.suites.embodiedeval.suite import TEST
from model_server import ModelServer, completed, inspect_home, isolated, refused, server
from own_suites import in_place
from suites.embodiedeval.small_tasks import task_of

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
Pictures = pytest.importorskip("PIL.Image", reason="needs: pip install 'homebody[house]'")
__all__ = ["inspect_home", "isolated", "server"]
NAME = "small.embodied"
KIND = ("attribute_qa", "quantity")
Play = Callable[..., RunResult]


@pytest.fixture
def play(server: ModelServer, tmp_path: Path) -> Iterator[Play]:
    """Have the model play a task with a question, saying one thing after the other."""
    task = task_of(*KIND)
    tasks = replace(TEST.tasks, load=lambda protocol: (task,), prepare=lambda progress: None)

    def played(replies: Sequence[str], **options: Any) -> RunResult:
        left = iter(replies)
        server.converse = lambda messages: next(left)
        return run(NAME, model=server.model, log_dir=tmp_path, max_retries=0, **options)

    with in_place([replace(TEST, name=NAME, tasks=tasks)]):
        yield played


def shown(body: dict[str, Any]) -> tuple[list[str], list[NDArray[np.uint8]], list[str]]:
    """What is told before pictures, the pictures, and what is said from the first of them on."""
    system, user = body["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    pictures, before, after = [], [], []
    for part in user["content"]:
        if part["type"] == "text":
            (after if pictures else before).append(part["text"])
            continue
        assert part["type"] == "image_url"
        head, _, data = part["image_url"]["url"].partition(",")
        assert head == "data:image/png;base64"
        picture = Pictures.open(io.BytesIO(b64decode(data, validate=True)))
        picture.load()
        assert picture.format == "PNG"
        assert picture.mode == "RGB"
        pictures.append(np.asarray(picture))
    return before, pictures, after


def numbered(body: dict[str, Any]) -> list[str]:
    """The options, whose numbers go up from 1."""
    lines = body["messages"][1]["content"][-1]["text"].splitlines()[1:]
    numbers, texts = zip(*(line[1:].split("] ", 1) for line in lines), strict=True)
    assert list(numbers) == [str(number) for number in range(1, len(lines) + 1)]
    return list(texts)


@pytest.mark.slow
def test_a_whole_run_shows_all_that_was_seen_in_order(play: Play, server: ModelServer) -> None:
    turn = ["Thought: I see 3 cups. I turn.\nChoice: [1]", "hm", "Choice: [77]"]
    (score,) = play(turn * 8, settings={"picture": "224"}).scores
    assert len(server.requests) == 24
    told = [shown(body) for body in server.requests]
    for step, (before, pictures, after) in enumerate(told, 1):
        assert len(pictures) == step
        assert all(picture.shape == (224, 224, 3) for picture in pictures)
        names = [before[-1], *after[:-1]]
        assert names == [*(f"step {earlier}:" for earlier in range(1, step)), "current view:"]
        assert f"step {step} of 24" in after[-1]
    last = told[-1][1]
    for _, pictures, _ in told:  # each picture stays at its place
        for one, other in zip(pictures, last, strict=False):
            assert (one == other).all()
    assert (last[0] != last[1]).any()  # it has turned
    assert (last[1] == last[2]).all()  # nothing was done
    options = numbered(server.requests[0])
    history = told[5][0][0].splitlines()
    assert history[history.index(f"1. {options[0]} -> success") + 1 :][:2] == [
        "2. 'hm' -> failed: no option is named; end with Choice: [number]",
        "3. 'Choice: [77]' -> failed: there is no option 77; choose one that is listed",
    ]
    assert "turn left" in options
    assert sum(text.startswith('answer "') for text in options) == 8
    assert score.record["errors"] == ["no option match", "option out of range"] * 8
    assert score.record["steps_used_up"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("settings", "count", "side"),
    [
        ({}, 3, 448),
        ({"picture": "224"}, 3, 224),
        ({"picture": "896"}, 3, 896),
        ({"history": "1", "picture": "224"}, 1, 224),
        ({"view": "frames", "picture": "224"}, 9, 224),
        ({"picture": "none"}, 0, 0),
    ],
)
def test_ablations_change_what_is_sent(
    play: Play, server: ModelServer, settings: dict[str, str], count: int, side: int
) -> None:
    play(["Choice: 1", "Choice: 1", an_answer()], settings=settings)
    body = server.requests[2]
    if not count:
        assert "image_url" not in json.dumps(body)
        assert "You look straight ahead" in json.dumps(body)
        return
    _, pictures, _ = shown(body)
    assert [picture.shape for picture in pictures] == [(side, side, 3)] * count


def an_answer() -> str:
    """An answer, which ends the task."""
    return f'Choice: answer "{task_of(*KIND).answers[0].text}"'


def test_boxes_are_in_the_pictures_that_are_sent(play: Play, server: ModelServer) -> None:
    for settings in ({"picture": "224"}, {"picture": "224", "boxes": "yes"}):
        play([an_answer()], settings=settings)
    (_, (plain,), _), (_, (boxed,), _) = map(shown, server.requests)
    share = (plain != boxed).any(-1).mean()
    assert 0.01 < share < 0.5


def test_a_model_can_call_tools(play: Play, server: ModelServer) -> None:
    answer = task_of(*KIND).answers[0].text
    calls = iter(
        [
            ("TurnLeft", "{}"),
            ("Answer", json.dumps({"answer": "no such"})),
            ("Fly", "{"),
            ("Answer", json.dumps({"answer": answer})),
        ]
    )
    server.call = lambda body: ("I see 5 things.", [next(calls)])
    (score,) = play([], settings={"reply": "call", "picture": "224"}).scores
    body = server.requests[3]
    names = {tool["function"]["name"] for tool in body["tools"]}
    assert names == {"Forward", "TurnLeft", "TurnRight", "LookUp", "LookDown", "Answer"}
    before, pictures, _ = shown(body)
    assert len(pictures) == 4
    assert "1. turn left -> success" in before[0]
    assert '2. answer "no such" -> failed: this option is not listed' in before[0]
    assert "3. a call of Fly -> failed: unknown tool" in before[0]
    assert score.record["errors"] == ["no option match"] * 2
    assert score.record["steps"] == 4


def test_errors_of_a_server_are_no_answers(play: Play, server: ModelServer) -> None:
    server.respond = lambda body: (
        refused(400, "this model takes no images") if len(server.requests) == 2 else None
    )
    result = play(["Choice: 1", "Choice: 1"], settings={"picture": "224"})
    assert result.scores == ()
    (error,) = result.errors
    assert error.kind == "provider_error"
    assert error.reason == "HTTP 400: this model takes no images"


def test_refused_empty_and_cut_replies_are_counted(play: Play, server: ModelServer) -> None:
    said = iter([completed(None, refusal="no"), completed(""), completed("Choice:", "length")])
    server.respond = lambda body: next(said, None)
    (score,) = play([an_answer()], settings={"picture": "224"}).scores
    assert score.record["errors"] == ["no option match"] * 3
    assert score.record["stop_reasons"] == {"empty": 1, "max_tokens": 1, "refused": 1, "stop": 1}
    told = shown(server.requests[3])[0][0]
    assert "1. 'no' -> failed: no option is named" in told
    assert "2. '' -> failed: no option is named" in told


@pytest.mark.slow
def test_a_video_is_sent_where_the_provider_takes_one(play: Play, server: ModelServer) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="needs: pip install 'homebody[video]'")
    server.any_path = True
    settings = {"view": "video", "picture": "224"}
    play([], settings=settings, model_args={"responses_api": True})
    (part,) = (
        part
        for message in server.requests[0]["input"]
        for part in message["content"]
        if part["type"] == "input_file"
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "video.mp4"
        path.write_bytes(b64decode(part["file_data"].partition(",")[2], validate=True))
        reader = ffmpeg.read_frames(str(path))
        assert next(reader)["size"] == (224, 224)
        assert len(list(reader)) == 1


def test_a_provider_without_videos_is_told_so_at_once(play: Play, server: ModelServer) -> None:
    pytest.importorskip("imageio_ffmpeg", reason="needs: pip install 'homebody[video]'")
    with pytest.raises(Exception, match="its provider takes no videos"):
        play([], settings={"view": "video", "picture": "224"})
    assert server.requests == []


@pytest.mark.slow
def test_a_replay_has_what_the_model_said_at_each_step(play: Play) -> None:
    result = play(["Thought: I see a <room>.\nChoice: [1]", "hm"] * 12, settings={"picture": "224"})
    assert result.log_path is not None
    log = read_log(Path(result.log_path))
    ((key, output),) = log.outputs.items()
    suite = get_suite(NAME)
    said = replies_by_role(log.messages[key])
    replay = make_replay(suite, suite.task(key[0]), output, CORRECTED, said)
    assert replay is not None
    shown = shown_replay(replay)
    document = shown.document
    assert [step["said"] for step in document["steps"][:2]] == [
        "Thought: I see a <room>.\nChoice: [1]",
        "hm",
    ]
    assert sum("I see a <room>." in step["said"] for step in document["steps"]) == 12
    assert document["steps"][1]["message"] == "not understood"
    assert len(shown.pictures) == 25  # and what is seen at the end
    assert len(shown.scenes) == 2  # the house, and who acts in it
