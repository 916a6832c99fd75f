"""The paper's agent: a model that is queried for decisions (section 4.1, algorithms 1 to 3).

The model names the kind of the task and its objects, the order of rooms, and, after each look
around, which visible furniture to go to. Everything else follows fixed rules: chosen containers are
opened if they are closed, the agent remembers seen objects, and it finds objects, takes them and
puts them at the places that the model named.

An unreadable output is recorded and counts as an action, as for all agents. The model is queried
again, :data:`TRIES` times in total. After that, these defaults apply: the task is a navigation;
unreadable jobs end the task; rooms are searched as listed; furniture is skipped; pictures show
nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from homebody.core import DONE, Action, Dialogue, HomebodyError, Message, Policy, Question, Session
from homebody.core.play.conversation import check_complete, transcript_text
from homebody.core.play.rounds import finish
from homebody.drivers import react
from homebody.drivers.prompt_texts import MAX_ANSWER, clip, not_understood
from homebody.goals.etplan import ROBOT, Condition, Target
from homebody.suites.etplan.agents.questions import (
    KINDS,
    Inquiry,
    describe_choices,
    format_question,
    read_jobs,
    read_names,
    read_some,
    select_choices,
)
from homebody.suites.etplan.agents.worker import Steps, Worker, candidates, distance
from homebody.worlds.house.simulation.graph_node import Node

TRIES: Final = 3
"""Number of unreadable outputs for one query after which the agent continues without an answer."""
MAX_LOOKS: Final = 12
"""Maximum number of pieces of furniture from one output that are visited."""
T = TypeVar("T")


class _Over(Exception):
    """Raised if the session has ended, or if the robot cannot act any more."""


def drive(session: Session, policies: Mapping[str, Policy]) -> Dialogue:
    """Have a model play the robot, unless a policy does."""
    yield from react(session, policies) if policies else PaperAgent(session).play()


class PaperAgent(Worker):
    """A run of the paper's agent.

    Args:
        session: The session, with its settings.

    Attributes:
        inquiry: The last query.
    """

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self.inquiry = Inquiry("kind", session.observe(ROBOT).instruction)
        settings = session.transcript().settings
        self._prompt = settings.get("prompt", "zero-shot")
        self._pictures = settings.get("observation") == "pictures"
        self._cycle = 0
        self._memory = {  # known without looking
            node.name
            for node in self._nodes.values()
            if self._context.knowledge == "full"
            or (self._context.knowledge == "layout" and node.kind == "furniture")
        }
        self._looked: set[str] = set()
        self._kind = ""
        self._at = ""  # the target of the last walk, unless an action was refused there

    def play(self) -> Dialogue:
        """Play to the end."""
        try:
            yield from self._play()
            if self.session.ready():
                self.session.act(ROBOT, DONE, self._cycle, ROBOT)
        except _Over:
            pass

    def _play(self) -> Steps[None]:
        kinds = yield from self._query("kind", partial(read_some, choices=KINDS))
        self._kind = kinds[0] if kinds else "navigation"
        read = partial(read_jobs, classes=self._context.facts.classes)
        jobs = (yield from self._query("jobs", read)) or ()
        yield from self._scan()
        yield from self.work(jobs)

    # -- exploration (algorithms 1 and 2) ---------------------------------------------------------

    def _find(self, wanted: Target) -> Steps[str | None]:
        """Go to the goal object; search for it first if it is not in memory."""
        rooms: list[str] | None = None
        room, looks, offered = "", list[str](), set[str]()
        while True:
            found = self._find_known(wanted)
            if found is not None:
                if (yield from self._act("Navigate", found)):
                    yield from self._scan()
                    return found
                self._useless.add(found)
            elif (lead := next(iter(self._leads(wanted)), None)) is not None:
                inside = {c.second for c in wanted.where if c.relation == "INSIDE"}
                yield from self._look_at(lead, self._nodes[lead].category in inside)
            elif looks:
                yield from self._look_at(looks.pop(0), True)
            elif room and (looks := (yield from self._choose(wanted, room, offered))):
                pass
            else:
                if rooms is None:
                    rooms = yield from self._rank(wanted)
                if not rooms:
                    return None
                room = rooms.pop(0)
                elsewhere = room != self._nodes[ROBOT].room
                if elsewhere and (yield from self._act("Navigate", room)):
                    yield from self._scan()

    def _look_at(self, name: str, into: bool) -> Steps[None]:
        """Go to something and look around there, and into it if it is closed."""
        self._looked |= {name, self._nodes[name].holder} - {""}
        if (yield from self._act("Navigate", name)):
            if into:
                yield from self._open(name)
            yield from self._scan()

    def _rank(self, wanted: Target) -> Steps[list[str]]:
        rooms = tuple(node.name for node in self._nodes.values() if node.kind == "room")
        read = partial(read_some, choices=rooms)
        first = (yield from self._query("rooms", read, wanted, rooms)) or []
        return list(dict.fromkeys([*first, *rooms]))

    def _choose(self, wanted: Target, room: str, offered: set[str]) -> Steps[list[str]]:
        """Return furniture and closed containers to go to, by classes that the model chooses."""
        near = [
            node
            for node in self._sort_by_distance(self._remembered_nodes())
            if node.room == room
            and node.name not in offered
            and (node.kind == "furniture" or self._is_shut_container(node))
            and (node.name not in self._looked or node.states.get("open") is False)
        ]
        offered.update(node.name for node in near)
        choices = tuple(sorted({node.category for node in near}))
        if not choices:
            return []
        read = partial(read_some, choices=choices, or_none=True)
        notes = tuple(self._note(condition, near) for condition in wanted.where)
        ask = self._query("furniture", read, wanted, choices, room, notes)
        kinds = (yield from ask) or []
        return [node.name for kind in kinds for node in near if node.category == kind][:MAX_LOOKS]

    def _note(self, condition: Condition, near: Sequence[Node]) -> str:
        """Return which furniture has the stated relation of the object to find to its place."""
        holds, nodes = self._context.facts.holds, self._remembered_nodes().values()
        places = [node.name for node in nodes if node.category == condition.second]
        related = {
            node.category
            for node in near
            if any(holds(condition.relation, node.name, place) for place in places)
        }
        return describe_choices(condition, sorted(related))

    def _find_known(self, wanted: Target) -> str | None:
        """Return the nearest match in memory, or the match that was used before for the same
        goal."""
        found = {
            node.name: node
            for node in candidates(self._remembered_nodes(), wanted, self._context.facts.holds)
        }
        again = [name for past, name in reversed(self._used) if past == wanted]
        names = [
            name
            for name in (*again, *(n.name for n in self._sort_by_distance(found)))
            if name in found
        ]
        return next((name for name in names if name not in self._useless), None)

    def _leads(self, wanted: Target) -> list[str]:
        """Return the places where algorithm 2 looks first. These are known objects of the class,
        then the stated places. Of several objects on the same holder, only one is used."""
        kinds = [condition.second for condition in wanted.where]
        if any(
            condition.relation == "CLOSE" for condition in wanted.where
        ):  # otherwise the place is known
            kinds.insert(0, wanted.category)
        near = [
            n
            for n in self._sort_by_distance(self._remembered_nodes())
            if n.kind in ("furniture", "object")
        ]
        return [
            node.name
            for kind in kinds
            for node in near
            if node.category == kind
            and node.name not in {*self._looked, *self._useless}
            and (kind != wanted.category or node.holder not in self._looked)
        ]

    def _sort_by_distance(self, nodes: Mapping[str, Node]) -> list[Node]:
        here = self._nodes[ROBOT]
        return sorted(nodes.values(), key=lambda node: (distance(here, node), node.name))

    # -- the session ------------------------------------------------------------------------------

    def _remembered_nodes(self) -> Mapping[str, Node]:
        """Return all seen objects. With pictures, return the objects that the model has seen in
        them."""
        if not self._pictures:
            return self._nodes
        return {
            name: node
            for name, node in self._nodes.items()
            if name in self._memory or node.kind in ("room", "agent")
        }

    def _scan(self) -> Steps[None]:
        """Look all around. With pictures, the model lists their contents."""
        if not self._pictures:
            return
        names = (yield from self._query("seen", read_names, pictures=True)) or ()
        kinds, nodes = select_choices(names, self._context.facts.classes), self._nodes
        self._memory |= {
            one
            for one in self.session.view.in_sight(ROBOT)
            if one in nodes and nodes[one].category in kinds
        }

    def _is_shut_container(self, node: Node) -> bool:
        shut = node.kind == "object" and node.states.get("open") is False
        return shut and self._context.facts.can_bear(node.name, "within")

    def _act(self, skill: str, *arguments: str) -> Steps[bool]:
        """Execute an action; return whether it succeeded. Raises _Over when no more can be done.

        A walk to where the robot stands is skipped, unless an action there was refused."""
        yield from ()  # it pauses for queries only
        session = self.session
        if skill == "Navigate" and arguments == (self._at,):
            return True
        if not session.ready():
            raise _Over
        event = session.act(ROBOT, Action(skill, arguments), self._cycle, ROBOT)
        if event is None:
            event = finish(session, ROBOT)
        if session.ending is not None:
            raise _Over
        done = event is not None and event.ok
        if skill == "Navigate" or not done:
            self._at = arguments[0] if done else ""
        return done

    def _query(
        self,
        about: str,
        read: Callable[[str], T],
        wanted: Target | None = None,
        choices: tuple[str, ...] = (),
        room: str = "",
        notes: tuple[str, ...] = (),
        pictures: bool = False,
    ) -> Steps[T | None]:
        """Query the model; return None after unreadable outputs. Raises _Over at the end."""
        session, observed = self.session, self.session.observe(ROBOT)
        room = room or self._nodes[ROBOT].room
        self.inquiry = Inquiry(
            about, observed.instruction, self._kind, wanted, room, choices, notes
        )
        images = tuple(observed.images) if pictures else ()
        messages = [Message("user", format_question(self.inquiry, self._prompt), images=images)]
        for _ in range(TRIES):
            if not session.ready():
                raise _Over
            (reply,) = yield (Question(ROBOT, tuple(messages)),)
            self._cycle += 1
            try:
                check_complete(reply)
                return read(reply.text)
            except HomebodyError as error:
                said = clip(reply.text, MAX_ANSWER)
                if session.ready():
                    session.note(
                        ROBOT, transcript_text(said, reply.stop_reason), self._cycle, ROBOT
                    )
                again = f"{not_understood(error)}. Answer once more."
                messages += [Message("assistant", said), Message("user", again)]
        return None
