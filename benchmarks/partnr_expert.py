"""How long the expert of PARTNR takes for an episode, and what its runs are like.

    python benchmarks/partnr_expert.py [--split val] [--every 1]

Prints the processor's milliseconds for an episode (starting, deciding, simulating and judging; the
house is made before), how many succeed, the robot's share of the sub-tasks, the share of agents'
time in which they stand still because others are in the way, and how often an agent waits for
another's work.
"""

from __future__ import annotations

import argparse
import time

from homebody.suites.partnr.expert import play_expert
from homebody.suites.partnr.tasks import load
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND

LONG = 5 * STEPS_PER_SECOND
"""Steps of standing still in an episode from which on it counts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--split", choices=("val", "test"), default="val")
    parser.add_argument("--every", type=int, default=1, help="take each of so many tasks")
    given = parser.parse_args()
    tasks = load(given.split)[:: given.every]
    busy = 0.0
    solved, waits, shares, things = 0, 0, [], 0
    blocked, long, steps = 0, 0, 0
    for task in tasks:
        things += len(task.house.things)
        began = time.process_time()
        session = play_expert(task)
        busy += time.process_time() - began
        solved += session.judgement().success
        simulation = session.simulation
        blocked += sum(simulation.waited.values())
        long += max(simulation.waited.values()) > LONG
        steps += simulation.clock * len(session.roles)
        waits += sum(event.action.name == "Wait" for event in simulation.log)
        offloading = session.score().record["offloading"]
        shares += [] if offloading is None else [offloading]
    count = len(tasks)
    print(f"{given.split}: {count} episodes with {things / count:.1f} objects each")
    print(f"{1000 * busy / count:.1f} ms an episode; {solved} succeed")
    print(f"offloading {sum(shares) / len(shares):.3f}, {waits / count:.2f} waits an episode")
    print(f"{blocked / steps:.2%} of agents' time blocked by others;")
    print(
        f"{long} episodes in which an agent is blocked for more than {LONG // STEPS_PER_SECOND} s"
    )


if __name__ == "__main__":
    main()
