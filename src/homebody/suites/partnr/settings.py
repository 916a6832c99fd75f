"""The settings of an episode: its planners, the observability, and failures.

The axes come from section 4.1 of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from homebody.core import HomebodyError
from homebody.core.suite import check_settings
from homebody.suites.partnr.partners import PARTNERS

ROBOT: Final = "robot"
HUMAN: Final = "human"
TEAM: Final = "team"
"""The planner that decides for both roles."""
MEANT_BY: Final[Mapping[str, str]] = {
    HUMAN: 'in it, "I" is you, the human, and "you" is the robot.',
    ROBOT: 'in it, "I" is the human, and "you" is the robot, which is you.',
}
"""Role -> meaning of "I" and "you" in an instruction, as that role reads it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of an episode. :data:`CHOICES` lists the values of each.

    Attributes:
        team: ``decentralised``: each agent has its own planner. ``centralised``: one planner
            decides for both. ``single``: the human is alone.
        observability: ``partial``: rooms and furniture are known, objects once they are seen.
            ``full``: everything is known.
        skills: ``oracle`` skills work; ``failing`` skills fail now and then; with ``learned``
            skills, the robot's time out, fail, and take wrong objects, as in the paper.
        perception: ``privileged``, or ``erring``: objects are missed, misclassified, or put in
            wrong rooms. ``learned``: the robot's errs as in the paper, about furniture too. Both
            require partial observability.
        planner: ``react``: the prompt describes the known world. ``tools``: the model queries it
            with perception tools. ``rag``: as ``react``, with the most similar solved task.
            ``finetuned``: for a model trained on exported traces (appendix A.9). Queries have the
                format of its training: one message without history. The reply is a call without a
                thought.
        output: The way to get valid outputs: ``text`` (outputs are checked, and the model is
            queried once more with the error), or constrained by a ``json`` schema, a ``gbnf``
            grammar or a ``regex``.
        robot: Who plays the robot: the ``model``, the ``expert``, a ``seeker`` (an expert that has
            to find the objects), ``random``, nobody (``idle``), or one of
            :data:`.partners.PARTNERS`.
        human: Who plays the human.
        traces: File of solved traces, for ``rag``.
        clock: ``house``: thinking takes no time. ``wall``: the house clock runs while a model
            answers, and others act meanwhile.
        actions: Actions of models: ``skills``, which plan their own paths, or ``low_level``: steps
            of 0.25 m, turns, looking up and down, and handling objects in the middle of the
            picture.
        talk: Where an agent hears what its partner says with ``Say``: nowhere (``none``: there is
            no such call), in the same ``room``, or anywhere by ``radio``.
        change: The change of the instruction in the middle of the run: ``none``; the person
            ``adds`` a request; or the person ``replaces`` a target, so that the object has to be
            elsewhere in the end.
        view: The first-person view that models receive besides the text (appendix A.10):
            ``none``, ``captions`` (:func:`homebody.worlds.house.play.captions.caption`) or
            ``pictures``. It is in the last message of a query only.
    """

    team: str = "decentralised"
    observability: str = "partial"
    skills: str = "oracle"
    perception: str = "privileged"
    planner: str = "react"
    output: str = "text"
    robot: str = "model"
    human: str = "model"
    traces: str = ""
    actions: str = "skills"
    talk: str = "none"
    change: str = "none"
    clock: str = "house"
    view: str = "none"

    def is_low_level(self, role: str) -> bool:
        """Return whether a role acts with low-level actions."""
        player = self.robot if role == ROBOT else self.human
        return self.actions == "low_level" and player == "model"

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the team, in order of precedence."""
        return (HUMAN,) if self.team == "single" else (ROBOT, HUMAN)


_PLAYERS = ("model", "expert", "seeker", "random", "idle", *PARTNERS)
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "team": ("decentralised", "centralised", "single"),
    "observability": ("partial", "full"),
    "skills": ("oracle", "failing", "learned"),
    "perception": ("privileged", "erring", "learned"),
    "planner": ("react", "tools", "rag", "finetuned"),
    "output": ("text", "json", "gbnf", "regex"),
    "robot": _PLAYERS,
    "human": _PLAYERS,
    "traces": (),
    "actions": ("skills", "low_level"),
    "talk": ("none", "room", "radio"),
    "change": ("none", "adds", "replaces"),
    "clock": ("house", "wall"),
    "view": ("none", "captions", "pictures"),
}
"""Setting -> its values, the default first; empty if any text is valid."""


def read_settings(given: Mapping[str, str]) -> Settings:
    """Read settings. Raises HomebodyError if they are unknown or contradict each other."""
    check_settings(given, CHOICES)
    made = Settings(**given)
    if made.perception != "privileged" and made.observability == "full":
        raise HomebodyError("perception cannot err where everything is known", "use partial")
    if made.team == "single" and "learned" in (made.skills, made.perception):
        raise HomebodyError(
            "learned skills and learned perception are the robot's, and the human is alone",
            "use a team, or skills=failing and perception=erring",
        )
    if made.team == "single" and made.robot != "model":
        raise HomebodyError("with team=single, the setting robot has no effect", "omit it")
    if made.team == "centralised" and (made.robot, made.human) != ("model", "model"):
        raise HomebodyError(
            "one planner decides for both agents in a centralised team",
            "omit robot and human, or use a decentralised team",
        )
    if made.planner == "finetuned" and made.team == "centralised":
        raise HomebodyError(
            "a fine-tuned model decides for one agent, not for a team",
            "use team=decentralised or team=single",
        )
    if made.planner == "finetuned" and made.output == "json":
        raise HomebodyError(
            "a fine-tuned model answers with a call, not with JSON",
            "use output=text, gbnf or regex",
        )
    if made.planner == "finetuned" and made.view != "none":
        raise HomebodyError("the planner finetuned has learned without views", "use view=none")
    if made.planner in ("finetuned", "rag") and made.actions == "low_level":
        raise HomebodyError(
            f"the planner {made.planner} has learned from skills only", "use actions=skills"
        )
    if made.talk != "none" and made.team != "decentralised":
        raise HomebodyError(
            "agents talk only if each has its own planner", "use team=decentralised"
        )
    if made.talk != "none" and made.planner == "finetuned":
        raise HomebodyError("a fine-tuned model has not learned to talk", "use talk=none")
    if (made.planner == "rag") != bool(made.traces):
        raise HomebodyError(
            "the planner rag and a file of traces go together", "give planner=rag and traces=FILE"
        )
    return made


def changed_settings(settings: Settings) -> dict[str, str]:
    """Return the settings that differ from the defaults."""
    usual = asdict(Settings())
    return {name: value for name, value in asdict(settings).items() if value != usual[name]}
