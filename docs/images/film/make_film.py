"""Make the film: an agent plays a PARTNR task, a person joins, the report opens.

    pip install -e '.[dev]' && python docs/images/film/make_film.py

It needs Chromium, as the browser tests do, and EAI's data, which the first run downloads. It writes
film.mp4, its picture film.webp, and film.gif, some seconds of it. The script clicks and types in
the real pages, whose time passes frame by frame: the film is the same on slow machines. In the game
time passes only when the person acts. No language model plays: the agent is PARTNR's expert, a
planner that knows the whole house, and the captions say so. The person is the script.
"""

import argparse
import base64
import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from queue import Queue
from threading import Thread

import imageio_ffmpeg
import numpy as np
from PIL import Image, ImageDraw

sys.path.insert(0, str(Path(__file__).parents[3] / "tests"))

from homebody.web import pacing
from homebody.web.game_setup import Setup
from homebody.web.serving import Links, ServerOptions, serve
from homebody.worlds.house.rendering.video import Frame, write_video
from web.browser import Browser, browsing

TASK = "val-78-187"
ACTIONS = """candle Navigate[candle_0]; switch PowerOn[candle_0]; pantry Navigate[pantry_shelf_1];
chips Pick[chips_bag_0]; coffee Navigate[coffee_table_0];
put Place[chips_bag_0, on, coffee_table_0]"""
"""Search words that the person types, each with the action that they then click on."""
SIZE, HIGH, SCALE = (1280, 720), 634, 1.1
"""Pixels of the film; above the caption; of a CSS pixel of a page."""
STYLE = """<meta charset=utf-8><style>body { margin: 0; height: 100vh; display: flex; gap: 1.8rem;
flex-direction: column; align-items: center; justify-content: center; text-align: center;
background: #16202b; color: #fff; font: 31px/1.25 system-ui, sans-serif; text-wrap: balance; }
h1 { font-size: 110px; } h1, p { margin: 0; } .large { font-size: 42px; max-width: 1100px; }
code { font: 30px ui-monospace, monospace; }</style>"""
TITLE = """<h1>homebody</h1><p class=large>measures how well language models, planners and teams
turn an instruction into behaviour at home</p>"""
END = """<p class=large>Install it, and see a first result:</p><code>pip install homebody</code>
<code>homebody run eai.virtualhome.action_sequencing -a oracle -a random</code>"""
READY = "document.getElementById('status').className === 'ready'"
ARROW = (0, 0), (0, 23), (5, 18), (9, 27), (13, 25), (9, 17), (17, 16)


