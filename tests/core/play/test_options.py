"""Lists of actions read like lists, in whole and in part."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.play.walks import Walks
from homebody.core import DONE, Action
from homebody.core.play import policies
from homebody.core.play.options import ActionBlock, ActionList, by_kind

ROWS = st.lists(st.tuples(st.sampled_from("xyz")), max_size=4)


@st.composite
def blocks(draw: st.DrawFn) -> list[ActionBlock]:
    """Blocks, some empty, of one name or of two."""
    made = [ActionBlock(names, draw(ROWS)) for names in [("A",), ("B", "C"), ("D",)]]
    return draw(st.permutations([*made, ActionBlock((DONE.name,), [()])]))


def listed(given_blocks: Sequence[ActionBlock]) -> list[Action]:
    return [
        Action(name, block.arguments[row])
        for block in given_blocks
        for row in range(len(block.arguments))
        for name in block.names
    ]


@given(made=blocks(), part=st.slices(20), part_of_it=st.slices(9))
def test_a_list_of_actions_is_a_list(
    made: list[ActionBlock], part: slice, part_of_it: slice
) -> None:
    actions, plain = ActionList(made), listed(made)
    assert list(actions) == plain
    assert actions == plain
    assert plain == actions
    assert pickle.loads(pickle.dumps(actions)) == actions
    assert actions[part][part_of_it] == plain[part][part_of_it]
    assert len(actions[part]) == len(plain[part])
    assert actions != [*plain, DONE]
    for beyond in (len(plain), -len(plain) - 1):
        with pytest.raises(IndexError):
            actions[beyond]


@given(made=blocks(), part=st.slices(20))
def test_kinds_are_those_of_the_actions(made: list[ActionBlock], part: slice) -> None:
    for actions in (ActionList(made), ActionList(made)[part]):
        of_lists, of_plain = by_kind(actions), by_kind(list(actions))
        assert of_lists == of_plain
        assert list(of_lists) == list(of_plain)


@given(made=blocks(), seed=st.integers(0, 2**32))
def test_random_draws_the_same_of_any_list(made: list[ActionBlock], seed: int) -> None:
    """First a kind, then one of its kind."""

    class Offering(Walks):
        offered: Sequence[Action]

        def options(self, role: str) -> Sequence[Action]:
            return self.offered

    drawn = []
    for offered in (ActionList(made), listed(made)):
        session, rng = Offering(), np.random.default_rng(seed)
        session.offered = offered
        act = policies.random(session, rng)
        drawn.append(([act(session, "left") for _ in range(5)], rng.random()))
    plain, rng = listed(made), np.random.default_rng(seed)
    expected = []
    for _ in range(5):
        possible = [action for action in plain if action != DONE]
        kinds = sorted({action.name for action in possible})
        if rng.random() < policies.STOPS or not kinds:
            expected.append(DONE)
            continue
        kind = kinds[int(rng.integers(len(kinds)))]
        of_kind = [action for action in possible if action.name == kind]
        expected.append(of_kind[int(rng.integers(len(of_kind)))])
    after = rng.random()
    assert drawn == [(expected, after)] * 2
