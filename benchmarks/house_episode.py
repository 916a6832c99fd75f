"""The acting part of the house world, timed: one core, a house of 6 rooms, 60 pieces of furniture
and 150 objects.

    python benchmarks/house_episode.py [--runs 9] [--handmade]

Prints medians over runs: preparing navigation, a shortest path between any two rooms, and a whole
episode in which a robot and a human carry ten objects to other rooms, with world graphs of both
kept and all ten goals checked after each action; "cold" prepares navigation again. Then how long it
takes to begin an episode in a known house, and how many random actions an agent that sees its room
does in a second. The house is generated, or one made by hand.
Goals of the issue: preparation under 50 ms, a path well under 1 ms, an episode of ten
rearrangements under 50 ms.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from homebody.core import DONE, Action
from homebody.core.play.rounds import play
from homebody.worlds.house.model.agents import HUMAN, ROBOT
from homebody.worlds.house.model.house import House
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.rendering.visibility import looking
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.relations import is_on_top
from homebody.worlds.house.simulation.senses import Perception
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.navigation import Navigation
from worlds.house.handmade import six_rooms

STEPS = 100
AGENTS = {"robot": ROBOT, "human": HUMAN}


def scene(handmade: bool) -> House:
    if handmade:
        return six_rooms()
    from homebody.worlds.house.generation.generate import generate

    return generate(0, rooms=6, furniture=60, things=150)


def goals(house: House, number: int) -> list[tuple[str, str]]:
    """So many objects that lie open, each with a surface of another room to go to."""
    rng = np.random.default_rng(0)
    surfaces = [
        piece
        for piece in house.furniture
        if piece.pose.position[2] < 0.1
        and min(piece.size[:2]) > 0.5
        and any(one.name == "top" and one.kind == "on" for one in piece.receptacles)
    ]
    found: list[tuple[str, str]] = []
    for thing in (house.things[index] for index in rng.permutation(len(house.things))):
        start = house.piece.get(thing.place[0])
        if start is None or max(thing.size) > 0.25 or thing.receptacles:
            continue
        if not any(r.name == thing.place[1] and r.kind == "on" for r in start.receptacles):
            continue
        others = [one.name for one in surfaces if one.room != start.room]
        if others:
            found.append((thing.name, others[int(rng.integers(len(others)))]))
        if len(found) == number:
            break
    return found


def episode(
    house: House, wanted: list[tuple[str, str]], sees: Perception | None = None, quiet: bool = True
) -> tuple[int, int]:
    """Carry all there, each agent half of them; goals reached and the steps it took."""
    simulation = Simulation(house, AGENTS, seed=1, sees=sees)
    plans = {"robot": wanted[::2], "human": wanted[1::2]}
    queues = {
        agent: [Action("Rearrange", (name, "on", target)) for name, target in plan]
        for agent, plan in plans.items()
    }
    if sees is not None:  # what is to be found must have been seen
        for graph in simulation.graphs.values():
            graph.refresh(name for name, _ in wanted)

    def policy(_: HouseSession, agent: str) -> Action:
        return queues[agent].pop(0) if queues[agent] else DONE

    def judge(now: Simulation) -> float:
        return sum(is_on_top(now.state, *goal) for goal in wanted) / len(wanted)  # all looked at

    task = HouseTask("Carry ten objects to other rooms.", judge=judge)
    play(HouseSession(simulation, task), dict.fromkeys(AGENTS, policy))
    if not quiet:
        for event in simulation.log:
            if not event.ok:
                print(event.role, event.action, event.message, file=sys.stderr)
    reached = sum(is_on_top(simulation.state, name, target) for name, target in wanted)
    return reached, simulation.clock


def random_episode(house: House, seed: int) -> tuple[float, float]:
    """Seconds to begin an episode in a house, and for 2 * STEPS actions of an agent in it: walks,
    and after each something else that it may try with what it knows."""
    began = time.perf_counter()
    simulation = Simulation(house, {"human": HUMAN}, seed=seed, sees=sees_room)
    reset, acting = time.perf_counter() - began, 0.0
    rng, graph = np.random.default_rng(seed), simulation.graphs["human"]
    for _ in range(STEPS):
        names = list(graph.nodes)
        skill = ("Navigate", "Navigate", "Navigate", "Pick", "Open", "Explore")[rng.integers(6)]
        name = names[int(rng.integers(len(names)))]
        held = list(simulation.state.held_by("human").values())
        action = Action("Place", (held[0], "on", name)) if held else Action(skill, (name,))
        began = time.perf_counter()
        simulation.do("human", Action("Navigate", (name,)))
        simulation.do("human", action)
        acting += time.perf_counter() - began
    return reset, acting


def timed(work: Callable[[], object], runs: int) -> float:
    """Median of seconds."""
    taken = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--handmade", action="store_true")
    options = parser.parse_args()
    house = scene(options.handmade)
    ways = Navigation(house, 0.25)
    rng = np.random.default_rng(0)
    spots = [spot for room in house.rooms for spot in ways.room_spots(room.name)]
    pairs = [[spots[int(index)] for index in rng.integers(len(spots), size=2)] for _ in range(200)]
    wanted = goals(house, 10)

    def paths() -> None:
        for start, goal in pairs:
            ways.path(start, goal)

    def fresh_paths() -> None:
        caches = ways._from, ways._to, ways._paths, ways._straight, ways._ends
        for cache in caches:
            cache.clear()
        paths()

    def cold() -> None:
        vars(house).pop("_worked_out", None)  # navigation is prepared again
        episode(house, wanted)

    reached, steps = episode(house, wanted, quiet=False)
    record = {
        "rooms": len(house.rooms),
        "furniture": len(house.furniture),
        "objects": len(house.things),
        "navigation_ms": 1e3 * timed(lambda: Navigation(house, 0.25), options.runs),
        "path_new_points_ms": 1e3 * timed(fresh_paths, options.runs) / len(pairs),
        "path_known_points_ms": 1e3 * timed(paths, options.runs) / len(pairs),
        "reached": f"{reached}/{len(wanted)} in {steps} steps",
        "episode_cold_ms": 1e3 * timed(cold, options.runs),
        "episode_ms": 1e3 * timed(lambda: episode(house, wanted), options.runs),
        "episode_partial_ms": 1e3 * timed(lambda: episode(house, wanted, sees_room), options.runs),
    }
    random_episode(house, 0)
    played = [random_episode(house, seed) for seed in range(1, 1 + 2 * options.runs)]
    record["reset_ms"] = 1e3 * statistics.median(reset for reset, _ in played)
    record["random_steps_per_s"] = 2 * STEPS / statistics.median(acting for _, acting in played)
    sees = looking(house)
    record["episode_ray_casting_ms"] = 1e3 * timed(
        lambda: episode(house, wanted, sees), options.runs
    )
    print(json.dumps(record, indent=2))


if __name__ == "__main__":
    main()
