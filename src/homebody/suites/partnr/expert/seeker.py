"""The seeker: an expert that has to find the objects, decides for one agent, and talks if it can.

The expert knows where everything is and decides for both agents, so that talking could not help it.
Seekers know what is wanted, but each has its own knowledge: it explores rooms until it has seen an
object, or has been in the room of the closed furniture around it. It knows of its partner only what
it sees and hears. With the setting ``talk``, a seeker says which room it looks into, which object
it takes, and where wanted objects are that it found and does not take. It listens for the same
sentences. Without the setting it is silent, and otherwise the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from homebody.core import DONE, WAIT, Action, Policy
from homebody.core.play.session import is_done
from homebody.suites.partnr.expert.expert import Expert
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.session import PartnrSession

MAX_WORDS: Final = 170
"""Most characters of a message about places."""
MAX_SEARCHES: Final = 3
"""Number of times that a seeker looks into all rooms."""
CLAIM_LASTS: Final = 1_500
"""Steps after which a seeker forgets what its partner took on."""
CHANGED_ITS_MIND: Final = 60
"""Steps within which an agent that says something else has not searched the room that it named."""
TAKE: Final = "I take "
LOOK: Final = "I look in "


@dataclass(frozen=True, slots=True)
class _Claim:
    """An object that the partner takes, or a room that it searches, and the clock since when."""

    name: str = ""
    room: str = ""
    since: int = 0


class Seeker:
    """A seeker for one agent of a session."""

    def __init__(self, session: PartnrSession, role: str) -> None:
        self._session = session
        self._role = role
        self._partner = next((other for other in session.roles if other != role), "")
        self._view = HouseView(session.simulation)
        self._expert = Expert(session, knows=self._has_found, doing=self._known_action)
        self._visited: set[str] = set()
        self._hinted: set[str] = set()  # objects that may be in closed furniture, as it heard
        self._searched: set[str] = set()  # rooms that either searched, in the current search
        self._searches = 1
        self._read = 0
        self._theirs = _Claim()
        self._said = ""  # the last object or room that it said it would take or search
        self._shared: dict[str, str] = {}  # object -> the place that one told the other
        self._planned: Action | None = None

    def act(self) -> Action:
        """Return the next action."""
        session, role = self._session, self._role
        self._enter(self._view.room(role))
        outdated = self._listen()
        action, self._planned = self._planned, None
        if action is None or outdated:
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
        """Return whether the agent knows an object's place or the closed furniture around it."""
        graph, state = self._session.simulation.graphs[role], self._view.state
        if not graph.partial or name not in state.places:
            return True
        node = graph.nodes.get(name)
        if node is not None and node.holder == state.places[name][0]:
            return True
        inside = self._view.closed_around(name)
        return bool(inside) and (name in self._hinted or self._view.room(name) in self._visited)

    def _known_action(self, other: str) -> Action | None:
        """Return what the partner is seen doing, or the taking of the object that it took on."""
        seen = self._session.observe(self._role).doing.get(other)
        if seen is not None and seen.name not in ("Say", "Wait"):
            return seen
        claim = self._theirs
        if claim.name and self._session.clock - claim.since <= CLAIM_LASTS:
            return Action("Pick", (claim.name,))
        return None

    # -- what it hears ----------------------------------------------------------------------------

    def _listen(self) -> bool:
        """Take in what the partner was seen doing or heard saying. Return whether the planned
        action is out of date."""
        history = self._session.observe(self._role).history
        new, self._read = history[self._read :], len(history)
        outdated = []
        for event in new:
            if event.role != self._partner or not event.ok:
                continue
            if event.action.name == "Say":
                outdated += [self._hear(words, event.end) for words in event.action.args[1:]]
            elif event.action.name == "Pick":
                self._theirs = _Claim(event.action.args[0], "", event.end)
            elif event.action.name in ("Place", "Rearrange") or is_done(event.action):
                self._theirs = _Claim(since=event.end)
        return any(outdated)

    def _hear(self, words: str, clock: int) -> bool:
        """Take in a sentence. Return whether the planned action is out of date."""
        name, _, place = words.partition(" is ")
        if place:
            self._shared[name] = place
            return self._is_searching()
        name, _, place = words.partition(" may be in ")
        if place:
            self._hinted.add(name)
            self._shared[name] = place
            return self._is_searching()
        before = self._theirs
        if before.room and clock - before.since > CHANGED_ITS_MIND:
            self._searched.add(before.room)
        taken, room = words.removeprefix(TAKE), words.removeprefix(LOOK)
        claim = _Claim(taken, "", clock) if taken != words else _Claim("", room, clock)
        if self._said == (claim.name or claim.room) and self._planned is not None:
            if clock == self._session.clock and self._role == self._session.roles[0]:
                return False  # who said it first keeps it; of two at the same time, the first
            self._theirs = claim
            return True
        self._theirs = claim
        return False

    def _is_searching(self) -> bool:
        return self._planned is not None and self._planned.name in ("Explore", "Wait")

    # -- what it does -----------------------------------------------------------------------------

    def _search(self) -> Action | None:
        """Return the exploration of the nearest room that nobody has searched, as far as it knows;
        None if nothing is missing."""
        if all(self._has_found(self._role, name) for name in self._expert.objects()):
            return None
        rooms = {room.name for room in self._view.state.house.rooms} - {self._theirs.room}
        if self._searched >= rooms and self._searches < MAX_SEARCHES:
            self._searches += 1
            self._searched = {self._view.room(self._role)}
        left = rooms - self._searched
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
        searches = action.name == "Explore"
        mine = action.args[0] if searches else self._expert.claimed_by(self._role)
        length = 0
        for name in self._expert.objects(due=False):
            words = "" if name == mine else self._where(name)
            place = words.partition(" is ")[2] or words.partition(" may be in ")[2]
            if not words or self._shared.get(name) == place:
                continue
            length += len(words) + 2
            if length > MAX_WORDS:
                break
            self._shared[name] = place
            yield words
        if mine and mine != self._said and (length or searches or mine in self._shared):
            self._said = mine
            yield f"{LOOK if searches else TAKE}{mine}"

    def _where(self, name: str) -> str:
        """Return where an object is, or an empty string."""
        node = self._session.simulation.graphs[self._role].nodes.get(name)
        if node is not None and node.kind != "object":
            return ""
        if node is not None and node.room and node.holder and node.relation != "held":
            return f"{name} is {node.relation} {node.holder} in {node.room}"
        inside = self._view.closed_around(name)
        if inside and self._view.room(inside) in self._visited:
            return f"{name} may be in {inside} in {self._view.room(inside)}"
        return ""


def seeker_policy(session: PartnrSession) -> Policy:
    """Return the policy of seekers, one for each role."""
    seekers = {role: Seeker(session, role) for role in session.roles}
    return lambda _, role: seekers[role].act()
