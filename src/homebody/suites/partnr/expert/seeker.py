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

from homebody.core import Action, Policy
from homebody.core.play.session import is_done
from homebody.suites.partnr.expert.expert import Expert
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.session import PartnrSession

MAX_WORDS: Final = 170
"""Most characters of a message about places."""
MAX_SEARCHES: Final = 3
"""Number of times that a seeker looks into all rooms."""
LASTS: Final = 1_500
"""Steps after which a seeker forgets what its partner took on."""
TAKE: Final = "I take "
LOOK: Final = "I look in "


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
        self._searched: set[str] = set()  # rooms that it searched, in the current search
        self._shares: dict[str, set[str]] = {role: set(), self._partner: set()}  # rooms to search
        self._searches = 1
        self._read = 0
        self._theirs = "", 0  # the object that the partner takes, and since when
        self._said = ""  # the last object that it said it would take
        self._shared: dict[str, str] = {}  # object -> the place that one told the other
        self._unsaid = self._shared, self._shares, self._said  # before its last message
        self._planned: Action | None = None

    def act(self) -> Action:
        """Return the next action."""
        session, role = self._session, self._role
        self._enter(self._view.room(role))
        outdated = self._listen()
        action, self._planned = self._planned, None
        if action is None or outdated:
            action = self._expert.act(role)
            if self._is_free() and session.judge.percent_complete < 1.0:
                action = self._search() or action
            shared, rooms = dict(self._shared), {r: set(s) for r, s in self._shares.items()}
            words = list(self._news(action)) if self._is_heard() else []
            if words:
                self._unsaid = shared, rooms, self._said
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
        name, since = self._theirs
        return Action("Pick", (name,)) if name and self._session.clock - since <= LASTS else None

    # -- what it hears ----------------------------------------------------------------------------

    def _listen(self) -> bool:
        """Take in what the partner was seen doing or heard saying. Return whether the planned
        action is out of date."""
        history = self._session.observe(self._role).history
        new, self._read = history[self._read :], len(history)
        outdated = []
        for event in new:
            if event.role == self._role and event.action.name == "Say" and not event.ok:
                self._shared, self._shares, self._said = self._unsaid  # the partner had left
            if event.role != self._partner or not event.ok:
                continue
            if event.action.name == "Say":
                outdated += [self._hear(words, event.end) for words in event.action.args[1:]]
            elif event.action.name == "Pick":
                self._theirs = event.action.args[0], event.end
            elif event.action.name in ("Place", "Rearrange") or is_done(event.action):
                self._theirs = "", event.end
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
        # who said it first keeps it; of two who say it at the same time, the first role
        keeps = clock == self._session.clock and self._role == self._session.roles[0]
        name, room = words.removeprefix(TAKE), words.removeprefix(LOOK)
        if room != words:
            mine = self._shares[self._role]
            if not (keeps and room in mine and self._planned is not None):
                mine.discard(room)
                self._shares[self._partner].add(room)
            return self._is_searching()
        if name == self._said and self._planned is not None and keeps:
            return False
        self._theirs = name, clock
        return name == self._said

    def _is_searching(self) -> bool:
        return self._planned is not None and self._planned.name in ("Explore", "Wait")

    def _claimed(self) -> str:
        job = self._expert.job(self._role)
        return "" if job is None else job.name

    def _is_free(self) -> bool:
        """Return whether the expert found nothing to do now: it waits, or gets ready for later."""
        role = self._role
        return not self._claimed() and not self._view.held_object(role)

    # -- what it does -----------------------------------------------------------------------------

    def _search(self) -> Action | None:
        """Return the exploration of the nearest room that nobody has searched, as far as it knows;
        None if nothing is missing."""
        if all(self._has_found(self._role, name) for name in self._expert.objects()):
            return None
        rooms = {room.name for room in self._view.state.house.rooms}
        if self._searched >= rooms and self._searches < MAX_SEARCHES:
            self._searches += 1
            self._searched = {self._view.room(self._role)}
            self._shares = {role: set() for role in self._shares}
        left = self._by_distance(rooms - self._searched - self._shares[self._partner])
        # the partner begins with what is nearest to it
        left = left or self._by_distance(rooms - self._searched)[::-1]
        return Action("Explore", (left[0],)) if left else None

    def _by_distance(self, rooms: set[str]) -> list[str]:
        far = self._view.distance
        return sorted(rooms, key=lambda room: (far(self._role, room), room))

    # -- what it says -----------------------------------------------------------------------------

    def _is_heard(self) -> bool:
        talk, partner = self._session.task.settings.talk, self._partner
        if talk == "none" or not partner or partner in self._session.done:
            return False
        return talk == "radio" or self._view.room(partner) == self._view.room(self._role)

    def _news(self, action: Action) -> Iterator[str]:
        """Yield what the partner should know: wanted objects, then what the agent does next."""
        mine = "" if action.name == "Explore" else self._claimed()
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
        if mine and mine != self._said and (length or mine in self._shared):
            self._said = mine
            yield f"{TAKE}{mine}"
        if action.name == "Explore":
            yield from map(LOOK.__add__, self._share_rooms(action.args[0]))

    def _share_rooms(self, room: str) -> list[str]:
        """Return the rooms that the agent takes on before it searches one: the nearer half of all
        rooms at first, later what it takes over from its partner."""
        mine, theirs = self._shares[self._role], self._shares[self._partner]
        if not mine and not theirs:
            rooms = {room.name for room in self._view.state.house.rooms} - self._searched
            taken = self._by_distance(rooms)[: (len(rooms) + 1) // 2]
        else:
            taken = [room] if room in theirs else []
        mine.update(taken)
        theirs.difference_update(taken)
        return taken

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
