"""What is shown of text from outside."""

import sys
import unicodedata

import pytest

from homebody.core.ground.escaping import count_listed, escape


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("openai/gpt-4o", "openai/gpt-4o"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31m", r"\x9b31m"),  # one byte that begins a sequence
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("cod\u202egpj.exe", r"cod\u202egpj.exe"),
        ("ad\u200bmin \u2028\u2029\ufeff", r"ad\u200bmin \u2028\u2029\ufeff"),
        ("caf\udce9.json", r"caf\udce9.json"),
        ("\U000e0041", r"\U000e0041"),
        ("Küche 厨房 🍞 naïve\u0301 x\xa0y", "Küche 厨房 🍞 naïve\u0301 x\xa0y"),
        (r"C:\x1b", r"C:\x1b"),
        ("[red]<b>`|=1", "[red]<b>`|=1"),
        (7, "7"),
    ],
)
def test_what_does_not_show_is_written_out(text: object, seen: str) -> None:
    assert escape(text) == seen
    assert escape(seen) == seen
    seen.encode()


def test_lines_stay_where_they_are_asked_for() -> None:
    assert escape("a\n\tb\x1b\r\n", lines=True) == "a\n\tb\\x1b\\r\n"


def test_no_character_that_cannot_be_seen_gets_through() -> None:
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    arabic = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}  # are seen
    arabic |= set(range(0x13430, 0x13440))  # hieroglyphs' marks
    got_through = [
        f"{code:x}"
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in hidden
        and code not in arabic
        and escape(chr(code)) == chr(code)
    ]
    assert not got_through


@pytest.mark.parametrize("lines", [False, True])
def test_a_long_text_is_shortened(lines: bool) -> None:
    assert escape("a" * 80, 80, lines=lines) == "a" * 80
    assert escape("a" * 81, 80, lines=lines) == "a" * 77 + "..."
    assert escape("\x1b" * 30, 80, lines=lines) == ("\\x1b" * 20)[:77] + "..."
    assert len(escape("\x1b" * 10_000_000, 80, lines=lines)) == 80


def test_a_list_never_ends_with_one_more() -> None:
    assert [count_listed(number, 3) for number in range(7)] == [0, 1, 2, 3, 4, 3, 3]
