"""The environments: they pass the checkers, repeat themselves by seed, and can be won."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

from hash_seeds import printed  # noqa: E402
from homebody.core.ground.user_errors import HomebodyError  # noqa: E402
from homebody.train import (  # noqa: E402
    HouseEnv,
    HouseTeamEnv,
)
from homebody.worlds.house.generation.generate import generate  # noqa: E402
from homebody.worlds.house.io import files  # noqa: E402
from homebody.worlds.house.model.agents import COMPANION, HUMAN, ROBOT  # noqa: E402
from homebody.worlds.house.model.recipe import HouseRecipe  # noqa: E402
from homebody.worlds.house.play import symbols  # noqa: E402
from homebody.worlds.house.play.tasks import HouseTask, bring  # noqa: E402
from homebody.worlds.house.simulation.scenario import Role, Scenario  # noqa: E402
from homebody.worlds.house.simulation.simulation import Simulation  # noqa: E402
from homebody.worlds.house.simulation.skills import SKILLS  # noqa: E402
from worlds.house.handmade import two_rooms  # noqa: E402

HOUSE = generate(3, rooms=4)
KINDS = ("home", "office", "classroom", "shop", "gym", "restaurant", "gallery")


def same(observation: Any, other: Any) -> bool:
    if isinstance(observation, dict):
        return list(observation) == list(other) and all(
            same(observation[key], other[key]) for key in observation
        )
    return bool(np.array_equal(observation, other))


# -- the checkers ---------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scene": HOUSE, "sees": "all", "agent": ROBOT.with_hands("right", "left")},
        {"scene": HOUSE, "observe": ("text",), "actions": "text"},
        {"scene": HOUSE, "failures": {"Navigate": 0.5}},
    ],
)
def test_gymnasium_checker(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = HouseEnv(**options)
        check_env(env, skip_render_check=True)


@pytest.mark.slow
def test_gymnasium_checker_with_pictures() -> None:
    pytest.importorskip("embreex")
    parts = ("symbols", "text", "image", "depth")
    env = HouseEnv(
        two_rooms(), observe=parts, sees="rays", image_size=(24, 32), render_mode="rgb_array"
    )
    check_env(env, skip_render_check=True)
    observation, _ = env.reset(seed=1)
    assert observation["image"].shape == (24, 32, 3)
    assert observation["image"].std() > 5
    assert 0 < observation["depth"].min() < observation["depth"].max() <= 100
    assert env.render().shape == (24, 32, 3)


def test_it_is_registered() -> None:
    env = gymnasium.make("homebody/House-v0", scene=HOUSE)
    env.reset(seed=1)
    env.step(0)
    registered = gymnasium.make("homebody.train:homebody/House-v0", scene=HOUSE)
    assert isinstance(registered.unwrapped, HouseEnv)


@pytest.mark.parametrize("actions", ["symbols", "text"])
def test_pettingzoo_checkers(actions: str) -> None:
    def make() -> HouseTeamEnv:
        return HouseTeamEnv(HOUSE, actions=actions, observe=("symbols", "text"), max_actions=60)

    parallel_api_test(make(), num_cycles=80)
    parallel_seed_test(make, num_cycles=15)


# -- determinism ----------------------------------------------------------------------------------


def played(seed: int, **options: Any) -> list[Any]:
    env = HouseEnv(**options)
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    transcript = [observation, info]
    for _ in range(25):
        action = env.action_space.sample(info["action_mask"])
        observation, reward, done, cut, info = env.step(action)
        transcript += [observation, reward, info]
        if done or cut:
            break
    return transcript


def test_the_same_seed_plays_the_same() -> None:
    options: dict[str, Any] = {"scene": HOUSE, "failures": {"Pick": 0.5, "Navigate": 0.2}}
    first, second = played(5, **options), played(5, **options)
    assert len(first) == len(second)
    assert all(map(same, first, second))
    assert not all(map(same, first, played(6, **options)))


@pytest.mark.slow
def test_nothing_depends_on_the_hash_seed() -> None:
    script = (
        "import hashlib\n"
        "from homebody.train import HouseEnv\n"
        "env = HouseEnv(observe=('text', 'symbols'))\n"
        "found, info = env.reset(seed=4)\n"
        "text = found['text']\n"
        "env.action_space.seed(1)\n"
        "for _ in range(15):\n"
        "    found, *_, info = env.step(env.action_space.sample(info['action_mask']))\n"
        "    text += found['text'] + info['message'] + str(found['things'].tobytes())\n"
        "print(hashlib.sha256(text.encode()).hexdigest())\n"
    )
    assert printed(script)


def test_resets_without_a_seed_go_on() -> None:
    env = HouseEnv(HOUSE)
    env.reset(seed=1)
    first = [env.task]
    for _ in range(4):
        env.reset()
        first.append(env.task)
    env.reset(seed=1)
    again = [env.task]
    for _ in range(4):
        env.reset()
        again.append(env.task)
    assert first == again
    assert len({task.instruction for task in first}) > 1


# -- playing --------------------------------------------------------------------------------------


def deliver(env: HouseEnv) -> bool:
    """Do the task as one who knows everything would."""
    placement = env.task.placements[0]
    state = env.simulation.state
    around, at = [], placement.name
    while at in state.places:
        at = state.places[at][0]
        around.append(at)

    def do(text: str) -> bool:
        _, reward, done, _, info = env.step(text)
        assert info["ok"], info["message"]
        assert reward == float(done)
        return bool(done)

    do(f"Navigate[{placement.name}]")
    for outer in reversed(around):
        if state.states.get(outer, {}).get("open") is False:
            do(f"Open[{outer}]")
    do(f"Pick[{placement.name}]")
    do(f"Navigate[{placement.target}]")
    if placement.relation == "within" and state.states[placement.target].get("open") is False:
        do(f"Open[{placement.target}]")
    return do(f"I put it down: Place[{placement.name}, {placement.relation}, {placement.target}]")


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_tasks_can_be_done(kind: str) -> None:
    for seed in range(2):
        env = HouseEnv(
            lambda simulation: generate(simulation, kind),
            agent=ROBOT,
            sees="all",
            actions="text",
            observe=("text",),
            sizes=kind,
        )
        env.reset(seed=seed)
        assert deliver(env)
        assert env.task.score(env.simulation) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_sizes_of_a_kind_fit_its_largest_houses(kind: str) -> None:
    sizes = symbols.Sizes.of_kind(kind)
    for seed in (1, 2):
        house = generate(seed, kind, 12)
        assert len(sizes.slots(house, ["agent"])) > len(house.things)


def test_sizes_fit_a_house_that_is_given() -> None:
    shop = generate(2, "supermarket", 3)
    assert len(shop.things) > symbols.Sizes().objects
    env = HouseEnv(shop)
    observation, _ = env.reset(seed=0)
    assert len(observation["things"]) >= len(shop.things) + len(shop.furniture)
    assert HouseEnv(HOUSE).action_space.n == len(symbols.SKILLS) * symbols.Sizes().total
    with pytest.raises(HomebodyError, match="unknown kind of scene 'castle'"):
        HouseEnv(HOUSE, sizes="castle")


def test_a_task_is_won_by_numbers_too() -> None:
    env = HouseEnv(HOUSE, sees="all")
    observation, info = env.reset(seed=2)
    item, relation, target = (int(number) for number in observation["task"][0])
    total = symbols.Sizes().total
    place = "PlaceOn" if relation == 1 else "PlaceWithin"
    state = env.simulation.state
    for skill, slot in (("Navigate", item), ("Pick", item), ("Navigate", target), (place, target)):
        holder = state.places[env.task.placements[0].name][0]
        if skill == "Pick" and state.states.get(holder, {}).get("open") is False:
            env.step(
                symbols.SKILLS.index("Open") * total + int(observation["holder"][item - 1]) - 1
            )
        if skill == "PlaceWithin" and not state.is_in_state(env.task.placements[0].target, "open"):
            env.step(symbols.SKILLS.index("Open") * total + target - 1)
        observation, reward, done, cut, info = env.step(
            symbols.SKILLS.index(skill) * total + slot - 1
        )
        assert info["ok"], info["message"]
    assert (reward, done, cut, info["score"]) == (1.0, True, False, 1.0)


def test_a_refused_action_changes_nothing_and_says_why() -> None:
    env = HouseEnv(HOUSE, actions="text", observe=("text",))
    observation, info = env.reset(seed=1)
    assert info["message"] == ""
    thing = HOUSE.things[0].name
    before = dict(env.simulation.state.places)
    for text in ("", "hm", "Fly[me]", f"Place[{thing}, on, nothing]", "Pick[a, b]", "[" * 400):
        observation, reward, done, cut, info = env.step(text)
        assert not info["ok"]
        assert info["message"]
        assert info["message"] in observation["text"]
        assert (reward, done, cut, info["clock"]) == (0.0, False, False, 0)
    assert env.simulation.state.places == before


def test_it_is_cut_off() -> None:
    env = HouseEnv(HOUSE, max_actions=3)
    env.reset(seed=1)
    assert [env.step(0)[3] for _ in range(3)] == [False, False, True]
    env = HouseEnv(HOUSE, max_steps=60)
    env.reset(seed=1)
    assert [env.step(0)[3] for _ in range(2)] == [False, True]


@pytest.mark.parametrize("sees", ["all", "room"])
def test_what_is_masked_would_be_refused(sees: str) -> None:
    total, hands = symbols.Sizes().total, HUMAN.with_hands("right", "left")
    worked = tried = 0
    for seed in range(2):
        env = HouseEnv(HOUSE, agent=hands, sees=sees, max_actions=10**6)
        _, info = env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(40):
            possible = info["action_mask"].reshape(len(symbols.SKILLS), total)
            for row, slot in rng.permutation(np.argwhere(possible == 0))[:400]:
                try:
                    action = env.encoder.read(env.session, "agent", row * total + slot)
                except HomebodyError:  # of nothing
                    continue
                if action.name not in SKILLS or action.name == "Wait":
                    continue  # going to what one holds is possible, and pointless
                if not all(
                    env.simulation.graphs["agent"].knows(target) for target in action.args[:1]
                ):
                    continue
                assert env.simulation.act("agent", action) is not None, action
            rows = [row for row in range(1, len(symbols.SKILLS)) if possible[row].any()]
            row = rows[int(rng.integers(len(rows)))]
            slot = rng.choice(np.flatnonzero(possible[row]))
            *_, info = env.step(int(row * total + slot))
            worked, tried = worked + info["ok"], tried + 1
    assert worked > 0.85 * tried


def test_what_was_not_seen_is_not_shown() -> None:
    env = HouseEnv(HOUSE)
    observation, _ = env.reset(seed=1)
    graph = env.simulation.graphs["agent"]
    slots = symbols.Sizes().slots(HOUSE, ["agent"])
    for thing in HOUSE.things:
        row = observation["things"][slots[thing.name]]
        if thing.name in graph.nodes:
            assert row[0] == 1
            assert np.allclose(row[1:4], graph[thing.name].position, atol=1e-4)
        else:
            assert not row.any()
            assert observation["category"][slots[thing.name]] == 0
    shown = observation["things"][:, 0].sum()
    everything, _ = HouseEnv(HOUSE, sees="all").reset(seed=1)
    assert shown < everything["things"][:, 0].sum()


def test_episodes_of_files_are_played() -> None:
    episode = Scenario(
        HouseRecipe(3, rooms=4),
        (Role("robot", ROBOT),),
        instruction="Tidy up.",
        goal={"open": "fridge"},
        max_actions=5,
    )
    back = files.decode_scenario(files.encode(episode))

    def judged(simulation: Simulation, rng: np.random.Generator) -> HouseTask:
        return HouseTask(back.instruction, judge=lambda now: float(now.clock >= 60))

    env = HouseEnv(back, task=judged, actions="text")
    _, info = env.reset()
    assert info["instruction"] == "Tidy up."
    assert env.step("Wait[]")[2:4] == (False, False)
    assert env.step("Wait[]")[2:4] == (True, False)
    env = HouseEnv(back)
    poses = []
    for seed in (1, 2):
        env.reset(seed=seed)
        poses.append(env.simulation.state.bodies["robot"].pose)
    assert poses[0] == poses[1]  # an episode brings its own seed


def test_people_who_get_up_are_seen_and_do_not_learn() -> None:
    scene = generate(2, "restaurant", rooms=3, people=2)
    episode = Scenario(scene, (Role("robot", COMPANION),), seed=3, awake=("person_1",))
    for sees in ("room", "rays"):
        env = HouseEnv(
            episode, actions="text", observe=("symbols", "text"), sees=sees, render_mode="rgb_array"
        )
        env.reset()
        assert env.session.roles == ("robot",)
        for room in scene.rooms:
            env.step(f"Explore[{room.name}]")
        assert env.step("Navigate[person_1]")[4]["ok"]
        observation, *_, info = env.step(f"Request[person_1, Navigate, {scene.rooms[0].name}]")
        assert info["message"] == "person_1 says: I will"
        assert "person_1" in observation["text"]
        assert env.step("Follow[person_1]")[4]["ok"]


@pytest.mark.parametrize("awake", [(), ("person_1",)])
def test_who_sees_all_knows_people_awake_or_not(awake: tuple[str, ...]) -> None:
    scene = generate(2, "restaurant", rooms=3, people=2)
    episode = Scenario(scene, (Role("robot", COMPANION),), seed=3, awake=awake)
    env = HouseEnv(episode, actions="text", observe=("text",), sees="all")
    observation, _ = env.reset()
    assert all(person.name in observation["text"] for person in scene.people)
    assert env.step("Navigate[person_1]")[4]["ok"]


def test_two_work_at_once() -> None:
    env = HouseTeamEnv(HOUSE, task=bring(2), sees="all", actions="text", observe=("text",))
    _, infos = env.reset(seed=1)
    for name in env.agents:
        placement = env.task.placements[env.possible_agents.index(name)]
        assert str(placement)[1:] in infos[name]["instruction"]
    rooms = [room.name for room in HOUSE.rooms]
    _, rewards, _, _, infos = env.step(
        {"robot": f"Explore[{rooms[0]}]", "human": "Wait[]"},
    )
    assert infos["robot"]["busy"]
    assert not infos["human"]["busy"]
    assert infos["human"]["message"] == "you waited"
    assert infos["robot"]["clock"] == infos["human"]["clock"] == 30
    assert set(rewards.values()) == {0.0}
    stepped = env.step({"robot": "ignored", "human": "Clean[nothing]"})
    assert stepped[4]["human"]["ok"] is False
    assert stepped[4]["robot"]["message"] == f"you have looked around in {rooms[0]}"


def test_nothing_can_be_done_before_the_first_reset() -> None:
    alone, team = HouseEnv(HOUSE, render_mode="rgb_array"), HouseTeamEnv(HOUSE)
    for use in (
        lambda: alone.step(0),
        alone.render,
        lambda: alone.simulation,
        lambda: team.step({}),
        lambda: team.task,
    ):
        with pytest.raises(HomebodyError, match="no episode has begun"):
            use()


def test_one_can_watch_in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = gymnasium.make("homebody/House-v0", scene=two_rooms(), render_mode="human")
    env.reset(seed=1)
    env.step(0)
    env.close()


def test_what_is_masked_is_refused_in_plain_words() -> None:
    env = HouseEnv(HOUSE)
    _, info = env.reset(seed=1)
    total = env.action_space.n // len(symbols.SKILLS)
    allowed = info["action_mask"].reshape(len(symbols.SKILLS), total)
    for skill, told in (("Pick", "Pick: slot"), ("PlaceOn", "you hold nothing to put")):
        row = symbols.SKILLS.index(skill)
        slot = total - 1 if skill == "Pick" else 2
        assert not allowed[row, slot]
        *_, info = env.step(row * total + slot)
        assert not info["ok"]
        assert told in info["message"]
        assert "mask" in info["message"]


def test_a_team_has_no_window() -> None:
    with pytest.raises(HomebodyError, match="unknown render mode: 'human'"):
        HouseTeamEnv(HOUSE, render_mode="human")


def test_wrong_arguments_get_a_sentence() -> None:
    for options in (
        {"observe": ()},
        {"observe": ("smell",)},
        {"actions": "dance"},
        {"sees": "nothing"},
        {"image_size": (0, 5)},
        {"render_mode": "human"},
        {"scene": Scenario(HOUSE, (Role("a", ROBOT), Role("b", ROBOT)))},
    ):
        with pytest.raises(HomebodyError):
            HouseEnv(**options)  # type: ignore[arg-type]
    env = HouseEnv(HOUSE, sizes=symbols.Sizes(objects=3))
    with pytest.raises(HomebodyError, match="3 slots"):
        env.reset()
    env = HouseEnv(HOUSE)
    env.reset()
    with pytest.raises(ValueError, match="unknown action"):
        env.step(10**9)
    with pytest.raises(HomebodyError, match="fewer than 500"):
        HouseEnv(two_rooms(), task=bring(500)).reset()
