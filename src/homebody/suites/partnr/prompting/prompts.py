"""The prompts of model agents, in the order of appendix A.15 of the PARTNR paper.

The system message explains the agent's role and teams. The first user message has the task, the
known house, the tools, and the output format. Each output is followed by the result of its call.
The wording is ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from homebody.core import Message
from homebody.suites.partnr.prompting.action_space import ActionSpace
from homebody.suites.partnr.prompting.calls import ASSIGNED, NUMBERS
from homebody.suites.partnr.prompting.tools import describe_tools
from homebody.suites.partnr.settings import HUMAN, MEANT_BY, ROBOT

_HOUSE: Final = """\
The task is set in a house. You mostly move objects to furniture and rooms. You may also have to \
change states, such as clean, filled or turned on. If the instruction gives an order, follow it. \
Leave an object where the instruction puts it, unless the instruction moves it again later.
Names are exact: use the names that you received, such as cup_0. Every room has a floor, such as \
floor_kitchen_0. An object is in a room when it is on the floor of the room, or on or in furniture \
there. If the instruction does not say which object or place of a kind, any of them will do.
Furniture and rooms are known from the start. An object becomes known when you see it: explore one \
room after another until you have found what you need. Explore a room again only if you miss \
something.
Doors in your way are opened as you walk.
What is inside closed furniture cannot be seen, and you cannot take anything from it or put \
anything into it. Open it first; Rearrange does not open it. You can move what lies on top of it \
without opening it.
If a call fails, read why and do something else. Repeating the same call does not help.
Before Done[], read the task once more and check where each object is now."""

_OF_SKILLS: Final = ("Furniture and rooms are known", "Doors in your way", "What is inside closed")
"""First words of the lines above that apply to skills only."""
_SMALL_STEPS: Final = """\
{who} in small steps: 0.25 m ahead, turns of 30 degrees, and looking up and down. Bodies are half \
a metre wide, and stop at furniture and walls. Actions on objects apply to what is in the middle \
third of the picture. You receive its name and whether it is within reach. To find what is not in \
this room, walk through doorways. When you enter a room, you see what lies there in the open."""
_ALONE: Final = "You are a person at home, and do a task there by yourself."
_ONE_OF_TWO: Final = """\
You are the {role} in a team of a human and a robot. Both do one task together, at the same time. \
You do not receive your partner's plans: watch what it does and where objects end up. Leave to \
your partner what it has begun, and do what is still missing.
The human can clean, fill, pour and turn things on and off. The robot cannot; it moves, opens and \
closes things. In the end it only matters what was done, not who did it. If the instruction gives \
the robot something that it cannot do, the human does that."""
_SILENT: Final = "You do not receive your partner's plans: watch what it does"
_TALK: Final[Mapping[str, str]] = {
    "room": "You can talk to your partner when you are in the same room: Say[{partner}, words]. "
    "Tell it what it needs to know, and watch what it does",
    "radio": "You can talk to your partner wherever you are: Say[{partner}, words]. Tell it what "
    "it needs to know, and watch what it does",
}
"""Value of the setting ``talk`` -> the replacement of :data:`_SILENT`."""
_POSITIONS: Final[Mapping[str, str]] = {
    HUMAN: f"You are the one who gave the instruction: {MEANT_BY[HUMAN]}",
    ROBOT: f"You are the one who received the instruction: {MEANT_BY[ROBOT]}",
}
_FOR_BOTH: Final = """\
You decide for a team of two in a house: a robot (Agent 0) and a human (Agent 1). They act at \
the same time, each on the call that you assign to it. Both move, open and close things; only the \
human can clean, fill, pour and turn things on and off. In the instruction, "I" is the human and \
"you" is the robot. In the end it only matters what was done, not who did it.
Share the work so that it is done soon: let both do something useful, and never the same. An agent \
that is still busy continues its call, whatever you assign to it; repeat that call. An agent with \
nothing to do waits with Wait[].
When the whole task is done, answer Done[] for both."""

_TRAINED: Final = "You are the {role} in a team of a human and a robot who do one task in a house."
_TRAINED_ALONE: Final = "You are a person who does a task in a house."
_TRAINED_HOW: Final = (
    "You receive the task, what you know of the house, and the previous actions. Answer with "
    "your next call, and nothing else."
)
_QUESTION: Final = "Which call comes next?"
_QUESTION_FOR_TWO: Final = "Which call comes next for each agent?"
_ANSWER_FORMAT: Final = f"""\
Answer in this format, with one call:
Thought: <why>
<call>
{ASSIGNED}
For example:
Thought: I do not know yet where the cup is. I have not looked in the kitchen.
Explore[kitchen_0]
{ASSIGNED}"""
_ANSWER_FORMAT_FOR_TWO: Final = f"""\
Answer in this format, with one call for each:
Thought: <why>
Agent_0_Action: <call of the robot>
Agent_1_Action: <call of the human>
{ASSIGNED}
For example:
Thought: Two objects have to be moved, so each agent goes to one.
Agent_0_Action: Navigate[cup_0]
Agent_1_Action: Navigate[plate_1]
{ASSIGNED}"""
_ANSWER_JSON: Final[Mapping[bool, str]] = {
    False: """\
