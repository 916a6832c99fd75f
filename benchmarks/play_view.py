"""How soon one sees the house in `homebody play`, and how many pictures a second the page draws.

    python benchmarks/play_view.py --houses 5

Of each of some homes of PARTNR, in headless Chromium's software renderer at 640 x 480: seconds
until the first picture after the page is opened, and pictures a second while one turns all around,
where one stands at first and in every room. The worst counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from homebody.core import CORRECTED
from homebody.suites import get_suite
from web.browser import Browser, browsing
from web.running import running

SIZE = (640, 480)
TURN = """
new Promise((done) => {
  const house = homebodyHouse;
  const [begun, before] = [performance.now(), house.frames];
  const step = () => {
    if (performance.now() - begun > 2000) return done((house.frames - before) / 2);
    house.turn(4);
    requestAnimationFrame(step);
  };
  step();
})
"""
STAND = """
((x, y) => { const h = homebodyHouse; h.camera.position.set(x, y, h.eye.position[2]); h.draw(); })
"""
ROOMS = """
[...homebodyHouse.shown.values()].filter((m) => m.userData.kind === 'floor').map((m) => {
  m.geometry.computeBoundingBox();
  const { min, max } = m.geometry.boundingBox;
  return [(min.x + max.x) / 2, (min.y + max.y) / 2];
})
"""


def measure(browser: Browser, task: str) -> tuple[float, list[float], int]:
    """Seconds to the first picture, pictures a second at each place, and how many rooms."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("partnr.val", "--task", task, "--set", "team=single")
        with running(Path(folder), *options) as server:
            page = browser.page()
            begun = time.perf_counter()
            page.open(f"http://{server.address}/#{server.tokens['human']}")
            page.wait_for("document.getElementById('help').open")
            page.press("Enter")  # nothing is shown before one has read what to do
            page.wait_for("window.homebodyHouse?.frames > 0")
            first = time.perf_counter() - begun
            page.evaluate(
                "(() => { const p = document.getElementById('view').parentElement;"
                f" p.style.width = '{SIZE[0]}px'; p.style.height = '{SIZE[1]}px'; }})()"
            )
            rooms = page.evaluate(ROOMS)
            rates = [page.evaluate(TURN)]
            for x, y in rooms:
                page.evaluate(f"{STAND}({x}, {y})")
                rates.append(page.evaluate(TURN))
            return first, rates, len(rooms)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--houses", type=int, default=5)
    arguments = parser.parse_args()
    first_of = {
        task.episode.house_seed: task.id for task in get_suite("partnr.val").tasks.load(CORRECTED)
    }
    every: list[float] = []
    with tempfile.TemporaryDirectory() as profile, browsing(Path(profile)) as browser:
        for task in list(first_of.values())[: arguments.houses]:
            first, rates, rooms = measure(browser, task)
            every += rates
            print(
                f"{task}: {rooms} rooms, first picture after {first:.2f} s, pictures a second:"
                f" {min(rates):.0f} to {max(rates):.0f}",
                flush=True,
            )
    every.sort()
    print(f"worst {every[0]:.0f}, in the middle {every[len(every) // 2]:.0f} pictures a second")


if __name__ == "__main__":
    main()
