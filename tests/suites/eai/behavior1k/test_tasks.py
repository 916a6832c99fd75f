"""BEHAVIOR-1K: every activity as a task, sampled as its own text says."""

from __future__ import annotations

import ast
import json
import re

import numpy as np
import pytest

from hash_seeds import printed
from homebody.core import CORRECTED, Action, ErrorType, HomebodyError, execute
from homebody.core.formula import Atom, Not
from homebody.data import behavior1k as data
from homebody.goals.bddl import parse_problem
from homebody.suites import get_suite
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior1k.action_sequencing import SUITE
from homebody.suites.eai.behavior1k.sampling import (
    abilities,
    ancestors,
    cleansers,
    concrete_categories,
    synset_of,
)
from homebody.suites.eai.behavior1k.summary import summary, summary_text
from homebody.suites.eai.behavior1k.tasks import load_task, load_tasks, unloadable_activities, words
from homebody.suites.eai.behavior1k.volumes import volumes

pytestmark = pytest.mark.usefixtures("behavior_data")
PUBLISHED = SUITE.scoring.protocols["published"]


def names_of(task: BehaviorTask) -> dict[str, str]:
    return {**task.names, "agent.n.01_1": "agent.n.01_1"}


def test_all_but_three_load() -> None:
    failed = unloadable_activities()
    assert len(load_tasks()) == len(data.load("activities")) - 3 == 1013
    assert set(failed) == {"loading_the_car", "passing_out_drinks", "wash_a_baseball_cap"}
    assert all(why.startswith("line ") for why in failed.values())  # not BDDL, all three
    with pytest.raises(HomebodyError, match="loading_the_car cannot be loaded: line 25"):
        load_task("loading_the_car")
    with pytest.raises(HomebodyError, match="unknown activity"):
        load_task("flying_to_the_moon")


def test_everything_in_init_holds() -> None:
    """Read from the activities' texts once more, fact by fact."""
    checked = 0
    for task in load_tasks():
        problem = parse_problem(task.raw["problem"])
        name, view = names_of(task), task.task.world.view(task.task.initial)
        state = task.task.initial
        for literal in problem.initial:
            atom = literal.body if isinstance(literal, Not) else literal
            assert isinstance(atom, Atom)
            predicate, (one, *rest) = atom.predicate, atom.args
            other = rest[0] if rest else ""
            thing, category = name[one], problem.objects.get(other, "")
            match predicate:
                case "inroom":
                    assert task.raw["rooms"][one] == other
                    continue
                case "future":
                    now = not view.holds("real", (thing,))
                    now = now and not view.holds("sliced", (thing,))
                case "covered" if category in ("dust.n.01", "stain.n.01"):
                    dirt = {"dust.n.01": "dusty", "stain.n.01": "stained"}[category]
                    now = view.holds(dirt, (thing,))
                case "saturated" if category == "water.n.06":
                    now = view.holds("soaked", (thing,))
                    now = now or view.holds("saturated", (thing, name[other]))
                case "ontop" if not view.holds("ontop", (thing, name[other])):
                    # "on a thing and on what is below it": on the nearer one
                    chain = task.task.world.conditions(state).supports_of(thing)  # type: ignore[arg-type]
                    now = name[other] in [place for _, place in chain]
                case _:
                    now = view.holds(predicate, tuple(name[a] for a in atom.args))
            assert now == isinstance(literal, Atom), (task.id, literal)
            checked += 1
    assert checked > 9000


def test_things_are_what_the_activity_declares() -> None:
    taxonomy = data.load("taxonomy")
    for task in load_tasks():
        for row, thing in zip(task.objects, task.things, strict=True):
            below = {row["synset"], *ancestors(row["synset"])}
            assert row["category"] in below
            assert re.fullmatch(r"[a-z0-9_-]+_[0-9]+", thing.name)
            assert thing.category == row["category"]
            assert thing.kind == row["synset"]
            if "substance" in taxonomy[row["category"]]["abilities"] or "PART" in thing.abilities:
                assert thing.fixed
                assert not thing.abilities & {"openable", "toggleable", "cookable", "sliceable"}
            else:
                assert set(taxonomy[thing.kind]["abilities"]) <= thing.abilities


