"""Makes tasks from drafts: answers, start, and the shortest run, which is played as a check."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import mean
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.draft import Draft, one_of
from homebody.authoring.embodiedeval.survey import Stage, Survey
from homebody.core import CORRECTED, HomebodyError
from homebody.core.ground.seeds import generator, shuffle
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.suites.embodiedeval.agents import oracle
from homebody.suites.embodiedeval.game import move_to
from homebody.suites.embodiedeval.interactions import (
    AGENT,
    Situation,
    carry_out,
    interactions,
)
from homebody.suites.embodiedeval.session import start
from homebody.suites.embodiedeval.tasks import ANSWER, EmbodiedTask, Option
from homebody.suites.embodiedeval.views import is_in_frame, visible_things
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.navigation_graph import GraphView
from homebody.worlds.house.simulation.relations import is_shut_in

SHORTEST: Final = 3
"""Minimum steps of the shortest run."""
LONGEST: Final = 15
"""Maximum steps of the shortest run; a run may have 24."""
ANSWERS: Final = 8
"""Number of answers to a question (section 3.3.3)."""
DRAWS: Final = 24
"""Number of draws of wrong answers, of which one is used."""
TILT: Final = 64.0
"""Maximum ratio of the weights of shorter and longer answers in a draw."""
MOST_ORDERS: Final = 24
"""Maximum number of orders of looking at objects that are tried."""
STARTS: Final = 12
"""Maximum number of starts that are tried."""


def make_task(
    survey: Survey,
    category: str,
    family: str,
    draft: Draft,
    identifier: str,
    rng: np.random.Generator,
) -> EmbodiedTask | None:
    """Return a task of a draft; None if it cannot be done in a sensible number of steps."""
    answers = choose_answers(draft.right, draft.wrong, rng, Counter())
    if draft.right and len(answers) < ANSWERS:
        return None
    predicates = (*draft.predicates, *([f"choose {draft.right}"] if draft.right else []))
    ways = list(_ways(survey, draft))
    if not ways:
        return None
    for point, heading in _starts(survey, draft, rng):
        begin = GraphView(point, heading, 0)
        if draft.looks and any(n in survey.sights[begin] for n in draft.looks):
            continue
        found = [survey.shortest(begin, way, LONGEST) for way in ways]
        plans = [each for each in found if each is not None]
        plan = min(plans, key=len, default=[])
        if SHORTEST <= len(plan) <= LONGEST:
            task = EmbodiedTask(
                id=identifier,
                category=category,
                family=family,
                capabilities=draft.capabilities,
                scene=survey.scene,
                start=(point, heading),
                instruction=draft.instruction,
                # families list the needed options first, and no other choice depends on their order
                options=(*shuffle(generator(f"options {identifier}"), draft.options), *answers),
                predicates=predicates,
                states=draft.states,
                plan=tuple(plan),
            )
            if is_solved(task):
                return task
    return None


def is_solved(task: EmbodiedTask) -> bool:
    """Return whether no predicate of a task is met at first, and its plan reaches the goal with its
    last step and not earlier."""
    try:
        session = start(task, {}, 0, CORRECTED)
    except HomebodyError:
        return False
    if session.progress() > 0:
        return False
    play(session, {AGENT: oracle(session, np.random.default_rng(0))})
    return session.ending == GOAL_MET and session.clock == len(task.plan)


def choose_answers(
    right: str, wrong: Sequence[str], rng: np.random.Generator, likely: Mapping[str, int]
) -> tuple[Option, ...]:
    """Return the answers to choose from; empty if there are too few, or if there is no right
    answer.

    ``likely`` maps each answer to the number of other tasks of the family in which it is right.
    Sorted by this count, or by length, the right answer is at each position with equal probability
    as far as possible, so that neither reveals it.
    """
    others = [text for text in dict.fromkeys(wrong) if text and text != right]
    if not right or len(others) < ANSWERS - 1:
        return ()
    place = int(rng.integers(ANSWERS))
    texts = min(
        (_draw_answers(right, others, rng, likely) for _ in range(DRAWS)),
        key=lambda texts: abs(mean(places_of(right, texts, len)) - place),
    )
    if all(text.isdigit() for text in texts):
        texts.sort(key=int)
    else:
        texts = shuffle(rng, texts)
    return tuple(Option(ANSWER, text) for text in texts)


def places_of(right: str, texts: Sequence[str], key: Callable[[str], float]) -> range:
    """Return the positions that the right answer can have if all answers are sorted by a key."""
    keys = [key(text) for text in texts]
    first = sum(each < key(right) for each in keys)
    return range(first, first + keys.count(key(right)))


def counting(
    rng: np.random.Generator,
    number: int,
    wordings: Sequence[str],
    looks: Sequence[str],
    capabilities: tuple[str, ...] = ("base",),
) -> Draft:
    """Return a question for a number.

    Args:
        rng: Chooses the wording and the wrong answers.
        number: The right answer.
        wordings: The question in equivalent words.
        looks: The objects to see.
        capabilities: The required capabilities.
    """
    text = one_of(rng, *wordings)
    wrong = numbers_around(number, rng)
    return Draft(text, str(number), wrong, looks=tuple(looks), capabilities=capabilities)


def numbers_around(right: int, rng: np.random.Generator) -> tuple[str, ...]:
    """Return seven wrong numbers. Together with the right one they are consecutive. The rank of the
    right one is random, but no number is below one."""
    first = right - min(int(rng.integers(ANSWERS)), right - 1)
    return tuple(str(each) for each in range(first, first + ANSWERS) if each != right)


def _draw_answers(
    right: str, others: Sequence[str], rng: np.random.Generator, likely: Mapping[str, int]
) -> list[str]:
    """Return the right answer and seven others, of which a random number is likelier.

    Answers that are right in other tasks are drawn more often. So are either shorter or longer
    ones."""
    own = likely.get(right, 0)
    likelier = [text for text in others if likely.get(text, 0) > own]
    rest = [text for text in others if likely.get(text, 0) <= own]
    above = max(min(int(rng.integers(ANSWERS)), len(likelier)), ANSWERS - 1 - len(rest))
    tilt = TILT ** rng.uniform(-1.0, 1.0)
    weights = {
        text: (0.05 + likely.get(text, 0)) * (tilt if len(text) < len(right) else 1.0)
        for text in others
    }
    texts = [right, *_sample(likelier, above, rng, weights)]
    return texts + _sample(rest, ANSWERS - len(texts), rng, weights)


def _sample(
    texts: Sequence[str], count: int, rng: np.random.Generator, weights: Mapping[str, float]
) -> list[str]:
    """Sample ``count`` answers by their weights."""
    if not count:
        return []
    own = np.array([weights[text] for text in texts])
    chosen = rng.choice(len(texts), count, replace=False, p=own / own.sum())
    return [texts[int(at)] for at in chosen]


def _starts(survey: Survey, draft: Draft, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Yield points with a heading: if possible, one that leads to another point and whose view is
    not just a wall."""
    points = survey.graph.points
    chosen = draft.starts or shuffle(rng, range(len(points)))[:STARTS]
    for point in chosen:
        if draft.heading is not None:
            yield point, points[point].nearest(draft.heading)
        else:
            ends = [heading.to is None for heading in points[point].headings]
            headings = sorted(shuffle(rng, range(len(ends))), key=ends.__getitem__)
            telling = (at for at in headings if survey.is_telling(GraphView(point, at, 0)))
            yield point, next(telling, headings[0])


