"""Line icons of furniture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from homebody.suites.partnr.pictures.icons import draw_icon, icon_of, icons
from homebody.worlds.house.model.catalogue import catalogue


def test_every_kind_of_furniture_has_an_icon_of_its_own() -> None:
    missing = [
        category for category in catalogue().furniture if icon_of(category) is icons()["other"]
    ]
    assert missing == []
    shapes = {draw_icon(icon, 0, 0, 100) for icon in icons().values()}
    assert len(shapes) == len(icons())
    for icon in icons().values():
        for stroke in icon.strokes:
            assert re.fullmatch(r"[BRPLODSE]( -?\d+(\.\d+)?)+", stroke), stroke
        ElementTree.fromstring(f"<g>{draw_icon(icon, 0, 0, icon.width)}</g>")
        x0, y0, x1, y1 = icon.inside
        assert 0 <= x0 < x1 <= 100
        assert 0 <= y0 < y1 <= 100
        assert 0 < icon.surface <= 100
