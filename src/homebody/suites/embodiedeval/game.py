"""A task as a game by turns, step by step (appendix 6.2, algorithm 1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from homebody.core import Action, HomebodyError
from homebody.core.ground.sharing import never_changes
from homebody.core.play.conversation import Tool
from homebody.goals.embodiedeval import Judge, Step, read_predicate
from homebody.goals.embodiedeval.predicate import TEXT
from homebody.suites.embodiedeval.interactions import (
    AGENT,
    BODY,
    Situation,
    carry_out,
    interactions,
)
from homebody.suites.embodiedeval.tasks import ANSWER, EmbodiedTask, Option, house_of
from homebody.suites.embodiedeval.views import is_in_frame, visible_things, way_between
from homebody.worlds.house.model.house import Furniture, Pose, Vector
from homebody.worlds.house.model.people import box_size, seat_of
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.play.navigation_graph import GraphView, NavigationGraph, navigation_graph
from homebody.worlds.house.simulation.relations import gap, is_inside, is_on_top
from homebody.worlds.house.simulation.walking.navigation import is_in_reach

if TYPE_CHECKING:  # requires the extra ``house``
    from homebody.worlds.house.rendering.render import Camera

MOVEMENTS: Final = {
    "Forward": "move forward",
    "TurnLeft": "turn left",
    "TurnRight": "turn right",
    "LookUp": "look up",
    "LookDown": "look down",
}
"""Action -> its text as an option."""
_MOVING: Final = (
    Tool.of("Forward", "walk to the point that you face"),
    Tool.of("TurnLeft", "turn left, to where the next way or view is"),
    Tool.of("TurnRight", "turn right, to where the next way or view is"),
    Tool.of("LookUp", "look up by 30 degrees"),
    Tool.of("LookDown", "look down by 30 degrees"),
)
_CHOOSING: Final = {
    "Do": ("do something to what is in view and near", "interaction"),
    "Answer": ("answer, which ends the task", "answer"),
}
NO_OPTION: Final = ""
"""Kind of a step that is not an option."""
LEVELS: Final = {-1: "down", 0: "straight ahead", 1: "up"}


@never_changes
@dataclass(frozen=True, slots=True)
class TakenStep:
    """A step of a run.

    Attributes:
        text: The text of the option.
        kind: ``move``, ``answer``, the verb of an interaction, or :data:`NO_OPTION`.
        ok: True if it succeeded.
        feedback: The feedback.
        view: The agent's view after it.
        met: For each predicate, whether it is met after it.
    """

    text: str
    kind: str
    ok: bool
    feedback: str
    view: GraphView
    met: tuple[bool, ...]


class EmbodiedGame:
    """The state of a task.

    Attributes:
        task: The task.
        state: State of its house.
        view: The agent's point and direction of view.
        lowered: Metres by which its eyes are lower, as it sits or lies.
        judge: The judge of the predicates.
        taken: The steps so far.
        way: Cameras along the last movement.
        source: The picture set that the last picture came from; empty if the picture was rendered.
        answers_only: Returns whether only answers can be chosen now.

    Raises:
        HomebodyError: The task is impossible in its house.
    """

    def __init__(self, task: EmbodiedTask, quirks: Set[str] = frozenset()) -> None:
        self.task = task
        self.house = house_of(task.scene)
        self.graph = navigation_graph(self.house)
        point, heading = task.start
        if point >= len(self.graph.points):
            raise HomebodyError(
                f"the task {task.id} starts at a point that its house does not have"
            )
        if heading >= len(self.graph.points[point].headings):
            raise HomebodyError(
                f"the task {task.id} starts in a direction that its point does not have"
            )
        self.view = GraphView(point, heading, 0)
        self.lowered = 0.0
        self.state = start_state(task)
        self._place_body()
        self._options: dict[tuple[str, str], Option] = {
            ("Answer" if option.verb == ANSWER else "Do", option.text): option
            for option in task.options
        }
        for option in task.options:
            _check(option, self.state, task.id)
        self.taken: list[TakenStep] = []
        self.way: tuple[Camera, ...] = ()
        self.source = ""
        self.answers_only: Callable[[], bool] = bool
        predicates = [read_predicate(text) for text in task.predicates]
        for predicate in predicates:
            if predicate.name not in TEXT:
                for name in predicate.arguments[: 1 if predicate.name == "is" else None]:
                    if name != AGENT and not self._is_point(name):
                        _check_exists(name, self.state, task.id)
        self.judge = Judge(predicates, self._make_step(), quirks)

    # -- the game -------------------------------------------------------------------------------

    def do(self, action: Action) -> str:
        """Execute a step; see :class:`homebody.core.play.turn_session.Game`."""
        text, kind = self.text(action), NO_OPTION
        self.way = ()
        self.state.reactions.clear()
        try:
            if action.name in MOVEMENTS:
                kind, reply = "move", ""
                self._move(action.name)
            else:
                option = self._find_option(action)
                kind = option.verb  # also if it fails
                reply = self._interact(option)
        except HomebodyError as error:
            self._note(text, kind, False, f"failed: {error.advice}")
            raise
        self._note(text, kind, True, f"success: {reply}" if reply else "success")
        return self.taken[-1].feedback

    def describe(self) -> str:
        """Describe the agent's viewing direction, its held object, and its possible movements."""
        held = [thing_name(self.state, name) for name in self.state.held_by(AGENT).values()]
        look = f"You look {LEVELS[self.view.pitch]} and hold {held[0] if held else 'nothing'}."
        ways = "; ".join(self._measure_movements())
        return f"{look} {ways[:1].upper()}{ways[1:]}." if ways else look

    def options(self) -> Sequence[Action]:
        """Return the options: possible movements, then all others, always in the same order."""
        moves = [Action(name) for name in MOVEMENTS if self._view_after(name) is not None]
        others = [Action(name, (text,)) for name, text in self._options]
        if self.answers_only():
            return [action for action in others if action.name == "Answer"]
        return [*moves, *others]

    def tools(self) -> Sequence[Tool]:
        """Return all tools, with all options as values of their arguments."""
        choosing = []
        for name, (description, argument) in _CHOOSING.items():
            texts = [text for kind, text in self._options if kind == name]
            if texts:
                tool = Tool.of(name, description, argument)
                properties = {argument: {"type": "string", "enum": texts}}
                choosing.append(
                    replace(tool, parameters={**tool.parameters, "properties": properties})
                )
        return [*_MOVING, *choosing]

    def progress(self) -> float:
        """Return the share of predicates that are met."""
        return self.judge.progress

    # -- texts and sight -----------------------------------------------------------------------

    def text(self, action: Action) -> str:
        """Return an action as it is listed."""
        if action.name in MOVEMENTS:
            return MOVEMENTS[action.name]
        text = ", ".join(action.args)
        return f'answer "{text}"' if action.name == "Answer" else text

    def sees(self, name: str) -> bool:
        """Return whether something is in the picture with its centre."""
        return is_in_frame(self.state, self.view, name) and name in visible_things(
            self.state, self.view
        )

    # -- how ------------------------------------------------------------------------------------

    def _view_after(self, movement: str) -> GraphView | None:
        graph, view = self.graph, self.view
        match movement:
            case "Forward":
                return graph.forward(view)
            case "TurnLeft" | "TurnRight":
                turned = graph.turn(view, 1 if movement == "TurnLeft" else -1)
                return turned if turned != view else None
            case _:
                return graph.look(view, 1 if movement == "LookUp" else -1)

    def _measure_movements(self) -> Iterator[str]:
        """Yield the length of the way ahead, and the angles of turning."""
        (place, yaw, _), ahead = self.graph.eye(self.view), self._view_after("Forward")
        if ahead is not None:
            yield f"moving forward is {math.dist(place, self.graph.eye(ahead)[0]):.1f} m"
        for movement, way in (("TurnLeft", 1), ("TurnRight", -1)):
            turned = self._view_after(movement)
            if turned is not None:
                angle = way * (self.graph.heading(turned).yaw - yaw) % 360
                yield f"{MOVEMENTS[movement].replace('turn', 'turning')} {angle:.0f} degrees"

    def _move(self, movement: str) -> None:
        after = self._view_after(movement)
        if after is None:
            raise HomebodyError("there is no way on in this direction")
        self.way = way_between(self.house, self.view, after)
        if after.point != self.view.point:
            self.lowered = 0.0
        self.view = after
        self._place_body()

    def _place_body(self) -> None:
        move_to(self.state, self.graph, self.view)

    def _find_option(self, action: Action) -> Option:
        option = self._options.get((action.name, ", ".join(action.args)))
        if option is None:
            raise HomebodyError("this option is not listed", "choose one that is")
        return option

    def _interact(self, option: Option) -> str:
        if option.verb == ANSWER:
            return ""
        interaction = interactions()[option.verb]
        carry_out(interaction, option.objects, Situation(self.state, self.sees))
        piece = self.house.piece.get(option.objects[0])
        if interaction.rests and piece is not None:
            self.lowered = _find_lowering(piece, interaction.rests)
        return option.reply or interaction.done

    def _note(self, text: str, kind: str, ok: bool, feedback: str) -> None:
        answered = kind == ANSWER and ok
        chosen = "" if kind in ("move", NO_OPTION) else text
        if answered:
            chosen = chosen[len('answer "') : -1]
        self.judge.follow(self._make_step(chosen, answered, ok))
        self.taken.append(TakenStep(text, kind, ok, feedback, self.view, self.judge.met))

    def _make_step(self, chosen: str = "", answered: bool = False, ok: bool = False) -> Step:
        state = self.state
        return Step(
            chosen,
            answered,
            ok,
            next(iter(state.held_by(AGENT).values()), ""),
            partial(self._distance, False),
            partial(self._distance, True),
            lambda relation, thing, place: {"on": is_on_top, "inside": is_inside}[relation](
                state, thing, place
            ),
            state.is_in_state,
            self._is_walled_off,
        )

    def _distance(self, in_space: bool, name: str, other: str) -> float:
        """Return the metres between two names.

        On the floor plan, the distance is measured between boxes; in three dimensions, between
        centres. The agent and points have no extent."""
        if in_space or AGENT in (name, other):
            here, there = self._middle(name), self._middle(other)
            if not in_space and name == AGENT and not self._is_point(other):
                box = self.state.box(other)
                there = (
                    min(max(here[0], box.low[0]), box.high[0]),
                    min(max(here[1], box.low[1]), box.high[1]),
                    0.0,
                )
            size = 3 if in_space else 2
            return math.dist(here[:size], there[:size])
        if self._is_point(name) or self._is_point(other):
            return math.dist(self._middle(name)[:2], self._middle(other)[:2])
        return gap(self.state.box(name), self.state.box(other))

    def _is_walled_off(self, name: str) -> bool:
        if self._is_point(name):
            return False
        x, y, _ = self._middle(AGENT)
        return not is_in_reach(self.house, (x, y), self.state.box(name), math.inf)

    def _middle(self, name: str) -> Vector:
        if self._is_point(name):
            x, y = self.graph.points[int(name[1:])].position
            return x, y, 0.0
        if name == AGENT:
            return self.state.bodies[AGENT].pose.position
        return self.state.box(name).centre

    def _is_point(self, name: str) -> bool:
        return name[:1] == "p" and name[1:].isdecimal() and int(name[1:]) < len(self.graph.points)