def _ways(survey: Survey, draft: Draft) -> Iterator[list[Stage]]:
    """Yield all orders in which the steps of a draft can be done, each as stages."""
    going: list[Stage] = [(_arrival_test(survey, name), "") for name in draft.goes]
    end: list[Stage] = [(lambda view: True, f'answer "{draft.right}"')] if draft.right else []
    if draft.does:
        for order in draft.does:
            doing = _interaction_stages(survey, draft, order)
            if doing is not None:
                yield [*going, *doing, *end]
        return
    shown = {name: survey.views_of(name, draft.closely) for name in draft.looks}
    if not all(shown.values()):
        return
    views = {name: _membership_test(of) for name, of in shown.items()}
    for looks in itertools.islice(itertools.permutations(draft.looks), MOST_ORDERS):
        looking: list[Stage] = [(views[name], "") for name in looks]
        yield [*going, *looking, *end]


def _arrival_test(survey: Survey, name: str) -> Callable[[GraphView], bool]:
    """Return a test of whether a view is at a point, or near an object."""
    if name[:1] == "p" and name[1:].isdigit():
        return lambda view: view.point == int(name[1:])
    near = survey.points_near(name)
    return lambda view: view.point in near


def _interaction_stages(
    survey: Survey, draft: Draft, order: Sequence[Option]
) -> list[Stage] | None:
    """Return the stages of consecutive interactions; None if an interaction is impossible."""
    state = survey.initial_state(draft.states)
    stages: list[Stage] = []
    for option in order:
        views, after = _try_interaction(survey, state, option)
        if after is None:
            return None
        stages.append((_membership_test(views), option.text))
        state = after
    return stages


def _membership_test(views: Sequence[GraphView]) -> Callable[[GraphView], bool]:
    known = frozenset(views)
    return lambda view: view in known


def _try_interaction(
    survey: Survey, state: HouseState, option: Option
) -> tuple[list[GraphView], HouseState | None]:
    """Return the views in which an interaction succeeds, and the state after it in the first
    view."""
    interaction, views, after = interactions()[option.verb], [], None
    shown: dict[GraphView, Mapping[str, int]] = {}
    works: dict[int, bool] = {}  # success at a point holds for each view that shows the thing
    tried = state.copy()
    for view in survey.graph.views():
        if works.get(view.point) is False:
            continue
        if view.point not in works:
            move_to(tried, survey.graph, view)
        sees = partial(_sees, survey, state, shown, view)
        situation = Situation(tried, sees)
        if view.point not in works and not any(map(situation.reaches, option.objects)):
            works[view.point] = False
            continue
        if not all(sees(option.objects[number]) for number in interaction.sees):
            continue
        if view.point not in works:
            try:
                carry_out(interaction, option.objects, situation)
            except HomebodyError:
                works[view.point] = False
                continue
            works[view.point] = True
            after, tried = after or tried, state.copy()
        views.append(view)
    return views, after


def _sees(
    survey: Survey,
    state: HouseState,
    shown: dict[GraphView, Mapping[str, int]],
    view: GraphView,
    name: str,
) -> bool:
    """Return whether a view shows an object; the contents of views are cached. An object that was
    visible at first and was not moved counts as visible: playing the plan checks it."""
    if not is_in_frame(state, view, name):
        return False
    still = name not in state.places or state.places[name] == survey.state.places[name]
    if still and name in survey.sights[view]:
        return True
    if still and not is_shut_in(survey.state, name):
        return False
    if view not in shown:
        shown[view] = visible_things(state, view)
    return name in shown[view]
