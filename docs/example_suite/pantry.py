"""A suite of one's own: put the shopping away, one action at a time."""

from dataclasses import dataclass

import numpy as np

import homebody as hb
from homebody.core.play.policies import random

HOMES = {"milk": "fridge", "butter": "fridge", "peas": "freezer", "ice_cream": "freezer"}
HOMES |= {"pasta": "cupboard", "rice": "cupboard", "honey": "cupboard"}
PLACES = ("fridge", "freezer", "cupboard")


@dataclass(frozen=True)
class Shopping:
    """A task: what was bought."""

    id: str
    items: tuple[str, ...]


def load(protocol):
    """The tasks, the same for everybody."""
    generator = np.random.default_rng(2026)
    drawn = [generator.permutation([*HOMES])[: 2 + number % 4].tolist() for number in range(20)]
    return [Shopping(f"shop-{number}", tuple(items)) for number, items in enumerate(drawn)]


class Kitchen:
    """What is where, and what is open; see homebody.Game."""

    def __init__(self, items):
        self.where = dict.fromkeys(items, "counter")
        self.open = set()

    def do(self, action):
        if action not in self.options():
            raise hb.HomebodyError(f"{action} cannot be done now", "choose one of the options")
        match action.name, *action.args:
            case "Open", place:
                self.open.add(place)
                return f"The {place} is open."
            case "Take", item:
                self.where[item] = "hand"
                return f"You hold the {item}."
            case "Put", item, place:
                self.where[item] = place
                return f"The {item} is in the {place}."

    def describe(self):
        places = [f"{place} ({'open' if place in self.open else 'closed'})" for place in PLACES]
        items = [f"{item}: {place}" for item, place in self.where.items()]
        return f"Places: {', '.join(places)}. Things: {', '.join(items)}."

    def options(self):
        held = [item for item, place in self.where.items() if place == "hand"]
        left = [item for item, place in self.where.items() if place == "counter" and not held]
        return [
            *(hb.Action("Open", (place,)) for place in PLACES if place not in self.open),
            *(hb.Action("Take", (item,)) for item in left),
            *(hb.Action("Put", (i, p)) for i in held for p in PLACES if p in self.open),
        ]

    def tools(self):
        opening = hb.Tool.of("Open", "Open a place.", "place")
        taking = hb.Tool.of("Take", "Take a thing into your hand, which holds one.", "item")
        return [opening, taking, hb.Tool.of("Put", "Put it into an open place.", "item", "place")]

    def progress(self):
        return sum(HOMES[item] == place for item, place in self.where.items()) / len(self.where)


def start(task, settings, seed, protocol):
    """A session of a task."""
    instruction = f"Put the {', the '.join(task.items)} where they belong."
    return hb.TurnSession(task.id, instruction, Kitchen(task.items), max_actions=30, seed=seed)


def tidy(session, generator):
    """An agent that knows where things belong: opens all, then puts one after the other."""

    def is_good(action):
        return action.name != "Put" or HOMES[action.args[0]] == action.args[1]

    return lambda session, role: next(filter(is_good, session.observe(role).options))


PLAYING = hb.Playing(start, roles=("agent",), policies={"tidy": tidy, "random": random})
SUITE = hb.Suite(
    name="pantry.put_away",
    title="Put the shopping away (an example, 20 tasks)",
    tasks=hb.Tasks(load, lambda task: task.id, lambda task: ", ".join(task.items)),
    scoring=hb.Scoring(PLAYING.score),
    reporting=hb.Reporting(means={"Success": "success", "Progress": "progress"}),
    playing=PLAYING,
)