def test_scenes_have_the_rooms_with_their_things() -> None:
    rooms = data.load("rooms")
    without = [task.id for task in load_tasks() if not task.raw["scene"]]
    assert len(without) == 6
    for task in load_tasks():
        if not task.raw["scene"]:
            continue
        scene = rooms[task.raw["scene"]]
        model = {row["bddl"]: row["model"] for row in task.objects}
        for room in {*task.raw["rooms"].values()}:
            wanted = sorted(model[n] for n, r in task.raw["rooms"].items() if r == room)
            there = [
                category
                for name, things in scene.items()
                if name.rpartition("_")[0] == room
                for category, number in things.items()
                for _ in range(number)
            ]
            for category in wanted:
                there.remove(category)  # each plays one part; ValueError if there are too few


def test_a_seed_is_a_sample() -> None:
    first = [(t.raw["scene"], [row["name"] for row in t.objects]) for t in load_tasks()]
    tasks = load_tasks(seed=1)
    other = [(t.raw["scene"], [row["name"] for row in t.objects]) for t in tasks]
    assert len(other) == len(first)
    assert sum(a != b for a, b in zip(first, other, strict=True)) > 500
    assert load_task("bringing_in_wood", seed=1).raw == next(
        t.raw for t in tasks if t.id == "bringing_in_wood"
    )


def test_the_hash_seed_does_not_matter() -> None:
    code = (
        "from homebody.suites.eai.behavior1k.tasks import load_task\n"
        "from homebody.suites.eai.behavior1k.action_sequencing import SUITE\n"
        "for name in ('set_up_a_buffet', 'cook_eggplant'):\n"
        "    task = load_task(name)\n"
        "    print(SUITE.prompting.prompt(task))\n"
        "    print(list(task.task.initial.facts()), task.things[0].litres)\n"
    )
    assert printed(code)


def test_slicing_makes_the_declared_halves() -> None:
    task = load_task("cook_eggplant")
    assert task.names["half__eggplant.n.01_2"] == "eggplant_0_part_1"
    assert task.problem.objects["eggplant_0_part_1"] == "half__eggplant.n.01"
    assert task.raw["goal"][:2] == [["sliced", f"eggplant_0_part_{i}"] for i in range(2)]
    trace = execute(
        task.task.world,
        task.task.initial,
        [
            Action("RIGHT_GRASP", ("parer_0",)),
            Action("OPEN", ("fridge_0",)),
            Action("SLICE", ("eggplant_0",)),
            Action("LEFT_GRASP", ("eggplant_0_part_1",)),
        ],
    )
    assert trace.failure is None
    parts = task.task.goal.judge(trace).parts
    assert [part.satisfied for part in parts[:2]] == [True, True]


def test_what_is_not_made_yet_cannot_be_used() -> None:
    task = load_task("make_blueberry_mousse")
    name = task.names["blueberry_mousse.n.01_1"]
    world, state = task.task.world, task.task.initial
    for action in ("RIGHT_GRASP", "NAVIGATE_TO", "OPEN"):
        failure = world.step(state, Action(action, (name,))).failure
        assert failure is not None
        errors = {"NAVIGATE_TO": ErrorType.MISSING_STEP}
        assert failure.error is errors.get(action, ErrorType.AFFORDANCE)
    assert not world.view(state).holds("real", (name,))
    assert world.view(state).holds("real", (task.names["stove.n.01_1"],))


