"""Stage (c): adapts a good task to another house, without a model (PARTNR paper, appendix A.3).

Rooms and furniture are replaced by rooms and furniture of the same kind, or of a kind with the same
affordances. The nouns of the instruction are changed accordingly. References keep their form: all
tables of the living room become all tables of the new living room. (With a model, the model reads
the task and the house and writes a new task.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from homebody.authoring.language.exchange import replace_nouns
from homebody.authoring.language.mentions import OBJECT, Mention
from homebody.authoring.language.names import join_words
from homebody.authoring.partnr.checks.case import case_of
from homebody.authoring.partnr.draft import Draft, FailureMode, Rejected
from homebody.authoring.partnr.regrounding.correspondence import (
    Regrounding,
    find_kinds,
    find_rooms,
    needs_of,
)
from homebody.authoring.partnr.situation import situation
from homebody.goals.partnr import Evaluation
from homebody.suites.partnr.episodes.predicates import AFFORDANCE
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House


def adapt(seed: Draft, old: House, new: House) -> Draft:
    """Return a task, with its evaluation function, adapted to another house without a model.

    The new house must be without objects. Raises Rejected if something has no counterpart there, or
    if the instruction would change its meaning.
    """
    assert seed.evaluation is not None
    case = case_of(seed, old, situation(seed, old))
    needs = needs_of(case, seed)
    rooms = find_rooms(case, needs, new)
    move = Regrounding(case, new, rooms, find_kinds(case, needs, rooms, new))
    evaluation = Evaluation(
        tuple(move.proposition(proposition) for proposition in seed.evaluation.propositions),
        seed.evaluation.dependencies,
        seed.evaluation.constraints,
    )
    placements = tuple(replace(placed, furniture=move.source(placed)) for placed in seed.placements)
    states: dict[str, Mapping[str, bool]] = {}
    for name, given in seed.furniture_states.items():
        for other in move.pieces((name,), "", exactly=False):
            states[other] = given
    return Draft(
        replace_nouns(seed.instruction, move.noun),
        placements,
        evaluation,
        states,
        seed.assigned,
    )


def exchange_objects(seed: Draft, others: Mapping[str, str]) -> Draft:
    """Return a task with some kinds of objects replaced in words, scene and evaluation function.
    Raises Rejected if a new kind lacks a required affordance or is in the scene already."""
    there = {placed.category for placed in seed.placements}
    for own, other in others.items():
        if other in there:
            raise Rejected(FailureMode.AMBIGUITY, f"there are {other} already")
        lost = set(catalogue().affords(own)) - set(catalogue().affords(other))
        if lost & _affordances_needed(seed, own):
            raise Rejected(FailureMode.PREDICATE, f"a {other} is not {join_words(sorted(lost))}")
    names: dict[str, str] = {}
    for placed in seed.placements:
        if placed.category in others:
            count = sum(p.number for p in seed.placements if p.category == placed.category)
            for index in range(count):
                names[f"{placed.category}_{index}"] = f"{others[placed.category]}_{index}"

    def noun(mention: Mention) -> str | None:
        meant = mention.categories(OBJECT) & there
        # a word for a class stays if its meaning does not shrink
        if mention.sense.group or len(meant) != 1:
            if meant & set(others) and any(
                others.get(c, c) not in mention.categories(OBJECT) for c in meant
            ):
                raise Rejected(
                    FailureMode.ENTITY, f"{mention.text!r} would no longer mean all that it did"
                )
            return None
        return others.get(next(iter(meant)))

    return replace(
        seed,
        instruction=replace_nouns(seed.instruction, noun),
        placements=tuple(
            replace(placed, category=others.get(placed.category, placed.category))
            for placed in seed.placements
        ),
        evaluation=seed.evaluation.rename(names) if seed.evaluation is not None else None,
    )


def _affordances_needed(seed: Draft, category: str) -> set[str]:
    """Return the affordances that a task requires of the objects of a kind."""
    affordances = set()
    for placed in seed.placements:
        if placed.category == category and placed.states:
            affordances |= {"cleanable", "fillable", "powerable"}
    for proposition in seed.evaluation.propositions if seed.evaluation is not None else ():
        for place, listed_names in enumerate(proposition.lists):
            if any(name.rpartition("_")[0] == category for name in listed_names):
                if proposition.predicate in AFFORDANCE:
                    affordances.add(AFFORDANCE[proposition.predicate])
                elif place == 1 and proposition.predicate == "is_inside":
                    affordances.add("container")
    return affordances
