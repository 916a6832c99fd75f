"""Protocols: by which definitions outputs are judged."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches

from homebody.core.ground.user_errors import HomebodyError


@dataclass(frozen=True, slots=True)
class Protocol:
    """How outputs are judged: which quirks of the published evaluator are kept.

    :data:`CORRECTED` keeps none and applies the definitions as the papers state them;
    :data:`PUBLISHED` keeps all that a suite has. Any set in between is a protocol, which shows
    what one quirk is worth.

    Attributes:
        name: For tables and records.
        quirks: Those that are kept; None for all that there are.
        repaired: Those that are not, even so.
        strict: Whether an answer that is not in the format asked for is an error, even where what
            it means is clear.
    """

    name: str
    quirks: frozenset[str] | None = frozenset()
    repaired: frozenset[str] = frozenset()
    strict: bool = False

    def keeps(self, quirk: str) -> bool:
        """Whether a quirk of the published evaluator is kept."""
        return (self.quirks is None or quirk in self.quirks) and quirk not in self.repaired

    def kept_quirks(self, quirks: Iterable[str]) -> frozenset[str]:
        """Those of some quirks that are kept."""
        return frozenset(filter(self.keeps, quirks))

    def without(self, *quirks: str) -> Protocol:
        """This protocol with some quirks repaired."""
        name = f"{self.name} without {', '.join(quirks)}"
        return replace(self, name=name, repaired=self.repaired.union(quirks))


CORRECTED = Protocol("corrected")
PUBLISHED = Protocol("published", quirks=None)
STRICT = Protocol("strict", strict=True)


def resolve_protocol(
    protocol: Protocol | None,
    own: Protocol,
    quirks: Collection[str] = (),
    *,
    strict: bool = False,
) -> Protocol:
    """The protocol to judge by.

    Args:
        protocol: What was given; None for its own.
        own: The one to judge by if none is given.
        quirks: All that there are here.
        strict: Whether answers here have a format that a strict protocol can ask for.

    Raises:
        HomebodyError: what is given is no protocol, or is about quirks that there are not, or
            strict where that means nothing.
    """
    if protocol is None:
        return own
    if not isinstance(protocol, Protocol):
        raise HomebodyError(
            f"{str(protocol)[:80]!r} is no protocol", "give one of suite.scoring.protocols"
        )
    if protocol.quirks is None and not quirks:
        raise HomebodyError(
            f"there is no {protocol.name} protocol here, as there is no published evaluator",
            "use homebody.CORRECTED",
        )
    if protocol.strict and not strict:
        raise HomebodyError(
            f"there is no {protocol.name} protocol here, as no answer has a format to be strict of",
            "use homebody.CORRECTED",
        )
    unknown = ((protocol.quirks or frozenset()) | protocol.repaired).difference(quirks)
    if unknown:
        name = min(unknown)
        near = get_close_matches(name[:80], quirks) or sorted(quirks)
        raise HomebodyError(
            f"there is no quirk {name[:80]!r} here",
            f"did you mean: {', '.join(near)}" if near else "there are none",
        )
    return protocol
