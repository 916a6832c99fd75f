"""The seeker: an expert that has to find the objects, decides for one agent, and talks if it can.

The expert knows where everything is and decides for both agents, so that talking could not help it.
Seekers know what is wanted, but each has its own knowledge: it explores rooms until it has seen an
object, or has been in the room of the closed furniture around it. It knows of its partner only what
it sees and hears. With the setting ``talk``, a seeker says which room it looks into, which object
it takes, and where wanted objects are that it found and does not take. It listens for the same
sentences. Without the setting it is silent, and otherwise the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from homebody.core import DONE, WAIT, Action, Policy
from homebody.core.play.session import is_done
from homebody.suites.partnr.expert.expert import Expert
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.session import PartnrSession

MAX_WORDS: Final = 200
"""Most characters of a message."""
MAX_SEARCHES: Final = 3
"""Number of times that a seeker looks into all rooms."""
CLAIM_LASTS: Final = 1_500
"""Steps after which a seeker forgets what its partner took on."""
TAKE: Final = "I take "
LOOK: Final = "I look in "
_TAKING: Final = ("Pick", "Rearrange")


class Seeker:
    """A seeker for one agent of a session."""

    def __init__(self, session: PartnrSession, role: str) -> None:
        self._session = session
        self._role = role
        self._partner = next((other for other in session.roles if other != role), "")
        self._view = HouseView(session.simulation)
        self._expert = Expert(session, knows=self._has_found, doing=self._known_action)
        self._visited: set[str] = set()
        self._searched: set[str] = set()  # by either, in the current search
        self._searches = 1
        self._read = 0
        self._theirs: tuple[str, int] = "", 0  # the partner's object, and since when
        self._announced = ""
        self._told: set[tuple[str, str]] = set()
        self._shared: set[str] = set()  # objects whose places the partner knows from a message
        self._planned: Action | None = None

    def act(self) -> Action:
        """Return the next action."""
        session, role = self._session, self._role
        self._enter(self._view.room(role))
        heard = self._listen()
        action, self._planned = self._planned, None
        if action is None or heard:
            action = self._expert.act(role)
            if action in (WAIT, DONE) and session.judge.percent_complete < 1.0:
                action = self._search() or action
            words = list(self._news(action)) if self._is_heard() else []
            if words:
                self._planned = action
                return Action("Say", (self._partner, *words))
        if action.name == "Explore":
            self._enter(action.args[0])
        return action

    # -- what it knows ----------------------------------------------------------------------------

    def _enter(self, room: str) -> None:
        self._visited.add(room)
        self._searched.add(room)

    def _has_found(self, role: str, name: str) -> bool:
        """Return whether the agent knows an object's place, or has been in the room of the closed
        furniture around it."""
        graph, state = self._session.simulation.graphs[role], self._view.state
        if not graph.partial or name not in state.places:
            return True
        node = graph.nodes.get(name)
        if node is not None and node.holder == state.places[name][0]:
            return True
        return bool(self._view.closed_around(name)) and self._view.room(name) in self._visited

    def _known_action(self, other: str) -> Action | None:
        """Return what the partner is seen doing, or the taking of the object that it took on."""
        seen = self._session.observe(self._role).doing.get(other)
        if seen is not None and seen.name not in ("Say", "Wait"):
            return seen
        name, since = self._theirs
        if name and self._session.clock - since <= CLAIM_LASTS:
            return Action("Pick", (name,))
        return None

    def _listen(self) -> bool:
        """Take in what the partner was seen doing or heard saying; return whether it said
        anything that matters now."""
        history = self._session.observe(self._role).history
        new, self._read = history[self._read :], len(history)
        before = self._theirs[0]
        rooms = len(self._searched)
        for event in new:
            if event.role != self._partner or not event.ok:
                continue
            if is_done(event.action):
                self._theirs = "", event.end
            elif event.action.name == "Say":
                for words in event.action.args[1:]:
                    self._hear(words, event.end)
            elif event.action.name in _TAKING:
                name = event.action.args[0] if event.action.name == "Pick" else ""
                self._theirs = name, event.end
            elif event.action.name == "Place":
                self._theirs = "", event.end
        return self._theirs[0] != before or len(self._searched) != rooms

    def _hear(self, words: str, clock: int) -> None:
        if words.startswith(TAKE):
            name = words.removeprefix(TAKE)
            mine = name == self._expert.claimed_by(self._role)
            if not (mine and self._role == self._session.roles[0]):  # the first keeps it
                self._theirs = name, clock
        elif words.startswith(LOOK):
            self._theirs = "", clock
            self._searched.add(words.removeprefix(LOOK))
        else:
            self._shared.add(words.partition(" ")[0])

    # -- what it does -----------------------------------------------------------------------------

    def _search(self) -> Action | None:
        """Return the exploration of the nearest room that nobody has looked into, as far as it
        knows; None if nothing is missing."""
        missing = [name for name in self._expert.objects() if not self._has_found(self._role, name)]
        if not missing:
            return None
        rooms = [room.name for room in self._view.state.house.rooms]
        if self._searched.issuperset(rooms) and self._searches < MAX_SEARCHES:
            self._searches += 1
            self._searched = {self._view.room(self._role)}
        left = [room for room in rooms if room not in self._searched]
        if not left:
            return None
        far = self._view.distance
        return Action("Explore", (min(left, key=lambda room: (far(self._role, room), room)),))

    # -- what it says -----------------------------------------------------------------------------

    def _is_heard(self) -> bool:
        talk, partner = self._session.task.settings.talk, self._partner
        if talk == "none" or not partner or partner in self._session.done:
            return False
        return talk == "radio" or self._view.room(partner) == self._view.room(self._role)

    def _news(self, action: Action) -> Iterator[str]:
        """Yield what the partner should know: wanted objects, then what the agent does next."""
        mine = action.args[0] if action.name == "Explore" else self._expert.claimed_by(self._role)
        length = 0
        graph = self._session.simulation.graphs[self._role]
        for name in self._expert.objects(due=False):
            node = graph.nodes.get(name)
            if node is None or node.kind != "object" or not node.room or name == mine:
                continue
            if node.relation == "held" or (name, node.holder) in self._told:
                continue
            words = f"{name} is {node.relation} {node.holder} in {node.room}"
            length += len(words) + 2
            if length > MAX_WORDS - 50:
                break
            self._told.add((name, node.holder))
            self._shared.add(name)
            yield words
        searches = action.name == "Explore"
        if mine and mine != self._announced and (length or searches or mine in self._shared):
            self._announced = mine
            yield f"{LOOK if searches else TAKE}{mine}"


def seeker_policy(session: PartnrSession) -> Policy:
    """Return the policy of seekers, one for each role."""
    seekers = {role: Seeker(session, role) for role in session.roles}
    return lambda _, role: seekers[role].act()
