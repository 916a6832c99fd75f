"""Words for single steps: verb phrases, sentences about the objects, and results."""

from __future__ import annotations

from collections.abc import Sequence

from homebody.authoring.language.names import NUMBERS, THING, lexicon
from homebody.authoring.partnr.grammar.meaning import Put, Spot, Step, Switch, Things
from homebody.authoring.partnr.grammar.naming import Namer, are_several, same_things
from homebody.authoring.partnr.grammar.phrases import Forms, Verb, phrases
from homebody.worlds.house.model.catalogue import catalogue

FETCHED = 0.22
"""Probability that the instruction mentions picking objects up before they are put somewhere."""


def say(namer: Namer, step: Step, form: str) -> str:
    """Return a step as a verb phrase: ``base`` ("put the cup on the table") or ``ing``."""
    return _put(namer, step, form) if isinstance(step, Put) else _switch(namer, step, form)


def say_passive(namer: Namer, step: Step) -> str | None:
    """Return a step as a sentence about its objects ("the cup should be put on the table"), without
    capital and full stop. None if this is impossible here."""
    if isinstance(step, Switch):
        ways = [way[2] for way in _ways(namer, step) if way[2]]
        text, several = _subject(namer, step)
        need = "need" if several else "needs"
        namer.note(step)
        done = namer.choice(ways)
        way = namer.choice((f"{need} to be {done}", f"should be {done}", f"must be {done}"))
        return f"{text} {way}"
    if step.spot.kind == "back" or step.beside is not None or step.swap or step.people:
        return None
    verb = _verb(namer, step, passive=True)
    text, several = _subject(namer, step)
    at = namer.place(step, verb)
    tail = _together(namer, step)
    namer.note(step)
    need = "need" if several else "needs"
    free = " any " in f" {at}"  # "should be put on any table" asks for more than is meant
    if "{at}" in verb.rest and namer.chance(0.5):
        go = namer.choice(("should go", "can go", "need to go" if several else "needs to go"))
        return f"{text} {'can go' if free else go} {at}{tail}"
    ending = verb.rest.replace("{o} ", "").format(at=at, to=at, into=at)
    be = namer.choice((f"{need} to be", "should be", "have to be" if several else "has to be"))
    be = "can be" if free else be
    return f"{text} {be} {verb.done} {ending}{tail}"


def _subject(namer: Namer, step: Step) -> tuple[str, bool]:
    text, several = namer.refer_to(step.things)
    return ("they" if text == "them" else text), several


def say_result(step: Step) -> str:
    """Return the result of the step that was just named: "they are there"."""
    subject = "they are" if are_several(step.things) else "it is"
    if isinstance(step, Put):
        return f"{subject} {'back' if step.spot.kind == 'back' else 'there'}"
    words_of = {"clean": "clean", "filled": "full", "found": "found", "powered_on": "on"}
    return f"{subject} {words_of[step.state] if step.value else 'off'}"


def say_swap(namer: Namer, step: Put, other: Put, form: str) -> str:
    """Return two steps that exchange objects: "swap the vase and the plant"."""
    first, _ = namer.thing(step.things[0])
    second, _ = namer.thing(other.things[0])
    namer.note(step)
    namer.note(other)
    ways = (
        ("swap {a} and {b}", "swapping {a} and {b}"),
        ("swap {a} with {b}", "swapping {a} with {b}"),
        ("switch the places of {a} and {b}", "switching the places of {a} and {b}"),
    )
    return namer.choice(ways)[form == "ing"].format(a=first, b=second)


def say_gapped(namer: Namer, first: Step, second: Step) -> str | None:
    """Return two placements with one verb: "put the cup on the table and the plate in the sink"."""
    if not (isinstance(first, Put) and isinstance(second, Put)):
        return None
    steps = (first, second)
    if any(step.spot.kind in ("back", "room") or step.beside or step.people for step in steps):
        return None
    if len(first.things) + len(second.things) > 3 or first.spot.names == second.spot.names:
        return None
    if namer.is_in_focus(first.things) or same_things(first.things, second.things):
        return None
    if any(namer.has_named(step.spot) for step in steps):  # "there too and the plate"
        return None
    text, _ = namer.refer_to(first.things, moving=True)
    earlier = f"{text} {namer.place(first, phrases().puts[0])}{_together(namer, first)}"
    namer.note(first)
    text, _ = namer.refer_to(second.things, moving=True)
    later = f"{text} {namer.place(second, phrases().puts[0])}{_together(namer, second)}"
    namer.note(second)
    # "in the bag and the scarf and the hat on the table" stumbles
    comma = "," if first.together == "near" or len(second.things) > 1 else ""
    return f"{namer.choice(('put', 'place'))} {earlier}{comma} and {later}"


def _lay(namer: Namer, step: Put, form: str) -> str:
    """Return "set the table for two with plates and forks"."""
    table, things = namer.lay(step)
    verb = namer.choice(("set", "set", "lay"))
    ing = "setting" if verb == "set" else "laying"
    return f"{ing if form == 'ing' else verb} {table} for {NUMBERS[step.people]} with {things}"


