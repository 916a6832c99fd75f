"""Protocols: the rules by which outputs are judged."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches

from homebody.core.ground.user_errors import HomebodyError


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules that judge outputs: the quirks of the published evaluator that are kept.

    :data:`CORRECTED` keeps none and applies the definitions as the papers state them.
    :data:`PUBLISHED` keeps all quirks of a suite. Others keep some, to measure the effect of each.

    Attributes:
        name: The name in tables and records.
        quirks: The quirks that are kept; None for all.
        repaired: Quirks that are not kept even if ``quirks`` has them.
        strict: True if an output in the wrong format is an error even if its meaning is clear.
        choices: Rules that the paper leaves open, chosen instead of the default ones.
    """

    name: str
    quirks: frozenset[str] | None = frozenset()
    repaired: frozenset[str] = frozenset()
    strict: bool = False
    choices: frozenset[str] = frozenset()

    def keeps(self, quirk: str) -> bool:
        """Return whether a quirk of the published evaluator is kept."""
        return (self.quirks is None or quirk in self.quirks) and quirk not in self.repaired

    def kept_quirks(self, quirks: Iterable[str]) -> frozenset[str]:
        """Return those of the given quirks that are kept."""
        return frozenset(filter(self.keeps, quirks))

    def rules(self, quirks: Iterable[str]) -> frozenset[str]:
        """Return those of the given quirks that are kept, and the chosen rules."""
        return self.kept_quirks(quirks) | self.choices

    def without(self, *quirks: str) -> Protocol:
        """Return this protocol with some quirks repaired."""
        name = f"{self.name} without {', '.join(quirks)}"
        return replace(self, name=name, repaired=self.repaired.union(quirks))


CORRECTED = Protocol("corrected")
PUBLISHED = Protocol("published", quirks=None)
STRICT = Protocol("strict", strict=True)


def resolve_protocol(
    protocol: Protocol | None,
    default: Protocol,
    quirks: Collection[str] = (),
    choices: Collection[str] = (),
    *,
    strict: bool = False,
) -> Protocol:
    """Return the protocol to judge by, and check that it is supported.

    Args:
        protocol: The requested protocol; None for the default.
        default: The default.
        quirks: All supported quirks.
        choices: All rules that can be chosen.
        strict: True if outputs have a format, which a strict protocol can require.

    Raises:
        HomebodyError: the request is not a protocol, has unknown quirks, or is strict although no
            format is required.
    """
    if protocol is None:
        return default
    if not isinstance(protocol, Protocol):
        raise HomebodyError(
            f"{str(protocol)[:80]!r} is not a protocol", "give one of suite.scoring.protocols"
        )
    if protocol.quirks is None and not quirks:
        raise HomebodyError(
            f"this suite has no {protocol.name} protocol, since it has no published evaluator",
            "use homebody.CORRECTED",
        )
    if protocol.strict and not strict:
        raise HomebodyError(
            f"this suite has no {protocol.name} protocol, since it requires no output format",
            "use homebody.CORRECTED",
        )
    unknown = ((protocol.quirks or frozenset()) | protocol.repaired).difference(quirks)
    unknown |= protocol.choices.difference(choices)
    if unknown:
        name = min(unknown)
        near = get_close_matches(name[:80], [*quirks, *choices]) or sorted(quirks)
        raise HomebodyError(
            f"this suite has no quirk {name[:80]!r}",
            f"did you mean: {', '.join(near)}" if near else "no quirks are supported",
        )
    return protocol
