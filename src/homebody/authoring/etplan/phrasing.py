"""Wording of drafts as instructions."""

from __future__ import annotations

import numpy as np

from homebody.authoring.etplan.drafts import Draft, phrases
from homebody.authoring.etplan.graph_setting import noun
from homebody.authoring.etplan.setting import Setting, matching_instances
from homebody.authoring.language.names import article
from homebody.core.ground.seeds import choose
from homebody.goals.etplan import RELATION_WORDS, Condition, Target
from homebody.suites.etplan.rows import Kind

_INSIDE = {"counter": "counter cupboard"}


def phrase(setting: Setting, kind: Kind, draft: Draft, rng: np.random.Generator) -> str:
    """Return an instruction: a sentence that states neither more nor less than the criterion."""
    where = {condition.first: condition for condition in draft.where}
    things = [
        _describe(setting, name, where.get(name), bool(draft.target)) for name in draft.things
    ]
    main = noun(draft.things[0])
    words = {
        "thing": things[0],
        "first": things[0],
        "First": things[0][0].upper() + things[0][1:],
        "second": things[-1],
        "second_again": f"the {noun(draft.things[-1]).singular}",
        "it": "them" if main.is_plural else "it",
        "is": "are" if main.is_plural else "is",
        "goes": "go" if main.is_plural else "goes",
    }
    if draft.target:
        place = where.get(draft.target)
        target = _describe(setting, draft.target, place, False, draft.relation)
        put = _put(draft.relation, rng)
        words |= {"place": f"{put} {target}", "at": f"{RELATION_WORDS[draft.relation]} {target}"}
    if kind == "temporal":
        flat = draft.criterion.stages[0][-1].relation == "ON"
        words["into"] = _put("ON" if flat else "INSIDE", rng)
    templates: list[str] = phrases()[kind]
    return choose(rng, templates).format(**words)


def _put(relation: str, rng: np.random.Generator) -> str:
    return RELATION_WORDS[relation] + choose(rng, ("", "to"))


def _describe(
    setting: Setting, category: str, where: Condition | None, clause: bool, relation: str = ""
) -> str:
    """Return a noun phrase for an object, with its place if a condition gives one.

    With a relation, something is put on or into the object. With ``clause``, the place is a
    relative clause ("that is on the table"), because the words that follow could be mistaken for
    it."""
    wanted = Target(category, () if where is None else (where,))
    name = _with_article(category, len(matching_instances(setting, wanted)), relation)
    if where is None:
        return name
    count = len(setting.instances(where.second))
    other = _with_article(where.second, count, where.relation)
    is_ = "that are " if noun(category).is_plural else "that is "
    return f"{name} {is_ if clause else ''}{RELATION_WORDS[where.relation]} {other}"


def _with_article(category: str, count: int, relation: str) -> str:
    """Return ``the fridge`` if the class has one object, else ``a chair`` or ``some bread``. The
    inside of a container has its own name."""
    named = noun(category)
    name = _INSIDE.get(category, named.singular) if relation == "INSIDE" else named.singular
    if count == 1:
        return f"the {name}"
    return f"{article(name) if named.is_countable else 'some'} {name}"