Answer with one JSON object: {"thought": "<why>", "action": {"call": "Explore", "room": \
"kitchen_0"}}. The arguments of a call are fields by the names target, room, object, furniture, \
where ("on table_0" or "within fridge_0"), next_to (a name or null) and query.""",
    True: """\
Answer with one JSON object: {"thought": "<why>", "robot": {"call": "Pick", "object": "cup_0"}, \
"human": {"call": "Wait"}}. The arguments of a call are fields by the names target, room, object, \
furniture, where ("on table_0" or "within fridge_0"), next_to (a name or null) and query.""",
}
_STEPS_FOR_SKILLS: Final = {
    "Explore[kitchen_0]": "MoveAhead[]",
    "Navigate[cup_0]": "MoveAhead[]",
    "Navigate[plate_1]": "TurnLeft[]",
    "I have not looked in the kitchen.": "The doorway to the kitchen is ahead.",
    "so each agent goes to one": "and each agent goes to one",
    '"call": "Explore", "room": "kitchen_0"': '"call": "MoveAhead"',
    '"call": "Pick", "object": "cup_0"': '"call": "MoveAhead"',
    """ The arguments of a call are fields by the names target, room, object, furniture, \
where ("on table_0" or "within fridge_0"), next_to (a name or null) and query.""": "",
}
"""Text of the examples -> its replacement if actions are low-level."""


def system_message(
    roles: Sequence[str], team: str, actions: str = "skills", talk: str = "none"
) -> str:
    """Return the system message.

    Args:
        roles: The roles that the planner decides for.
        team: ``decentralised``, ``centralised`` or ``single``.
        actions: ``skills`` or ``low_level``.
        talk: ``none``, ``room`` or ``radio``.
    """
    house = _HOUSE
    if actions == "low_level":
        who = "Both agents walk and look" if len(roles) > 1 else "You walk and look"
        lines = [line for line in _HOUSE.split("\n") if not line.startswith(_OF_SKILLS)]
        house = "\n".join([*lines[:-2], _SMALL_STEPS.format(who=who), *lines[-2:]])
    if len(roles) > 1:
        return f"{_FOR_BOTH}\n{house}"
    if team == "single":
        return f"{_ALONE}\n{house}"
    of_two = _ONE_OF_TWO.replace(_SILENT, _TALK.get(talk, _SILENT))
    partner = ROBOT if roles[0] == HUMAN else HUMAN
    return f"{of_two.format(role=roles[0], partner=partner)}\n{_POSITIONS[roles[0]]}\n{house}"


def _format(for_two: bool, output: str, calls: Sequence[str]) -> str:
    """Return the output format, with an example."""
    if output == "json":
        text = _ANSWER_JSON[for_two]
    else:
        text = _ANSWER_FORMAT_FOR_TWO if for_two else _ANSWER_FORMAT
    if "Explore" in calls:
        return text
    for skill, step in _STEPS_FOR_SKILLS.items():
        text = text.replace(skill, step)
    return text


def opening(
    instruction: str,
    spaces: Sequence[ActionSpace],
    *,
    asks: bool = False,
    output: str = "text",
    max_answers: int = 50,
) -> str:
    """Return the first user message, without the known world.

    Args:
        instruction: The task.
        spaces: The action spaces of the roles that the planner decides for.
        asks: True if the world is queried with tools.
        output: How outputs are constrained; see :class:`.settings.Settings`.
        max_answers: Most outputs of the planner.
    """
    for_two = len(spaces) > 1
    parts = [f"Task: {instruction}"]
    if asks:
        parts.append(
            "Use the tools that find rooms, furniture and objects to learn about the house. "
            "What you see while you explore is reported only when you query it."
        )
    shared = [call for call in spaces[0].calls if all(call in space.calls for space in spaces)]
    parts.append(f"Calls:\n{describe_tools(shared)}")
    for space in spaces:
        if own := [call for call in space.calls if call not in shared]:
            who = f"Agent {NUMBERS[space.role]} ({space.role})"
            parts.append(f"Calls of {who} only:\n{describe_tools(own)}")
    parts.append(_format(for_two, output, spaces[0].calls))
    parts.append(f"You can answer {max_answers} times at most.")
    return "\n\n".join(parts)


def example(instruction: str, role: str, steps: Sequence[tuple[str, str]]) -> str:
    """Return a solved task of another house, for a prompt.

    Args:
        role: The agent.
        steps: Calls and their results.
    """
    lines = [
        f"For example, this is how a {role} did its part of another task, in another house. "
        "Its names are not valid here.",
        f"Task: {instruction}",
    ]
    for call, result in steps:
        lines += [call, f"Result: {result}"]
    return "\n".join(lines)


def observation(
    news: str, standing: str, world: str, for_two: bool = False, views: str = ""
) -> str:
    """Return the last message of a query: what has happened, and the known world.

    Args:
        news: The result of the last call, and other events; empty at first.
        standing: The places and held objects of the agents.
        world: The known world; empty if it is queried with tools.
        for_two: True if the planner decides for both agents.
        views: The agents' first-person views in words, or what their pictures are; empty without.
    """
    question = _QUESTION_FOR_TWO if for_two else _QUESTION
    first = f"{news}\n{standing}" if news else standing
    return "\n\n".join(filter(None, (first, views, world, question)))


def picture_text(roles: Sequence[str]) -> str:
    """Return the text on the pictures that follow a message, one for each role."""
    if len(roles) == 1:
        return "The picture shows what you see now."
    return f"The pictures show what the {' and the '.join(roles)} see now."


def caption_text(captions: Mapping[str, str]) -> str:
    """Return the captions of the roles' views."""
    if len(captions) == 1:
        return "\n".join(f"What you see now: {caption}" for caption in captions.values())
    return "\n".join(f"What the {role} sees now: {text}" for role, text in captions.items())


