"""The facts of a run for failure analysis, and labels after the paper's error analysis.

Source: EmbodiedEval paper, section 4.4. Its four categories were assigned by people. The rules
decide what a record can decide: an answer that is wrong although the agent had been where the
shortest run answers is put down to grounding, counting or spatial reasoning by the kind of
question. A part of the goal is a predicate. See :mod:`homebody.core.play.failures`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from homebody.core import Action
from homebody.core.play.failures import ROUNDS, FailureAnalysis, FailureLabel
from homebody.core.play.run_facts import GoalFacts, GoalPart, RunFacts, WorldChange, count_returns
from homebody.goals.embodiedeval import read_predicate
from homebody.suites.embodiedeval.game import MOVEMENTS, NO_OPTION, EmbodiedGame, TakenStep
from homebody.suites.embodiedeval.interactions import AGENT, NOT_SEEN, interactions
from homebody.suites.embodiedeval.session import UNREAD_ENDING
from homebody.suites.embodiedeval.tasks import ANSWER, EmbodiedTask, Option
from homebody.worlds.house.play.navigation_graph import GraphView
from homebody.worlds.house.play.run_facts import changes_of

HELD: Final = "held"
"""The result of taking an object."""
COUNTS: Final = "how many"
"""The words by which a question asks for a number."""
_PLACES: Final = {"on": "on", "inside": "within"}


@dataclass(frozen=True, slots=True)
class PlayFacts:
    """The steps and views of the agent.

    Attributes:
        category: The category of the task.
        counts: True if the question asks for a number.
        answered_wrong: True if an answer was given that is not the right one.
        unread: Number of replies that named no option.
        missed: Number of places that decide, and where the agent never was: all of the shortest run
            if the question asks for a number, otherwise those where the shortest run does
            something, and its last one. For questions they are views (a point and a direction),
            otherwise points.
        steps: The steps.
        views: The agent's views, the first one included.
    """

    category: str
    counts: bool
    answered_wrong: bool
    unread: int
    missed: int
    steps: tuple[TakenStep, ...]
    views: tuple[GraphView, ...]


def find_facts(session: Any, record: Mapping[str, Any]) -> GoalFacts:
    """Return the facts of a finished session."""
    game: EmbodiedGame = session.game
    task, taken = game.task, game.taken
    options = {option.text: option for option in task.options}
    counts = COUNTS in task.instruction.lower()
    first = EmbodiedGame(task).view
    views = (first, *(step.view for step in taken))
    wanted, been = deciding_views(task, every=counts), set(map(_look, views))
    own = PlayFacts(
        task.category,
        counts,
        game.judge.wrong,
        len(record["errors"]),
        len(wanted - been if task.answers else {at for at, _ in wanted} - {at for at, _ in been}),
        tuple(taken),
        views,
    )
    changes = [
        change
        for clock, step in enumerate(taken)
        if step.ok and step.kind not in ("move", ANSWER, NO_OPTION)
        for change in _changes(game, clock, options[step.text])
    ]
    tried = {options[step.text].objects[0] for step in taken if step.text in options}
    return GoalFacts(
        tuple(_list_parts(game, options)),
        tuple(changes),
        tried=frozenset(tried),
        over=game.judge.answered or session.ending == UNREAD_ENDING,
        own=own,
    )


def deciding_views(task: EmbodiedTask, *, every: bool) -> set[tuple[int, int]]:
    """Return the points, with the direction of view, at which the shortest run does something, and
    its last one; all of the run if ``every``."""
    game = EmbodiedGame(task)
    moves = {text: name for name, text in MOVEMENTS.items()}
    views = {_look(game.view)} if every else set[tuple[int, int]]()
    for text in task.plan:
        if text in moves:  # only movements change the view
            game.do(Action(moves[text]))
        if every or text not in moves:
            views.add(_look(game.view))
    return views | {_look(game.view)}


def _look(view: GraphView) -> tuple[int, int]:
    return view.point, view.heading


def _rises(over_time: Sequence[bool]) -> Iterator[bool]:
    return (after and not before for before, after in pairwise(over_time))


def _list_parts(game: EmbodiedGame, options: Mapping[str, Option]) -> Iterator[GoalPart]:
    first = EmbodiedGame(game.task).judge
    for number, text in enumerate(game.task.predicates):
        met, predicate = game.judge.met[number], read_predicate(text)
        name, (thing, *others) = predicate.name, predicate.arguments
        things: tuple[str, ...] = (thing,)
        ends: set[str] = set()
        if name in _PLACES:
            ends = {f"{_PLACES[name]} {others[0]}"}
        elif name == "is":
            ends = {others[0] if others[1] == "yes" else f"not_{others[0]}"}
        elif name in ("grab", "grab_once"):
            ends = {HELD}
        elif name == "special_action_success" and thing in options:
            things, ends = options[thing].objects[:1], {thing}
        else:
            things = ()
        over_time = [first.met[number], *(step.met[number] for step in game.taken)]
        # an agent that starts where it has to return to has not been there yet
        held = met or any(over_time if things else _rises(over_time))
        yield GoalPart(text, met, frozenset(things), frozenset(ends), held=held, holds=met)


def _changes(game: EmbodiedGame, clock: int, option: Option) -> Iterator[WorldChange]:
    """Yield the changes of a successful interaction."""
    interaction, objects = interactions()[option.verb], option.objects
    for change in interaction.sets:
        number, state, value = change.split()
        end = state if value == "yes" else f"not_{state}"
        yield WorldChange(clock, AGENT, objects[int(number)], frozenset({end}), put=False)
    named = (str(objects[each] if isinstance(each, int) else each) for each in interaction.skill)
    skill, *arguments = [*named] or [""]
    if skill in ("Pick", "Take"):
        yield WorldChange(clock, AGENT, arguments[0], frozenset({HELD}), put=False)
    elif skill:
        yield from changes_of(game.state, AGENT, clock, Action(skill, tuple(arguments)))
    yield WorldChange(clock, AGENT, objects[0], frozenset({option.text}), put=False)


# --- The rules ----------------------------------------------------------------------------------


def _explored_too_little(facts: RunFacts) -> bool:
    own: PlayFacts = facts.goal.own
    return own.missed > 0


def _misperceived(facts: RunFacts) -> bool:
    own: PlayFacts = facts.goal.own
    wrong = own.answered_wrong and own.missed == 0 and own.category == "attribute_qa"
    unseen = any(NOT_SEEN in step.feedback for step in own.steps)
    return unseen or (wrong and not own.counts)


def _miscounted(facts: RunFacts) -> bool:
    own: PlayFacts = facts.goal.own
    return own.answered_wrong and own.missed == 0 and own.counts


def _misjudged_space(facts: RunFacts) -> bool:
    own: PlayFacts = facts.goal.own
    wrong = own.answered_wrong and own.missed == 0 and own.category == "spatial_qa"
    return wrong and not own.counts


def _planned_badly(facts: RunFacts) -> bool:
    own: PlayFacts = facts.goal.own
    again = any(
        before.text == after.text and not before.ok and not after.ok
        for before, after in pairwise(own.steps)
    )
    taken = Counter(change.thing for change in facts.goal.changes if HELD in change.ends)
    circles, views = 0, [own.views[0]]
    for step in own.steps:
        if step.kind != "move" and step.ok:
            circles += count_returns(views)
            views = []
        views.append(step.view)
    circles += count_returns(views)
    return again or circles >= ROUNDS or any(number > 1 for number in taken.values())


LABELS: Final = (
    FailureLabel(
        "wrong answer",
        "An answer was given that is not the right one.",
        lambda facts: facts.goal.own.answered_wrong,
    ),
    FailureLabel(
        "insufficient exploration",
        "The agent never had the view (point and direction) from which the shortest run answers or,"
        " if the question asks how many, one of all its views. Without a question: it was never at"
        " a point at which the shortest run does something or ends.",
        _explored_too_little,
    ),
    FailureLabel(
        "hallucination in grounding",
        "The answer to a question on attributes is wrong although the exploration was sufficient;"
        " or the agent chose to handle something that is not in its picture.",
        _misperceived,
    ),
    FailureLabel(
        "miscounted",
        "The answer to a question that asks how many is wrong although the exploration was"
        " sufficient.",
        _miscounted,
    ),
    FailureLabel(
        "lack of spatial reasoning",
        "The answer to a spatial question is wrong although the exploration was sufficient.",
        _misjudged_space,
    ),
    FailureLabel(
        "wrong planning",
        f"The agent came back to a view {ROUNDS} times or more with nothing but movements since,"
        " repeated a step right after it had failed, or took the same object twice.",
        _planned_badly,
    ),
    FailureLabel(
        "unread reply",
        "A reply named no option.",
        lambda facts: facts.goal.own.unread > 0,
    ),
)
"""The labels of the suite: the paper's four categories, refined where the record allows it."""
ANALYSIS: Final = FailureAnalysis(find_facts, LABELS)
