"""What the catalogue says of people: wrong entries are named."""

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.catalogue import catalogue_files, read_catalogue


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('cooking = { posture = "standing"', 'cooking = { posture = "hovering"'),
        ('gesture = "reading"', 'gesture = "juggling"'),
        ('at = ["stove"]', 'at = ["volcano"]'),
        ('where = "on"', 'where = "under"'),
        ('wears = ["apron"]', 'wears = ["cloak"]'),
        ('looks_at = ["tv"]', 'looks_at = ["moon"]'),
        ('holds = "book"', 'holds = "dragon"'),
        ('covers = ["feet"]', 'covers = ["tail"]'),
        ("[people.ages]\nchild", "[people.ages]\nghost"),
    ],
)
def test_a_wrong_entry_of_people_is_named(old: str, new: str) -> None:
    texts = catalogue_files()
    text = texts["people.toml"]
    assert old in text
    wrong = new.rsplit('"', 2)[-2] if '"' in new else "ghost"
    with pytest.raises(HomebodyError, match=f"people: unknown '{wrong}'"):
        read_catalogue({**texts, "people.toml": text.replace(old, new, 1)})