def _put(namer: Namer, step: Put, form: str) -> str:
    if step.people:
        return _lay(namer, step, form)
    cleared = step.things[0].where
    if step.things[0].word == THING and cleared is not None and namer.chance(0.6):
        place = namer.place_name(cleared)
        namer.counts["co_reference"] += 1
        namer.thing(step.things[0])
        namer.counts["class_reference"] -= 2
        at = namer.place(step, phrases().puts[0])
        namer.note(step)
        clear, putting = ("clearing", "putting") if form == "ing" else ("clear", "put")
        everything = namer.choice(("everything", "everything", "all the things"))
        return f"{clear} {place} and {putting} {everything} {at}"
    verb = _verb(namer, step)
    plain = verb.base not in ("move", "get", "take")  # not "grab it and move it"
    fresh = not namer.is_in_focus(step.things)
    if fresh and step.spot.kind != "back" and plain and namer.chance(FETCHED):
        ways = phrases().gathers if are_several(step.things) else phrases().fetches
        known = not all(map(namer.is_new, step.things))
        if known or any(things.where is not None for things in step.things):  # not "find ... from"
            ways = tuple(way for way in ways if way[0] not in ("find", "look for"))
        fetch = namer.choice(ways)
        text, several = namer.refer_to(step.things, moving=True)
        namer.counts["co_reference"] += 1
        pronoun = "them" if several else "it"
        head = f"{fetch[form == 'ing']} {text} and "
    else:
        text, several = namer.refer_to(step.things, moving=True)
        pronoun, head = text, ""
    word = verb.ing if form == "ing" else verb.base
    if step.spot.kind == "back":
        it = "they" if several else "it"
        ending = verb.rest.format(
            o=pronoun,
            it=it,
            them="them" if several else "it",
            it_was=f"{it} {'were' if several else 'was'}",
            its="their" if several else "its",
            place="places" if several and len(step.spot.names) > 1 else "place",
        )
        namer.counts["co_reference"] += 1
    else:
        at = namer.place(step, verb)
        ending = verb.rest.format(o=pronoun, at=at, to=at, into=at) + _together(namer, step)
    namer.note(step)
    return f"{head}{word} {ending}"


def _switch(namer: Namer, step: Switch, form: str) -> str:
    ways = _ways(namer, step)
    text, _ = namer.refer_to(step.things, sure=step.state != "clean")  # a table is not filled
    if text in ("it", "them", "those"):  # "turn it on", not "turn on it"
        ways = tuple(way for way in ways if " on {o}" not in way[0] and "off {o}" not in way[0])
    elif " in " in text or " on " in text or " that " in text:  # no verb around a long phrase
        ways = tuple(way for way in ways if way[0].endswith("{o}"))
    way = namer.choice(ways)
    namer.note(step)
    return way[form == "ing"].format(o=text)


def _ways(namer: Namer, step: Switch) -> tuple[Forms, ...]:
    """Return the verb phrases for a change of state."""
    switches, words = phrases().switches, phrases().words
    fire = all(things.word in words["fire"] for things in step.things)
    if fire and step.state == "powered_on" and step.value:
        return switches["lights"]
    ways = switches[step.state if step.value else "powered_off"]
    if step.state == "clean":
        if all(things.furniture for things in step.things):
            soft = any(things.word in words["soft"] for things in step.things)
            wet = all(things.word in words["wet"] for things in step.things)
            ways += () if soft else switches["wipes"]
            ways += switches["scrubs"] if wet else ()
        elif all(_in_class(things, words["washable"]) for things in step.things):
            ways = switches["washes"]
            if all(_in_class(things, words["rinsable"]) for things in step.things):
                ways += switches["rinses"]
    return ways


def _in_class(things: Things, classes: Sequence[str]) -> bool:
    names = lexicon()
    return any(names.categories(things.word) <= names.categories(word) for word in classes)


def _verb(namer: Namer, step: Put, passive: bool = False) -> Verb:
    if step.spot.kind == "back":
        return namer.choice(phrases().back)
    kind = step.spot.kind if step.spot.kind != "furniture" else step.spot.relation
    kinds = {kind, "kept"} if kind == "within" and _keeps(step.spot) else {kind}
    near = step.together in ("near", "same", "different") or step.beside is not None
    both = step.spot.kind == "furniture" and any(
        name.rpartition("_")[0] in phrases().words["both"] for name in step.spot.names
    )  # "to the dresser" could be on it or in it
    # "leave the cup from the table in the hallway" has the table in the hallway
    sourced = kind == "room" and any(things.where is not None for things in step.things)
    # not "take something to drink from to the table"
    nouns = [lexicon().noun(things.word).singular for things in step.things]
    stranded = any(noun.endswith((" from", " with")) for noun in nouns)
    fits = [
        verb
        for verb in phrases().puts
        if not kinds.isdisjoint(verb.places.split())
        and (verb.done or not passive)
        and not ((both or stranded) and "{to}" in verb.rest)
        and (verb.base != "pack" or step.spot.word in phrases().words["packed"])
        and not (sourced and "{at}" in verb.rest)
        and not (near and verb.base in ("bring", "carry", "take", "deliver", "transfer"))
    ]
    return namer.choice(fits)


def _keeps(spot: Spot) -> bool:
    """Return whether a place is for keeping objects: sinks and washing machines are not."""
    furniture = catalogue().furniture
    kinds = {name.rpartition("_")[0] for name in spot.names}
    return all("keeping" in furniture[kind].function for kind in kinds)


def _together(namer: Namer, step: Put) -> str:
    """Return the words about nearness that follow a place (", next to each other")."""
    if step.beside is not None:
        text, _ = namer.thing(step.beside)
        before = namer.choice((", next to", ", next to", ", right next to", ", beside"))
        return f"{before} {text}"
    if step.together != "near":
        return ""
    count = sum(len(things.names) for things in step.things)
    near = phrases().near_two if count == 2 else phrases().near_more
    return f", {namer.choice(near)}"