class Camera:
    """Films pages, with a caption below and the pointer; `parts` are the seconds of the GIF."""

    def __init__(self, browser: Browser, rate: int) -> None:
        self.browser, self.rate, self.cards = browser, rate, browser.page()
        self.parts, self.seconds, self.pointer = [], 0.0, (700.0, 400.0)
        self.frames, self.fresh, self.last = 0, 1.0, None

    def open(self, url: str, caption: str, code: str) -> None:
        self.page = self.browser.page()
        self.page.resize(int(SIZE[0] / SCALE) + 1, int(HIGH / SCALE) + 1, SCALE)
        self.page.stop_time()
        self.page.open(url)
        self.say(caption)
        self.wait_for(code)

    def say(self, caption: str) -> None:
        self.caption = self.draw(f"<p>{caption}</p>", SIZE[1] - HIGH)
        self.fresh = 0.0

    def card(self, content: str, seconds: float) -> Iterator[Frame]:
        self.fresh = 0.0
        yield from self.show(self.draw(content, SIZE[1]), seconds)

    def wait_for(self, code: str) -> None:
        self.page.wait_for(f"advance(0) && !!({code})")

    def roll(self, seconds: float, code: str = "() => 0") -> Iterator[Frame]:
        """Let time pass in the page; `code` is a function of the share that has passed."""
        begin = self.seconds
        while self.seconds < begin + seconds - 1e-9:
            share = min(1.0, (self.seconds - begin + 1 / self.rate) / seconds)
            self.page.evaluate(f"advance({1000 / self.rate}) && ({code})({share})")
            yield from self.show(self.seen(), 1 / self.rate)

    def scroll(self, selector: str) -> Iterator[Frame]:
        box = f"document.querySelector('{selector}').getBoundingClientRect()"
        begin, way = self.page.evaluate(f"[scrollY, {box}.top - 62]")
        top = f"{begin} + {way} * share * share * (3 - 2 * share)"
        yield from self.roll(2, f"(share) => scrollTo({{ top: {top}, behavior: 'instant' }})")

    def click(self, selector: str) -> Iterator[Frame]:
        x, y = self.page.middle(selector, "nearest")
        seen, (left, top) = self.seen(), self.pointer
        for share in (1 - (1 - step / 8) ** 2 for step in range(1, 9)):
            self.pointer = left + share * (x - left), top + share * (y - top)
            yield from self.show(self.pointed(seen), 0.08)
        yield from self.show(self.pointed(seen, "#1f6fb255"), 0.3)
        self.page.click(x, y)

    def draw(self, content: str, high: int) -> Image.Image:
        self.cards.resize(SIZE[0], high)
        data = base64.b64encode((STYLE + content).encode()).decode()
        self.cards.open(f"data:text/html;base64,{data}")
        self.cards.wait_for(f"location.href.endsWith('{data[-40:]}') && !!document.body.firstChild")
        return Image.open(io.BytesIO(self.cards.screenshot())).convert("RGB")

    def seen(self) -> Image.Image:
        whole = Image.new("RGB", SIZE)
        whole.paste(Image.open(io.BytesIO(self.page.screenshot())))
        whole.paste(self.caption, (0, HIGH))
        return whole

    def pointed(self, seen: Image.Image, ring: str = "#0000") -> Image.Image:
        shown, (x, y) = seen.copy(), (SCALE * at for at in self.pointer)
        drawing = ImageDraw.Draw(shown, "RGBA")
        drawing.ellipse((x - 22, y - 22, x + 22, y + 22), ring)
        drawing.polygon([(x + right, y + down) for right, down in ARROW], "#000", "#fff", width=2)
        return shown

    def show(self, shown: Image.Image, seconds: float) -> Iterator[Frame]:
        self.seconds += seconds
        while self.frames < round(self.seconds * self.rate):
            self.frames += 1
            self.fresh += 1 / (0.4 * self.rate)
            fading = self.fresh < 1 and self.last
            yield np.asarray(Image.blend(self.last, shown, self.fresh) if fading else shown)
            self.last = self.last if fading else shown


def homebody(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "homebody", *words], check=True, stdout=sys.stderr)


def agents_play(camera: Camera, folder: Path) -> Iterator[Frame]:
    homebody("run", "partnr.val", "-a", "expert", "--task", TASK, "--out", folder / "one")
    homebody("report", folder / "one", "-o", folder / "one.html", "--title", "PARTNR")
    caption = "PARTNR: a human and a robot do housework. A planner, the expert, plays both."
    link = "document.querySelector('.samples-table tbody a')"
    camera.open(f"{(folder / 'one.html').as_uri()}#/samples", caption, link)
    camera.page.evaluate(f"location.hash = {link}.hash")
    camera.wait_for("document.querySelector('.replaying')?.house")
    camera.page.choose("[aria-label=Speed]", "1")
    yield from camera.roll(3)
    yield from camera.scroll(".replay .stage")
    camera.page.evaluate("document.querySelector('.replay-house canvas').focus()")
    for key in "++":
        camera.page.press(key)
    yield from camera.click(".replay-controls button:nth-child(3)")
    camera.say("The page replays the run in 3-D: each step, and what each of them received.")
    camera.parts.append((camera.seconds + 1, camera.seconds + 4))
    yield from camera.roll(7)
    camera.say("From behind the human, who brings the chips")
    for view in ("follow human", "eyes robot"):
        camera.page.choose("[aria-label=View]", view)
        camera.parts.append((camera.seconds + 0.5, camera.seconds + 3))
        yield from camera.roll(6)
        camera.say("Through the robot's eyes")
    camera.page.choose("[aria-label=View]", "above")
    camera.say("Language models play it, too: homebody run partnr.val --model NAME")
    yield from camera.scroll(".replay-parts")
    yield from camera.roll(4)


