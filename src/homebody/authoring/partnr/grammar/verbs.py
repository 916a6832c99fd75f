"""Verbs and set phrases of the built-in author: how things are put, fetched, cleaned, switched."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """A way to say that something is put: forms of the verb, what follows it, and to which kinds of
    places it goes. ``{at}`` is "on the table", ``{to}`` "to the table", ``{into}`` "onto" it."""

    base: str
    ing: str
    done: str
    rest: str
    places: str


PUTS = (
    Verb("put", "putting", "put", "{o} {at}", "on within room floor"),
    Verb("put", "putting", "put", "{o} {at}", "on within floor"),
    Verb("place", "placing", "placed", "{o} {at}", "on within floor"),
    Verb("set", "setting", "set", "{o} {at}", "on floor"),
    Verb("leave", "leaving", "left", "{o} {at}", "on within room floor"),
    Verb("move", "moving", "moved", "{o} {to}", "on room"),
    Verb("move", "moving", "moved", "{o} {into}", "on within floor"),
    Verb("bring", "bringing", "brought", "{o} {to}", "on room"),
    Verb("bring", "bringing", "brought", "{o} over {to}", "on room"),
    Verb("take", "taking", "taken", "{o} {to}", "on room"),
    Verb("carry", "carrying", "carried", "{o} {to}", "on room"),
    Verb("get", "getting", "", "{o} {into}", "on within"),
    Verb("get", "getting", "", "{o} {to}", "room"),
    Verb("store", "storing", "stored", "{o} {at}", "within"),
    Verb("put", "putting", "put", "{o} {at}", "container"),
    Verb("put", "putting", "put", "{o} away {at}", "within"),
    Verb("pack", "packing", "packed", "{o} {into}", "container"),
    Verb("put", "putting", "put", "{o} {into}", "container within"),
    Verb("place", "placing", "placed", "{o} {into}", "container"),
)
BACK = (
    Verb("put", "putting", "put", "{o} back where {it_was}", "back"),
    Verb("put", "putting", "put", "{o} back where you found {them}", "back"),
    Verb("bring", "bringing", "brought", "{o} back to where {it_was} before", "back"),
    Verb("take", "taking", "taken", "{o} back to where {it_was}", "back"),
    Verb("return", "returning", "returned", "{o} to where {it} came from", "back"),
)
FETCHES = (
    ("get", "getting"),
    ("grab", "grabbing"),
    ("take", "taking"),
    ("pick up", "picking up"),
)
GATHERS = (
    ("get", "getting"),
    ("take", "taking"),
    ("grab", "grabbing"),
    ("pick up", "picking up"),
    ("collect", "collecting"),
)
SWITCHES = {
    ("clean", True): (
        ("clean {o}", "cleaning {o}", "cleaned"),
        ("clean {o}", "cleaning {o}", "cleaned"),
        ("give {o} a good clean", "giving {o} a good clean", ""),
    ),
    ("filled", True): (
        ("fill {o}", "filling {o}", "filled"),
        ("fill {o} with water", "filling {o} with water", "filled with water"),
        ("fill {o} up", "filling {o} up", "filled up"),
    ),
    ("powered_on", True): (
        ("turn {o} on", "turning {o} on", "turned on"),
        ("turn on {o}", "turning on {o}", "turned on"),
        ("switch {o} on", "switching {o} on", "switched on"),
        ("switch on {o}", "switching on {o}", "switched on"),
    ),
    ("powered_on", False): (
        ("turn {o} off", "turning {o} off", "turned off"),
        ("turn off {o}", "turning off {o}", "turned off"),
        ("switch {o} off", "switching {o} off", "switched off"),
        ("switch off {o}", "switching off {o}", "switched off"),
        ("shut {o} off", "shutting {o} off", "shut off"),
    ),
}
WASHES = (
    ("wash {o}", "washing {o}", "washed"),
    ("wash {o}", "washing {o}", "washed"),
    ("give {o} a wash", "giving {o} a wash", ""),
)
RINSES = (("rinse {o}", "rinsing {o}", "rinsed"),)
WIPES = (
    ("wipe {o} clean", "wiping {o} clean", "wiped clean"),
    ("wipe {o} down", "wiping {o} down", "wiped down"),
    ("give {o} a wipe", "giving {o} a wipe", ""),
)
SCRUBS = (("scrub {o}", "scrubbing {o}", "scrubbed"),)
LIGHTS = (("light {o}", "lighting {o}", "lit"),)
NEAR_TWO = (
    "next to each other",
    "side by side",
    "beside each other",
    "close to each other",
)
NEAR_MORE = (
    "next to each other",
    "close together",
    "all next to each other",
)
WASHABLE = ("dish", "utensil", "fruit", "vegetable", "clothing")
RINSABLE = ("dish", "utensil", "fruit", "vegetable")
SOFT = ("sofa", "armchair", "bed")
"""Furniture that is not wiped."""
WET = ("sink", "bathtub", "shower", "toilet", "washbasin", "stove")
"""Furniture that is scrubbed."""
INSIDE = ("sink", "bathtub", "shower")
BOTH = frozenset(
    {"bathroom_cabinet", "cabinet", "dresser", "filing_cabinet", "nightstand", "tool_cabinet"}
    | {"tv_stand", "washing_machine", "dryer", "dishwasher"}
)
"""Furniture that things are put on as well as in, so that "to" it leaves open which."""
FIRE = ("candle", "fireplace")
CLASS_MANY = {
    "clothing": "clothes",
    "fruit": "fruit",
    "toiletry": "toiletries",
}
COUNTED = frozenset({"toiletries"})
"""Words of classes that go with a number, of :data:`CLASS_MANY`."""