def finished_text(role: str) -> str:
    """Return the notification that an agent is done, for its partner."""
    return f"The {role} has finished its part and will not act again."


def heard_text(role: str, words: str) -> str:
    """Return what an agent heard another say, or the person who gave the task if ``role`` is
    empty."""
    who = f"The {role} says" if role else "The person who gave the task adds"
    return f'{who}: "{words}"'


def unusable_text(error: str, waits: bool) -> str:
    """Return the message after an output without a valid call.

    Args:
        waits: True if it is the second consecutive one, so that the agent waits.
    """
    then = "You waited instead." if waits else "Answer again, in the same format."
    return f"Result: failed: {error}. {then}"


def training_prompt(
    role: str, alone: bool, instruction: str, world: str, history: Sequence[str]
) -> tuple[Message, ...]:
    """Return the messages before the call in a fine-tuning sample (appendix A.9.1).

    A model trained on such samples is queried with the same: no thoughts, no list of calls.

    Args:
        alone: True if the agent has no partner.
        history: Lines of earlier actions.
    """
    before = "\n".join(history) or "none"
    question = (
        f"Task: {instruction}\n\nCurrent environment:\n{world}\n\n"
        f"Previous actions:\n{before}\n\nNext Agent_Action:"
    )
    who = _TRAINED_ALONE if alone else _TRAINED.format(role=role)
    return Message("system", f"{who} {_TRAINED_HOW}"), Message("user", question)


def team_words(roles: Sequence[str]) -> Mapping[str, str]:
    """Return a mapping from each role to the prefix of its results. If a planner has two roles, the
    prefix has a number."""
    if len(roles) == 1:
        return {roles[0]: "Result"}
    return {role: f"Agent_{NUMBERS[role]}_Observation" for role in (ROBOT, HUMAN)}
