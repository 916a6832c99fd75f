"""A household lasts over several sessions, and they are replayed in turn."""

from __future__ import annotations

from homebody.core import Action, HomebodyError, Tool
from homebody.core.play.household import Household, household_after, replay_in_turn
from homebody.core.play.rounds import play
from homebody.core.play.session_base import SessionBase


class Evening(SessionBase):
    """Someone puts cups away; where they are lasts, and so does the time of day."""

    rate = 1.0
    skills = (Tool.of("Put", "Put a cup somewhere.", "cup", "place"),)

    def __init__(self, household: Household) -> None:
        super().__init__(
            ("robot",), "Tidy.", clock=household.clock, max_steps=household.clock + 100
        )
        self.where: dict[str, str] = household.take_world()

    def begin(self, role: str, action: Action) -> int:
        if action.args[0] not in self.where:
            raise HomebodyError("there is no such cup")
        return 5

    def finish(self, role: str, action: Action) -> str:
        self.where[action.args[0]] = action.args[1]
        return f"It is {action.args[1]}."

    def describe(self, role: str) -> str:
        return str(self.where)

    def possible(self, role: str) -> list[Action]:
        return [Action("Put", (cup, "shelf")) for cup, at in self.where.items() if at != "shelf"]

    def progress(self) -> float:
        return sum(at == "shelf" for at in self.where.values()) / len(self.where)

    def lasting_state(self) -> dict[str, str]:
        return self.where


def put_one(session: Evening, role: str) -> Action:
    return Action("Done") if session.entries else session.observe(role).options[0]


FIRST = Household({"red": "table", "blue": "sink"})


def test_the_next_session_begins_where_the_last_one_ended() -> None:
    one = play(Evening(FIRST), {"robot": put_one})
    assert isinstance(one, Evening)
    between = household_after(one, FIRST)
    assert (between.world, between.clock, between.sessions) == (
        {"red": "shelf", "blue": "sink"}, 5, 1,
    )  # fmt: skip
    two = play(Evening(between), {"robot": put_one})
    assert (two.ending, two.clock, two.progress()) == ("the goal is met", 10, 1.0)
    assert FIRST.world == {"red": "table", "blue": "sink"}, "sessions change copies"
    assert between.world == {"red": "shelf", "blue": "sink"}


def test_sessions_are_replayed_in_turn() -> None:
    household, transcripts, scores = FIRST, [], []
    for _ in range(2):
        session = Evening(household)
        play(session, {"robot": put_one})
        transcripts.append(session.transcript())
        scores.append(session.score())
        household = household_after(session, household)
    sessions, left = replay_in_turn(Evening, FIRST, transcripts)
    assert [session.score() for session in sessions] == scores
    assert left == household