def a_person_joins(camera: Camera, folder: Path) -> Iterator[Frame]:
    pacing.GRACE = pacing.MAX_PAUSE = 1e6
    setup = Setup("partnr.val", {"robot": "expert", "human": "person"}, TASK, partners_view=True)
    where, links = ServerOptions("127.0.0.1", 0, (), 1.0, folder / "play"), Queue[Links]()
    Thread(target=serve, args=(setup, where, links.put), daemon=True).start()
    caption = "A person joins in a browser: homebody play partnr.val. The expert is the robot."
    camera.open(links.get().seats["human"], caption, "document.getElementById('help').open")
    yield from camera.roll(4.5)
    yield from camera.click("#helpdone")
    camera.wait_for(f"window.homebodyHouse?.frames > 0 && {READY}")
    camera.page.click_on("#plan")
    camera.say("The plan shows the house. The red arrow is the person.")
    yield from camera.roll(4)
    camera.say("The person finds an action by typing a word, and clicks on it.")
    for number, action in enumerate(ACTIONS.split(";")):
        if number == 2:
            camera.say("The robot works at the same time. The small picture is what it sees.")
            camera.parts.append((camera.seconds, camera.seconds + 5.5))
        words, call = action.split(maxsplit=1)
        yield from camera.click("#search")
        for letter in words:
            camera.page.write(letter)
            yield from camera.show(camera.seen(), 2 / 15)
        yield from camera.roll(0.4)  # the list follows the words
        yield from camera.click(f'#options button[data-call="{call}"]')
        camera.wait_for(f"{READY} && !document.getElementById('search').value")
        time.sleep(0.5)  # the views are fetched
        camera.wait_for("!homebodyHouse.updating && !homebodyPartner.updating")
        yield from camera.roll(1.2)
        if number == 0:
            yield from camera.click("#plan")
    camera.say("The robot does the rest. The game is kept, and scored like any other run.")
    yield from camera.click('#options button[data-call="Done[]"]')
    camera.wait_for("document.getElementById('sure').open")
    yield from camera.roll(1)
    yield from camera.click("#sure button")
    camera.wait_for("document.querySelector('#message h2')")
    yield from camera.roll(4)


def report_opens(camera: Camera, folder: Path) -> Iterator[Frame]:
    simple, runs = ("-a", "copycat", "-a", "random", "--out"), folder / "runs"
    homebody("run", "eai.virtualhome.action_sequencing", "-a", "frequent", *simple, runs / "eai")
    homebody("run", "partnr.val", "-a", "expert", "--limit", "40", *simple, runs / "partnr")
    homebody("score", "partnr.val", folder / "play/partnr.val", "--out", runs / "partnr")
    few = ("--samples", "0", "--replays", "0", "--title", "all runs")
    homebody("report", runs, "-o", folder / "all.html", *few)
    caption = "The report: baselines beside published models (†), with standard errors"
    camera.open((folder / "all.html").as_uri(), caption, "document.querySelector('.result')")
    yield from camera.roll(4.5)
    camera.say("PARTNR: the person's game is a row, too. Published rows are of other houses.")
    yield from camera.scroll("#results details:nth-of-type(2)")
    yield from camera.roll(3.5)
    camera.say("What is hard: success with 95 % intervals, by properties of the tasks")
    yield from camera.scroll("#difficulty")
    camera.parts.append((camera.seconds, camera.seconds + 2))
    yield from camera.roll(4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    parser.add_argument("--rate", type=int, default=15, help="frames per second")
    options = parser.parse_args()
    whole, ffmpeg = options.out / "film.mp4", (imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-y")
    with tempfile.TemporaryDirectory() as name, browsing(Path(name) / "profile") as browser:
        camera, folder = Camera(browser, options.rate), Path(name)
        title, end = camera.card(TITLE, 5.5), camera.card(END, 6)
        scenes = (scene(camera, folder) for scene in (agents_play, a_person_joins, report_opens))
        write_video(whole, chain(title, *scenes, end), options.rate)
    parts = "+".join(f"between(t,{begin},{end})" for begin, end in camera.parts)
    size = f"fps={min(6, options.rate)},scale=640:-2:flags=lanczos"
    colours = "split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none"
    few = ("-vf", f"select='{parts}',setpts=N/FRAME_RATE/TB,{size},{colours}")
    subprocess.run([*ffmpeg, "-i", whole, *few, options.out / "film.gif"], check=True)
    first = ("-ss", str(camera.parts[0][0]), "-i", whole, "-frames:v", "1", "-vf", "scale=960:-2")
    subprocess.run([*ffmpeg, *first, options.out / "film.webp"], check=True)


if __name__ == "__main__":
    main()
