"""Protocols: which quirks they keep, and what is said of quirks that there are not."""

from __future__ import annotations

import pytest

import homebody as hb
from homebody.core import CORRECTED, PUBLISHED, STRICT, HomebodyError, Protocol
from homebody.core.protocol import resolve_protocol

QUIRKS = frozenset({"crashes", "check_order"})


def test_published_keeps_all_quirks_but_what_is_mended() -> None:
    assert hb.PUBLISHED is PUBLISHED
    assert PUBLISHED.kept_quirks(QUIRKS) == QUIRKS
    assert CORRECTED.kept_quirks(QUIRKS) == frozenset()
    mended = PUBLISHED.without("check_order")
    assert mended.name == "published without check_order"
    assert mended.kept_quirks(QUIRKS) == {"crashes"}
    assert PUBLISHED.without(*QUIRKS).kept_quirks(QUIRKS) == frozenset()
    assert Protocol("two", QUIRKS).without("crashes").kept_quirks({*QUIRKS, "other"}) == {
        "check_order"
    }


def test_it_is_judged_by_what_is_given_or_else_its_own() -> None:
    mended = PUBLISHED.without("crashes")
    assert resolve_protocol(None, CORRECTED, QUIRKS) is CORRECTED
    for protocol in (CORRECTED, PUBLISHED, mended, Protocol("one", frozenset({"crashes"}))):
        assert resolve_protocol(protocol, CORRECTED, QUIRKS) is protocol


def test_quirks_that_there_are_not_are_refused() -> None:
    with pytest.raises(HomebodyError, match="'published' is not a protocol"):
        resolve_protocol("published", CORRECTED)  # type: ignore[arg-type]
    with pytest.raises(HomebodyError, match="no published protocol"):
        resolve_protocol(PUBLISHED, CORRECTED)
    misspelt = (PUBLISHED.without("chek_order"), Protocol("mine", frozenset({"chek_order"})))
    for protocol in misspelt:
        with pytest.raises(HomebodyError, match="no quirk 'chek_order'") as refused:
            resolve_protocol(protocol, CORRECTED, QUIRKS)
        assert refused.value.hint == "did you mean: check_order"
    with pytest.raises(HomebodyError, match="no quirk"):
        resolve_protocol(misspelt[1], CORRECTED)


@pytest.mark.parametrize("name", hb.list_suites())
def test_suites_refuse_them(name: str) -> None:
    suite = hb.get_suite(name)
    assert ("published" in suite.scoring.protocols) == bool(suite.published.quirks)
    with pytest.raises(HomebodyError):
        suite.protocol(PUBLISHED.without("chek_order"))
    if suite.published.quirks:
        assert suite.protocol("published") is PUBLISHED


@pytest.mark.parametrize("name", hb.list_suites())
def test_only_suites_whose_answers_have_a_format_are_strict(name: str) -> None:
    suite = hb.get_suite(name)
    if name.startswith("eai.") and suite.playing is None:
        assert suite.protocol("strict") is suite.protocol(STRICT) is STRICT
        return
    with pytest.raises(HomebodyError, match=f"{name} has no protocol 'strict'"):
        suite.protocol("strict")
    with pytest.raises(HomebodyError, match="no strict protocol, since it requires no"):
        suite.protocol(STRICT)