def move_to(state: HouseState, graph: NavigationGraph, view: GraphView) -> None:
    """Put the agent and its held object at a view's point."""
    (x, y, _), yaw, _ = graph.eye(view)
    state.walk(AGENT, Pose((x, y, 0.0), yaw))


def start_state(task: EmbodiedTask) -> HouseState:
    """Return the first state of a task, in which all inner doors are open.

    Raises:
        HomebodyError: The task names something that does not exist.
    """
    house = house_of(task.scene)
    state = HouseState.start(house, {AGENT: Body(Pose((0.0, 0.0, 0.0)), BODY.size, BODY.hands)})
    for name in house.door:
        if "open" in state.states[name]:
            state.set(name, "open", True)
    for change in task.states:
        if change.name not in state.states:
            raise HomebodyError(
                f"the task {task.id} is about {change.name}, which its house does not have"
            )
        own: Mapping[str, bool] = {**state.states[change.name], change.state: not change.value}
        state.states[change.name] = own  # a task may add a lock
        state.set(change.name, change.state, change.value)
    return state


def _find_lowering(piece: Furniture, posture: str) -> float:
    """Return the metres by which the crown of an agent is lower on a piece than on the floor."""
    top = seat_of(piece)
    width, depth, height = (round(side * 1000) for side in BODY.size)
    crown = box_size(posture, height, width, depth, round(top * 1000))[2]
    return BODY.size[2] - crown - (top if posture == "lying" else 0.0)


def thing_name(state: HouseState, name: str) -> str:
    """Return the name of an object without its number."""
    return f"the {state.house.thing[name].category.replace('_', ' ')}"


def _check(option: Option, state: HouseState, task: str) -> None:
    """Raise HomebodyError if an option is no interaction, or its objects do not exist."""
    if option.verb == ANSWER:
        return
    interaction = interactions().get(option.verb)
    if interaction is None:
        raise HomebodyError(f"{task}: unknown interaction: {option.verb[:40]!r}")
    if len(option.objects) != interaction.objects:
        raise HomebodyError(f"{task}: {option.verb} is of {interaction.objects} objects")
    for name in option.objects:
        _check_exists(name, state, task)


def _check_exists(name: str, state: HouseState, task: str) -> None:
    """Raise HomebodyError if nothing in the house has this name."""
    house = state.house
    if not any(name in known for known in (house.thing, house.piece, house.person, house.door)):
        raise HomebodyError(f"{task}: its house has nothing named {name[:40]}")
