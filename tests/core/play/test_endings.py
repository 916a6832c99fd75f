"""How a role ends its part: a bounded reading of any text, and a session that keeps it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.play.walks import Walks
from homebody.core import Action, HomebodyError
from homebody.core.play.endings import MAX_REASON, Ending, read_ending
from homebody.core.play.replay import replay
from homebody.core.play.session import is_done, take
from homebody.core.play.transcript import find_call


@pytest.mark.parametrize(
    ("said", "ending"),
    [
        ("Done[]", Ending("done")),
        ("Done[0.8]", Ending("done", 0.8)),
        ("Done[1]", Ending("done", 1.0)),
        ("Done[.25]", Ending("done", 0.25)),
        ("Done[1.0]", Ending("done", 1.0)),
        ("Done[1.1]", Ending("done")),
        ("Done[-0.5]", Ending("done")),
        ("Done[nan]", Ending("done")),
        ("Done[1e-3]", Ending("done")),
        ("Done[80%]", Ending("done")),
        ("Done[quite sure]", Ending("done")),
        ("Impossible[no milk, only cream]", Ending("impossible", None, "no milk, only cream")),
        ("Refuse[it would burn him]", Ending("refuse", None, "it would burn him")),
        ("Refuse[]", Ending("refuse")),
        ("Fly[moon]", None),
    ],
)  # fmt: skip
def test_what_is_said_is_read(said: str, ending: Ending | None) -> None:
    action = find_call(said)
    assert read_ending(action) == ending
    assert is_done(action) == (ending is not None)


@given(st.sampled_from(["Done", "Impossible", "Refuse"]), st.lists(st.text()))
def test_any_text_is_read(name: str, arguments: list[str]) -> None:
    ending = read_ending(Action(name, tuple(arguments)))
    assert ending is not None
    assert len(ending.reason) <= MAX_REASON
    assert ending.confidence is None or 0.0 <= ending.confidence <= 1.0


def test_a_session_keeps_how_its_roles_ended() -> None:
    session = Walks()
    take(session, "left", "Impossible[the way is barred]")
    assert session.ready() == ("right",)
    take(session, "right", "I am sure. Done[0.9]")
    assert session.ending == "everybody is done"
    expected = {
        "left": Ending("impossible", None, "the way is barred"),
        "right": Ending("done", 0.9),
    }
    assert session.endings == expected
    assert replay(Walks(), session.transcript().entries).endings == expected
    assert session.clone().endings == expected


def test_a_suite_that_does_not_read_them_has_them_as_done() -> None:
    refused, done = Walks(), Walks()
    take(refused, "left", "Refuse[no]")
    take(done, "left", "Done[]")
    assert (refused.done, refused.ready()) == (done.done, done.ready())
    assert refused.score() == done.score()
    with pytest.raises(HomebodyError):
        refused.observe("nobody")
