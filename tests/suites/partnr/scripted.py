"""A task of two moves, and a script that plays it from nothing but what it is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from homebody.core import Dialogue, Question, Reply
from homebody.goals.partnr import Evaluation
from homebody.suites.partnr.prompting.knowledge_text import LEGEND
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM, Settings, changed_settings
from homebody.suites.partnr.suite import PLAYING
from homebody.suites.partnr.tasks import PartnrTask
from suites.partnr.homes import make_task, of

THINGS = (("cup_0", "counter_0"), ("toy_car_0", "shelf_1"), ("book_0", "bed_0"))
MOVES = "Please move the toy_car to coffee_table_0 and the cup to workbench_0."


def moving(**given: str) -> PartnrTask:
    """A task of two moves from rooms where nobody may have been."""
    evaluation = Evaluation(
        (
            of("is_on_top", ["toy_car_0"], ["coffee_table_0"]),
            of("is_on_top", ["cup_0"], ["workbench_0"]),
        )
    )
    task = make_task(evaluation, *THINGS, settings=Settings(**given))
    return replace(task, episode=replace(task.episode, instruction=MOVES))


def drive(task: PartnrTask) -> tuple[PartnrSession, Dialogue]:
    """A session of a task, and the models that play it as its settings say."""
    session = PartnrSession(task)
    players = PLAYING.players(session, changed_settings(task.settings), np.random.default_rng(0))
    assert PLAYING.driver is not None
    return session, PLAYING.driver(session, players)


SECONDS = 4.55
"""Time of an answer, which counts with clock=wall (appendix A.8 of the paper)."""


def conversed(
    task: PartnrTask, answers: Callable[[tuple[Question, ...]], Iterable[str]]
) -> PartnrSession:
    """A session that was played by whoever answers so."""
    session, dialogue = drive(task)
    try:
        questions = next(dialogue)
        while True:
            replies = (Reply(answer, seconds=SECONDS) for answer in answers(questions))
            questions = dialogue.send(tuple(replies))
    except StopIteration:
        return session


def world(question: Question) -> list[str]:
    """The lines of the last description of the world."""
    text = next(m.text for m in reversed(question.messages) if LEGEND in m.text)
    return text.rpartition(LEGEND)[2].split("\n\n")[0].splitlines()[1:]


def listed(text: str) -> list[str]:
    """The names of a list of objects, ranges included."""
    names = []
    for name in re.sub(r" \([^)]*\)", "", text).split(", "):
        first, _, last = name.partition(" to ")
        stem, _, low = first.rpartition("_")
        high = last.rpartition("_")[2] or low
        names += [f"{stem}_{number}" for number in range(int(low), int(high) + 1)]
    return names


def known_objects(question: Question) -> dict[str, str]:
    """Object -> where it is, of the last description of the world."""
    found: dict[str, str] = {}
    for line in world(question):
        place, _, rest = line.partition(": ")
        if line.startswith("  "):
            place = place.strip().partition(" ")[0]
            for part in rest.split("; "):
                found |= dict.fromkeys(listed(part.removeprefix("within: ")), place)
        elif place == "held":
            for name, holder in re.findall(r"(\w+) by (\w+)", rest):
                found[name] = f"held by {holder}"
        elif place == "no longer where seen":
            found |= dict.fromkeys(listed(rest), place)
    return found


def next_call(
    question: Question, agent: str, wanted: list[tuple[str, str]], taken: str = ""
) -> str:
    """Explore until an object is known, then take it where it is wanted; then done."""
    now = question.messages[-1].text
    busy = re.search(rf"The {agent} is .* still busy with (.*)\.", now)
    if busy:
        return busy[1]
    rooms = re.findall(r"^(\w+): ", "\n".join(world(question)), re.M)
    rooms = [room for room in rooms if room != "held"]
    told = "\n".join(one.text for one in question.messages).rpartition("Task: ")[2]
    objects = known_objects(question)
    for category, target in wanted:
        names = [name for name in objects if name.startswith(f"{category}_")]
        if not names:
            for room in rooms:
                if not re.search(rf"looked around in {room}\b", told) and room not in taken:
                    return f"Explore[{room}]"
            return "Wait[]"
        # what is gone has been taken by the partner
        if not objects[names[0]].startswith((target, "held by", "no longer")):
            return f"Rearrange[{names[0]}, on, {target}, None, None]"
    return "Done[]"


def wishes(question: Question) -> list[tuple[str, str]]:
    task = question.messages[1].text.rpartition("Task: ")[2].partition("\n")[0]
    return re.findall(r"the (\w+) to (\w+)", task)


def script(question: Question) -> str:
    wanted = wishes(question)
    if question.role == TEAM:
        first = next_call(question, ROBOT, wanted[:1])
        calls = [first, next_call(question, HUMAN, wanted[1:], taken=first)]
        robot, human = (call.replace("Done[]", "Wait[]") for call in calls)
        if calls == ["Done[]", "Done[]"]:
            return "Thought: all is done.\nDone[]\nAssigned!"
        return f"Thought: on.\nAgent_0_Action: {robot}\nAgent_1_Action: {human}\nAssigned!"
    call = next_call(question, question.role, wanted)
    return f"Thought: on with it.\n{call}\nAssigned!"
