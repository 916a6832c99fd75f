"""What actions are tried for, against what their schemas say they do."""

from __future__ import annotations

import re

import pytest

from homebody.planning.relevance import achievers
from homebody.worlds.virtualhome import action_schemas
from homebody.worlds.virtualhome.relevance import PURPOSES

ACHIEVERS = achievers(action_schemas())


@pytest.mark.parametrize("name", PURPOSES)
def test_actions_are_tried_only_for_what_they_do(name: str) -> None:
    for purpose in PURPOSES[name]:
        match = re.fullmatch(r"(not )?([A-Z_]+)\((\w+)(?:, (\w+))?\)", purpose)
        assert match is not None, purpose
        denied, predicate, *roles = match.groups()
        predicate = "HOLDS_RH" if predicate == "HOLDS" else predicate
        fact = next(iter(ACHIEVERS[not denied, predicate])).fact
        names = tuple(f"{role}.{place}" for place, role in enumerate(roles) if role is not None)
        assert len(fact.args) == len(names), purpose
        agent = next((arg for arg in names if arg.startswith("agent")), "agent")
        effects = ACHIEVERS[not denied, predicate]
        doing = [effect for effect in effects if effect.schema.name == name]
        wanted = type(fact)(predicate, names)
        assert any(effect.match(wanted, agent) is not None for effect in doing), purpose


def test_every_change_of_a_state_has_an_action() -> None:
    """Derived, not listed: these are all literals over states that some action is tried for."""
    tried = {
        (want, predicate): [
            effect.schema.name
            for effect in effects
            if effect.schema.name not in PURPOSES and len(effect.fact.args) == 1
        ]
        for (want, predicate), effects in ACHIEVERS.items()
    }
    assert {literal: names for literal, names in tried.items() if names} == {
        (False, "SITTING"): ["STANDUP"],
        (False, "LYING"): ["STANDUP"],
        (True, "OPEN"): ["OPEN"],
        (False, "OPEN"): ["CLOSE"],
        (True, "CLOSED"): ["CLOSE"],
        (False, "CLOSED"): ["OPEN"],
        (True, "ON"): ["SWITCHON"],
        (False, "ON"): ["SWITCHOFF"],
        (True, "OFF"): ["SWITCHOFF"],
        (False, "OFF"): ["SWITCHON"],
        (True, "PLUGGED_IN"): ["PLUGIN"],
        (False, "PLUGGED_IN"): ["PLUGOUT"],
        (True, "PLUGGED_OUT"): ["PLUGOUT"],
        (False, "PLUGGED_OUT"): ["PLUGIN"],
        (True, "CLEAN"): ["WASH", "RINSE", "SCRUB", "WIPE"],
        (False, "DIRTY"): ["WASH", "RINSE", "SCRUB", "WIPE"],
    }
