"""Models play episodes through the real path: Inspect, a provider, HTTP to a server on loopback."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import strict_schemas
from homebody import evals
from homebody.core import HomebodyError, Message, Question, Suite
from homebody.evals.asking import open_text_model
from homebody.suites import get_suite
from homebody.suites.partnr import suite as partnr
from homebody.suites.partnr.prompting.calls import parse_call, parse_calls
from homebody.suites.partnr.prompting.knowledge_text import LEGEND
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM
from homebody.suites.partnr.tasks import PartnrTask
from model_server import ModelServer, text_of
from suites.partnr.gbnf import Grammar
from suites.partnr.prompting.valid_calls import as_json
from suites.partnr.scripted import script

NAME = "partnr.val"


def role_of(messages: list[tuple[str, str]], team: str) -> str:
    """Whom a conversation is with, as its system prompt says."""
    if team == "centralised":
        return TEAM
    system = messages[0][1].lower()
    return HUMAN if "you are the human" in system else ROBOT


def scripted(server: ModelServer, team: str) -> None:
    def converse(messages: list[tuple[str, str]]) -> str:
        question = Question(
            role_of(messages, team),
            tuple(Message(role, text) for role, text in messages),  # type: ignore[arg-type]
        )
        return script(question)

    server.converse = converse


@pytest.mark.sampled
@pytest.mark.parametrize("team", ["single", "centralised", "decentralised"])
def test_react_solves_an_episode(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, team: str
) -> None:
    scripted(server, team)
    settings = {} if team == "decentralised" else {"team": team}
    result = evals.run(NAME, model=server.model, log_dir=tmp_path, settings=settings)
    (score,) = result.scores
    assert score.metrics["success"] == 1.0, score.record["explanation"]
    assert score.record["settings"] == settings
    assert sum(score.record["calls"].values()) == len(server.requests)
    assert (
        set(score.record["calls"])
        == {
            "single": {HUMAN},
            "centralised": {TEAM},
            "decentralised": {ROBOT, HUMAN},
        }[team]
    )
    ((name, output),) = result.outputs
    assert name == one_episode.id
    again = get_suite(NAME).score(one_episode, output, partnr.PROTOCOLS["corrected"])
    assert {**again.record, "stop_reasons": {"stop": len(server.requests)}} == score.record


def test_roles_are_played_by_other_models(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(server, "decentralised")
    other = ModelServer()
    try:
        for key, value in other.environment.items():
            monkeypatch.setenv(key, value)
        scripted(other, "decentralised")
        roles = {HUMAN: other.model}
        result = evals.run(NAME, model=server.model, log_dir=tmp_path, roles=roles)
    finally:
        other.stop()
    assert result.scores[0].metrics["success"] == 1.0
    asked = {id(one): len(one.requests) for one in (server, other)}
    calls = result.scores[0].record["calls"]
    assert asked == {id(server): calls[ROBOT], id(other): calls[HUMAN]}


def test_a_model_with_an_expert_partner(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    server.converse = lambda messages: "Thought: my partner will do it.\nDone[]\nAssigned!"
    settings = {"human": "expert"}
    result = evals.run(NAME, model=server.model, log_dir=tmp_path, settings=settings)
    (score,) = result.scores
    assert score.metrics["success"] == 1.0
    assert score.record["offloading"] == 0.0
    assert len(server.requests) == 1


def test_models_are_told_what_they_saw_of_furniture_and_when_it_changes(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    """As the HTTP bodies have it: the fridge is unknown, then closed, then open."""
    calls = iter(["Explore[kitchen_0]", "Navigate[fridge_0]", "Open[fridge_0]", "Done[]"])
    server.converse = lambda messages: f"Thought: x\n{next(calls)}\nAssigned!"
    settings = {"team": "single"}
    evals.run(NAME, model=server.model, log_dir=tmp_path, settings=settings)
    first, explored, there, opened = (text_of(body["messages"][-1]) for body in server.requests)
    assert re.search(r"^kitchen_0: .*\bfridge_0, ", first, re.MULTILINE)
    assert "Ways between rooms: " in first
    seen = r"^kitchen_0: .*\bfridge_0 \(closed"
    assert not re.search(seen, first, re.MULTILINE)
    assert "looked around in kitchen_0 and found " in explored
    for told in (explored, there):
        assert re.search(seen, told, re.MULTILINE)
    assert not re.search(seen, opened, re.MULTILINE)
    assert re.search(r"^kitchen_0: .*\bfridge_0 \(open", opened, re.MULTILINE)


@pytest.mark.sampled
@pytest.mark.parametrize("team", ["single", "centralised", "decentralised"])
@pytest.mark.parametrize(
    ("output", "keys"),
    [
        ("json", {"response_format"}),
        ("gbnf", {"grammar", "guided_grammar", "ebnf", "structured_outputs"}),
        ("regex", {"regex", "guided_regex", "structured_outputs"}),
    ],
)
def test_answers_are_constrained(
    server: ModelServer,
    one_episode: PartnrTask,
    tmp_path: Path,
    output: str,
    keys: set[str],
    team: str,
) -> None:
    """By what is really sent: names that are known are in it, and no others."""

    def converse(messages: list[tuple[str, str]]) -> str:
        role = role_of(messages, team)
        text = script(Question(role, tuple(Message(*one) for one in messages)))  # type: ignore[arg-type]
        if output != "json":
            return text
        if role == TEAM:
            calls = {one: as_json(call) for one, call in parse_calls(text, (ROBOT, HUMAN)).items()}
        else:
            calls = {"action": as_json(parse_call(text))}
        return json.dumps({"thought": "on", **calls})

    server.converse = converse
    settings = {"output": output} | ({} if team == "decentralised" else {"team": team})
    result = evals.run(NAME, model=server.model, log_dir=tmp_path, settings=settings)
    assert result.scores[0].metrics["success"] == 1.0
    known = set()
    for body in server.requests:
        said = [(one["role"], text_of(one)) for one in body["messages"]]
        world = said[-1][1].rpartition(LEGEND)[2]
        known.add("cup_0" in world)
        for key in keys:
            assert ("cup_0" in json.dumps(body[key])) is ("cup_0" in world)
        allows = allowed_by(body, output)
        assert allows(converse(said))
        for name in set(re.findall(r"\w+_0\b", converse(said))):
            assert not allows(converse(said).replace(name, "kitchen_99"))
    assert known == {False, True}


def allowed_by(body: dict[str, Any], output: str) -> Callable[[str], bool]:
    """Whether an answer keeps to what was sent, as a server would see to it."""
    if output == "gbnf":
        assert body["structured_outputs"] == {"grammar": body["grammar"]}
        return Grammar(body["grammar"]).has
    if output == "regex":
        assert body["structured_outputs"] == {"regex": body["regex"]}
        return lambda text: re.fullmatch(body["regex"], text) is not None
    sent = body["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert strict_schemas.problems(sent["schema"]) == []
    is_valid = jsonschema.Draft202012Validator(sent["schema"]).is_valid
    return lambda text: is_valid(json.loads(text))


def mover(body: dict[str, Any]) -> tuple[str, list[tuple[str, str]]]:
    """Looks for the things in one room after the other, and takes them where they belong."""
    told = text_of(body["messages"][-1])
    rooms = re.findall(r"^(\w+_\d+): ", told, flags=re.MULTILINE)
    moved = [
        call["function"]["arguments"]
        for message in body["messages"]
        for call in message.get("tool_calls") or ()
    ]
    for thing, target in (("toy_car_0", "coffee_table_0"), ("cup_0", "workbench_0")):
        move = json.dumps({"object": thing, "relation": "on", "target": target})
        if move not in moved:
            if f"{thing} " in told:
                return f"I move {thing}.", [("Rearrange", move)]
            room = next(r for r in rooms if json.dumps({"room": r}) not in moved)
            return "", [("Explore", json.dumps({"room": room}))]
    return "", [("Done", "{}")]


@pytest.mark.slow
@pytest.mark.parametrize("team", ["single", "decentralised"])
def test_a_model_plays_by_calling_tools(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, team: str
) -> None:
    def call(body: dict[str, Any]) -> tuple[str, list[tuple[str, str]]]:
        if "as robot" in text_of(body["messages"][0]):
            return "", [("Done", "{}"), ("Wait", "{}")]
        return mover(body)

    server.call = call
    result = evals.run(
        NAME, model=server.model, log_dir=tmp_path, settings={"team": team}, driver="tools"
    )
    (score,) = result.scores
    assert score.metrics["success"] == 1.0, score.record["explanation"]
    assert sum(score.record["calls"].values()) == len(server.requests)
    ((_, output),) = result.outputs
    again = get_suite(NAME).score(one_episode, output, partnr.PROTOCOLS["corrected"])
    assert {**again.record, "stop_reasons": {"stop": len(server.requests)}} == score.record

    first, last = server.requests[0], server.requests[-1]
    offered = {tool["function"]["name"]: tool["function"] for tool in first["tools"]}
    assert {"Explore", "Rearrange", "Wait", "Done"} <= offered.keys()
    place = offered["Place"]["parameters"]
    assert place["required"] == ["object", "relation", "target", "next_to", "beside"]
    assert place["properties"]["relation"]["description"] == "on or within"
    beside = {"type": "string", "description": "what to place it next to"}
    assert place["properties"]["beside"] == {"anyOf": [beside, {"type": "null"}]}
    assert offered["Pick"]["description"]
    # every call is followed by its result, and the last one says how things are
    roles = [message["role"] for message in last["messages"]]
    assert roles[:2] == ["system", "user"]
    assert roles[2:] == ["assistant", "tool"] * (len(roles) // 2 - 1)
    for made, told in itertools.pairwise(last["messages"][2:]):
        if made["role"] == "assistant":
            assert [c["id"] for c in made["tool_calls"]] == [told["tool_call_id"]]
    known = [text_of(m).count("What you know now:") for m in last["messages"]]
    assert known == [0] * (len(known) - 1) + [1]
    assert "Rearrange[cup_0, on, workbench_0]: " in text_of(last["messages"][-1])
    said = [m for m in last["messages"] if m["role"] == "assistant" and m["content"]]
    assert [text_of(message) for message in said] == ["I move toy_car_0.", "I move cup_0."]


@pytest.mark.sampled
@pytest.mark.parametrize(
    "calls",
    [
        [],
        [("Pick", "this is no JSON")],
        [("Pick", '["toy_car_0"]')],
        [("Pick", '{"object": {"name": "toy_car_0"}}')],
        [("Fly", "{}"), ("Wait", "{}")],
        [("Pick", '{"object": "' + "x" * 50_000 + '"}')] * 6,
        [("Pick", '{"object": "' + "x" * 50_000 + '"}')],
    ],
)
def test_odd_calls_end_and_are_scored(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, calls: list[tuple[str, str]]
) -> None:
    server.call = lambda body: ("", calls)
    result = evals.run(NAME, model=server.model, log_dir=tmp_path, driver="tools")
    (score,) = result.scores
    assert score.metrics["success"] == 0.0
    assert len(server.requests) <= 100
    for body in server.requests:
        assert len(json.dumps(body["messages"])) < 200_000


def test_any_driver_can_be_asked_for(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    server.converse = lambda messages: "Thought: no.\nAction: Done[]"
    result = evals.run(NAME, model=server.model, log_dir=tmp_path, driver="react")
    assert result.scores[0].record["calls"] == {ROBOT: 1, HUMAN: 1}
    system = text_of(server.requests[0]["messages"][0])
    assert "- Rearrange[object, relation, target, (next_to), (beside)]: go to" in system
    assert len(server.requests) == 2
    again = {"log_dir": tmp_path, "reuse": True, "model": server.model}
    assert evals.run(NAME, driver="react", **again).reused
    evals.run(NAME, **again)  # PARTNR's own is another run
    assert len(server.requests) == 4
    assert "one task together" in text_of(server.requests[2]["messages"][0])
    with pytest.raises(HomebodyError, match="unknown driver: 'magic'") as caught:
        evals.run(NAME, driver="magic", **again)
    assert "react, tools, options" in caught.value.hint
    with pytest.raises(HomebodyError, match="not played"):
        evals.run("eai.virtualhome.action_sequencing", driver="react", **again)
    with pytest.raises(HomebodyError, match="driver cannot be combined"):
        evals.run(NAME, agent="idle", driver="react", log_dir=tmp_path)


@pytest.mark.slow
def test_garbage_ends_and_is_scored(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    server.converse = lambda messages: "I would rather not."
    result = evals.run(NAME, model=server.model, log_dir=tmp_path)
    (score,) = result.scores
    assert score.metrics == {"success": 0.0, "percent_complete": 0.0}
    assert score.record["calls"] == {ROBOT: 50, HUMAN: 50}


def test_settings_are_part_of_what_a_run_is(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    server.converse = lambda messages: "Done[]"
    evals.run(NAME, model=server.model, log_dir=tmp_path)
    asked = len(server.requests)
    evals.run(NAME, model=server.model, log_dir=tmp_path, reuse=True)
    assert len(server.requests) == asked
    evals.run(NAME, model=server.model, log_dir=tmp_path, settings={"team": "single"}, reuse=True)
    assert len(server.requests) == asked + 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"settings": {"team": "trio"}}, "team cannot be"),
        ({"settings": {"colour": "red"}}, "unknown setting"),
        ({"settings": {"perception": "erring", "observability": "full"}}, "cannot err"),
        ({"roles": {"cat": "none"}}, "no role"),
        ({"roles": {"human": "expert"}}, "expert is a policy, not a model"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_asked(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, given: dict, message: str
) -> None:
    with pytest.raises(HomebodyError, match=message):
        evals.run(NAME, model=server.model, log_dir=tmp_path, **given)
    assert not server.requests
    assert not os.listdir(tmp_path)


def test_a_suite_of_plain_questions_takes_no_settings(server: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="have no settings"):
        evals.run(
            "eai.virtualhome.action_sequencing",
            model=server.model,
            log_dir=tmp_path,
            settings={"team": "single"},
        )


def test_a_model_is_asked_outside_a_run(server: ModelServer) -> None:
    server.converse = lambda messages: f"{len(messages)} messages"
    with open_text_model(server.model) as ask:
        assert ask([Message("system", "Be brief."), Message("user", "How many?")]) == "2 messages"


def test_every_suite_that_is_played_says_by_whom() -> None:
    suite: Suite[PartnrTask] = partnr.make_suite("val")
    assert suite.playing is not None
    assert suite.models == (ROBOT, HUMAN, TEAM)