def test_dirt_and_what_takes_it_off() -> None:
    task = load_task("clean_brass_casings")
    state = task.task.initial
    assert "CLEANSER" in state.objects[task.names["lemon_juice__bottle.n.01_1"]].properties
    assert {"cleaningTool", "soakable"} <= state.objects["rag_0"].properties
    stained = task.task.goal.judge(execute(task.task.world, state, ())).parts
    assert [part.kind for part in stained] == ["state"]
    assert "vinegar.n.01" in cleansers("stain.n.01")
    assert "acetone.n.01" not in cleansers("stain.n.01")
    assert cleansers("rust.n.01") == frozenset()


def test_what_the_activity_puts_into_a_thing_fits() -> None:
    kinds = {
        "bag": ("paper_bag", "paper_bag.n.01"),
        "cart": ("shopping_cart", "shopping_cart.n.01"),
        "cup": ("cup", "cup.n.01"),
        "coin": ("silver_coin", "silver.n.02"),
        "bed": ("bed", "bed.n.01"),
    }
    sizes = volumes(kinds, [("bag", "cart"), ("coin", "cup"), ("bed", "cup"), ("ghost", "cup")])
    assert sizes["cart"] > sizes["bag"] == 20.0  # the cart is not listed, and grows
    assert sizes["coin"] < sizes["cup"] == 0.5  # the coin is not, and shrinks
    assert sizes["bed"] == 2500.0  # both are: it does not fit


def test_synsets() -> None:
    assert synset_of("apple") == "apple.n.01"
    assert concrete_categories("apple.n.01") == ("apple",)
    assert "pear" in concrete_categories("edible_fruit.n.01")
    assert concrete_categories("water.n.06") == ()
    assert abilities("no_such.n.01") == {}
    assert ancestors("apple.n.01")[0] in data.load("taxonomy")["apple.n.01"]["parents"]


def test_prompt() -> None:
    task = load_task("set_up_a_buffet")
    example, text = SUITE.prompting.prompt(task).split("Your task:")
    assert "{" + "{" not in example
    rows = [ast.literal_eval(line) for line in re.findall(r"(?m)^[\[{]'.*[\]}]$", text)]
    objects = [row for row in rows if isinstance(row, dict)]
    assert objects == [{"name": r["name"], "category": r["category"]} for r in task.objects]
    known = {*task.task.initial.objects, "not"}
    facts = [row for row in rows if isinstance(row, list)]
    goal = [words(condition) for condition in task.problem.conditions]
    assert facts[-len(goal) :] == goal
    assert all(set(fact[1:]) <= known | {"ontop"} for fact in facts[: -len(goal)])


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [CORRECTED, PUBLISHED], ids=lambda p: p.name)
def test_outputs_are_judged(protocol: object) -> None:
    assert get_suite(SUITE.name) is SUITE
    assert "oracle" not in SUITE.agents  # there are no annotated plans
    rules = PUBLISHED if protocol is PUBLISHED else CORRECTED
    for task in SUITE.tasks.load(rules)[::9]:
        for agent in ("random", "empty"):
            output = SUITE.text_agents[agent].answer(task, np.random.default_rng(3))
            score = SUITE.score(task, output, rules)
            assert score.metrics["success"] == 0.0
            assert json.loads(json.dumps(score.record)) == score.record
            assert score.record["explanation"]


@pytest.mark.parametrize("agent", ["copycat", "frequent"])
def test_shortcuts_answer_in_the_format(agent: str) -> None:
    for task in SUITE.tasks.load(CORRECTED)[::9]:
        output = SUITE.answer(agent, task)
        assert output == SUITE.answer(agent, task, seed=1)
        assert SUITE.score(task, output, CORRECTED).metrics["parsing"] == 0.0


def test_summary() -> None:
    official, activities = summary()
    assert (official["all"], official["loaded"], official["within_reach"]) == (100, 100, 100)
    assert (activities["all"], activities["loaded"]) == (1016, 1013)
    assert activities["within_reach"] == 450
    assert list(activities["out_of_reach"])[:3] == ["covered", "real", "contains"]
    text = summary_text([official, activities])
    assert "eai.behavior: 100 of 100 tasks load" in text
    assert "passing_out_drinks does not load: line 6" in text
