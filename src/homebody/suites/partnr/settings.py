"""How an episode is played: who decides, what is known, and what goes wrong.

The axes are those of section 4.1 of the paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from homebody.core import HomebodyError
from homebody.core.suite import check_settings

ROBOT: Final = "robot"
HUMAN: Final = "human"
TEAM: Final = "team"
"""Who is asked when one planner decides for both."""
MEANT_BY: Final[Mapping[str, str]] = {
    HUMAN: 'in it, "I" is you, the human, and "you" is the robot.',
    ROBOT: 'in it, "I" is the human, and "you" is the robot, which is you.',
}
"""Role -> who is meant by "I" and "you" in an instruction, as that role is told."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How an episode is played. The values that each may have are in :data:`CHOICES`.

    Attributes:
        team: ``decentralised``: each agent has a planner of its own. ``centralised``: one planner
            decides for both. ``single``: the human is alone.
        observability: ``partial``: rooms and furniture are known, objects once they were seen.
            ``full``: everything is.
        skills: ``oracle`` skills work; ``failing`` ones do not now and then.
        perception: ``privileged``, or ``erring``: things are missed, taken for others, and put in
            wrong rooms. Only what is partially observed can be misperceived.
        planner: ``react``: the prompt tells what is known of the world. ``tools``: it is asked for
            with perception tools. ``rag``: as ``react``, with a solved task that is most alike.
            ``finetuned``: for a model trained on exported traces (appendix A.9), which is asked as
            it was trained: one question without a past, answered with a call and no thought.
        output: How a model's answers are kept valid: ``text`` (checked, and asked once more with
            the error), or constrained by a ``json`` schema, a ``gbnf`` grammar or a ``regex``.
        robot: Who plays the robot: the ``model``, the ``expert``, ``random``, or nobody (``idle``).
        human: Who plays the human.
        traces: For ``rag``: file of solved traces.
        actions: What models do: ``skills``, which know their way, or ``low_level``: steps of
            0.25 m, turns, looking up and down, and handling what is in the middle of the picture.
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

    def is_low_level(self, role: str) -> bool:
        """Whether a role acts in small steps."""
        player = self.robot if role == ROBOT else self.human
        return self.actions == "low_level" and player == "model"

    @property
    def roles(self) -> tuple[str, ...]:
        """Who is there, in order of precedence."""
        return (HUMAN,) if self.team == "single" else (ROBOT, HUMAN)


_PLAYERS = ("model", "expert", "random", "idle")
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "team": ("decentralised", "centralised", "single"),
    "observability": ("partial", "full"),
    "skills": ("oracle", "failing"),
    "perception": ("privileged", "erring"),
    "planner": ("react", "tools", "rag", "finetuned"),
    "output": ("text", "json", "gbnf", "regex"),
    "robot": _PLAYERS,
    "human": _PLAYERS,
    "traces": (),
    "actions": ("skills", "low_level"),
}
"""Setting -> its values, the usual one first; none where any text will do."""


def read_settings(given: Mapping[str, str]) -> Settings:
    """Settings from what a user gave.

    Raises:
        HomebodyError: there is no such setting or value, or two do not go together.
    """
    check_settings(given, CHOICES)
    made = Settings(**given)
    if made.perception == "erring" and made.observability == "full":
        raise HomebodyError("perception cannot err where everything is known", "use partial")
    if made.team == "single" and made.robot != "model":
        raise HomebodyError("there is no robot in a single team", "leave the setting robot out")
    if made.team == "centralised" and (made.robot, made.human) != ("model", "model"):
        raise HomebodyError(
            "one planner decides for both agents in a centralised team",
            "leave robot and human out, or use a decentralised team",
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
    if made.planner in ("finetuned", "rag") and made.actions == "low_level":
        raise HomebodyError(
            f"what the planner {made.planner} has learnt from are skills", "use actions=skills"
        )
    if (made.planner == "rag") != bool(made.traces):
        raise HomebodyError(
            "the planner rag and a file of traces go together", "give planner=rag and traces=FILE"
        )
    return made


def changed_settings(settings: Settings) -> dict[str, str]:
    """Those that are not as usual."""
    usual = asdict(Settings())
    return {name: value for name, value in asdict(settings).items() if value != usual[name]}
