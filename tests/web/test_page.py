"""The page in a real browser: tasks played to success by keys and clicks alone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from homebody.core import CORRECTED
from homebody.core.play.rounds import play
from homebody.suites import get_suite
from model_server import ModelServer
from web.browser import CHROMIUM, Browser, Page, browsing
from web.running import Running, running

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
SEARCH = "document.activeElement === document.getElementById('search')"
READY = "document.getElementById('status').className === 'ready'"
TOLD = "document.querySelector('#message').innerText"
OVER = "document.querySelector('#message h2')?.innerText"
CUT_OFF = """((selector) => [...document.querySelectorAll(selector)]
  .filter((e) => e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth)
  .map((e) => e.id || e.className))"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as started:
        yield started


def calls_of(suite: str, policy: str, **settings: str) -> list[str]:
    """What somebody does who solves the first task."""
    found = get_suite(suite)
    assert found.playing is not None
    session = found.playing.start(found.tasks.load(CORRECTED)[0], settings, 0, CORRECTED)
    made = found.playing.policies[policy](session, None)  # type: ignore[arg-type]
    play(session, dict.fromkeys(session.roles, made))
    assert session.score().record["success"]
    return [entry.call for entry in session.transcript().entries]


def link(server: Running, name: str) -> str:
    return f"http://{server.address}/#{server.tokens[name]}"


def begin(page: Page) -> None:
    """Read the help, and start."""
    page.wait_for("document.getElementById('help').open")
    page.press("Enter")
    page.wait_for("!document.getElementById('help').open")


def do(page: Page, call: str) -> None:
    """Do something by keys: find it in the list by typing, and press Enter."""
    page.wait_for(READY)
    if not page.evaluate(SEARCH):
        page.press("/")
        page.wait_for(SEARCH)
    page.write(call)
    listed = (
        f"[{call!r}, undefined].includes(document.querySelector('#options button')?.dataset.call)"
    )
    page.wait_for(listed)  # what is not listed can be written
    page.press("Enter")
    if call == "Done[]":
        page.wait_for("document.getElementById('sure').open")
        page.press("Enter")
    page.wait_for("document.getElementById('search').value === ''")


def play_all(page: Page, calls: list[str]) -> None:
    for call in calls:
        if page.evaluate(OVER):
            break
        do(page, call)


def test_a_task_is_played_to_success_by_keys_alone(browser: Browser, tmp_path: Path) -> None:
    calls = calls_of("house.bring", "expert")
    with running(tmp_path, "house.bring") as server:
        page = browser.page(link(server, "agent"))
        begin(page)
        play_all(page, calls)
        assert page.wait_for(OVER) == "Done: the task is solved"
        assert page.problems == []


@pytest.mark.slow
def test_a_whole_partnr_task_is_played_to_success_by_keys(browser: Browser, tmp_path: Path) -> None:
    settings = {"team": "single", "observability": "full"}
    calls = calls_of("partnr.val", "expert", **settings)
    arguments = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    with running(tmp_path, "partnr.val", *arguments) as server:
        page = browser.page(link(server, "human"))
        begin(page)
        play_all(page, calls)
        assert page.wait_for(OVER) == "Done: the task is solved"
        assert page.problems == []


@pytest.mark.slow
def test_a_thing_that_is_clicked_on_says_what_can_be_done_with_it(
    browser: Browser, tmp_path: Path
) -> None:
    with running(tmp_path, "partnr.val", "--set", "team=single") as server:
        page = browser.page(link(server, "human"))
        begin(page)
        page.wait_for("window.homebodyHouse?.frames > 0")
        page.click_on("#plan")
        page.wait_for("homebodyHouse.planned")
        assert page.wait_for("document.querySelectorAll('#labels span').length") > 3
        x, y, room = page.wait_for(
            "(() => { const s = document.querySelector('#labels span');"
            " const b = document.getElementById('view').getBoundingClientRect();"
            " return [b.x + parseFloat(s.style.left), b.y + parseFloat(s.style.top) + 25,"
            " s.innerText]; })()"
        )
        page.click(x, y)
        page.wait_for("!document.getElementById('menu').hidden")
        assert page.text("#menu h2")
        page.click(x, y)
        page.click_on("#menu button")
        page.wait_for("document.querySelectorAll('#news li').length")
        assert room
        assert page.problems == []


def tap_until(page: Page, selector: str, code: str) -> None:
    """Tap on something until it has been felt: a browser that is busy takes a tap for a press."""
    for _ in range(10):
        page.tap_on(selector)
        try:
            page.wait_for(code, 3)
        except AssertionError:
            continue
        return
    raise AssertionError(code)


@pytest.mark.slow
def test_fingers_look_around_and_act(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "partnr.val", "--set", "team=single") as server:
        page = browser.page(link(server, "human"), width=390, height=780, touch=True)
        page.wait_for("document.getElementById('help').open")
        tap_until(page, "#helpdone", "!document.getElementById('help').open")
        page.wait_for("window.homebodyHouse?.frames > 0")
        yaw = page.evaluate("homebodyHouse.look.yaw")
        x, y = page.middle("#view")
        scrolled = page.evaluate("window.scrollY")
        page.drag((x, y), (x + 100, y + 20))  # as if one pulled the house along
        page.wait_for(f"Math.abs(homebodyHouse.look.yaw - {yaw} - 18) < 4")
        assert page.evaluate("window.scrollY") == scrolled  # the page has not been moved instead
        tap_until(page, "#plan", "homebodyHouse.planned")
        tap_until(page, "#view", "!document.getElementById('menu').hidden")
        meant = page.text("#menu button")
        tap_until(page, "#menu button", "document.querySelectorAll('#news li').length")
        page.wait_for(READY)
        assert page.text("#news").startswith(meant)
        tap_until(page, "#options summary", "!!document.querySelector('#options details[open]')")
        more = "document.querySelectorAll('#news li').length > 1"
        tap_until(page, "#options details[open] button", more)
        assert page.evaluate("document.documentElement.scrollWidth <= 390")
        assert page.problems == []


@pytest.mark.slow
def test_what_the_partner_sees_is_shown_where_that_is_wanted(
    browser: Browser, tmp_path: Path
) -> None:
    arguments = ("--partner", "idle", "--partners-view", "--set", "observability=full")
    with running(tmp_path, "partnr.val", *arguments) as server:
        page = browser.page(link(server, "human"))
        begin(page)
        page.wait_for("window.homebodyPartner?.frames > 0")
        assert page.text("#partnerview") == "what the robot sees"
        same = "JSON.stringify(homebodyPartner.eye) === JSON.stringify(homebodyHouse.eye)"
        assert not page.evaluate(same)
        assert page.evaluate("homebodyPartner.shown.has('human')")
        page.resize(1164, 680)
        for events in (2, 3, 4, 5, 6):  # the first is the robot's
            do(page, "Wait[]")
            page.wait_for(f"document.querySelectorAll('#news li').length === {events}")
            shown = ".world, #partnerview .tag" + (", #news" if events < 4 else "")
            assert page.evaluate(f"{CUT_OFF}('{shown}')") == []
        assert page.evaluate("document.querySelector('#partnerview .tag').offsetHeight < 28")
        assert page.problems == []


@pytest.mark.slow
def test_two_browsers_are_paired_and_end_together(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "partnr.val", "--partner", "person") as server:
        lobby = link(server, "lobby for others")
        first = browser.page(lobby)
        assert "Waiting for another player" in first.wait_for(OVER)
        second = browser.page(lobby)
        for page in (first, second):
            begin(page)
        roles = {page.text("#role") for page in (first, second)}
        assert roles == {"You are the robot", "You are the human"}
        do(first, "Done[]")
        second.wait_for(READY)
        do(second, "Done[]")
        for page in (first, second):
            assert "something is missing" in page.wait_for(OVER)
            assert page.evaluate("document.querySelectorAll('#message li').length") > 0
            assert page.problems == []


@pytest.mark.slow
def test_a_model_as_partner_is_seen_to_think_and_acts(
    browser: Browser, tmp_path: Path, server: ModelServer
) -> None:
    thought = threading.Event()

    def think(conversation: list[tuple[str, str]]) -> str:
        thought.wait(60)
        return "Thought: the person does it.\nAction: Done[]"

    server.converse = think
    arguments = ("partnr.val", "--partner", server.model, "--pace", "1000")
    with running(tmp_path, *arguments) as started:
        page = browser.page(link(started, "human"))
        begin(page)
        page.wait_for("document.getElementById('partner').innerText.includes('thinking')")
        assert "The robot is an AI model" in page.text("#partner")
        thought.set()
        page.wait_for("!document.getElementById('partner').innerText.includes('thinking')")
        do(page, "Done[]")
        assert "something is missing" in page.wait_for(OVER)
        assert page.problems == []


@pytest.mark.slow
def test_a_server_that_is_killed_and_started_again_is_gone_on_with(
    browser: Browser, tmp_path: Path
) -> None:
    calls = calls_of("house.bring", "expert")
    half = len(calls) // 2
    with running(tmp_path, "house.bring") as server:
        page = browser.page(link(server, "agent"))
        begin(page)
        for call in calls[:half]:
            do(page, call)
        page.wait_for(READY)
        port = server.port
        server.kill()
        page.wait_for("document.getElementById('status').className === 'lost'")
    with running(tmp_path, "house.bring", port=port):
        for call in calls[half:]:
            if not page.evaluate(OVER):
                do(page, call)
        assert page.wait_for(OVER) == "Done: the task is solved"


@pytest.mark.parametrize(
    ("suite", "role", "policy"),
    [("embodiedeval.test", "agent", "oracle"), ("eai.behavior.interactive", "agent", "oracle")],
)
@pytest.mark.usefixtures("eai_data")
@pytest.mark.slow
def test_a_task_without_a_house_in_3d_is_played_to_success(
    browser: Browser, tmp_path: Path, suite: str, role: str, policy: str
) -> None:
    calls = calls_of(suite, policy)
    with running(tmp_path, suite) as server:
        page = browser.page(link(server, role))
        begin(page)
        if suite.startswith("embodiedeval"):
            page.wait_for("document.querySelector('#pictures img')?.naturalWidth > 0")
        play_all(page, calls)
        assert page.wait_for(OVER) == "Done: the task is solved"
        assert page.problems == []


STUDY = """
title = "Bring it"
suite = "house.bring"
participants = 1
tasks = ["TASK"]
order = "listed"
tries = 2
consent = "# What this is\\n\\nYou **agree**:\\n\\n- to play\\n- to stop when you like"
goodbye = "Thank you"

[[conditions]]
name = "alone"
seats = {agent = "person"}

[[after_task]]
name = "effort"
text = "How hard was it?"
low = "easy"
high = "hard"

[[after]]
name = "remarks"
text = "Anything else?"
kind = "text"
optional = true
"""


@pytest.mark.slow
def test_a_participant_of_a_study_comes_to_the_code(browser: Browser, tmp_path: Path) -> None:
    calls = calls_of("house.bring", "expert")
    task = get_suite("house.bring").tasks.load(CORRECTED)[0]
    file = tmp_path / "study.toml"
    file.write_text(STUDY.replace("TASK", get_suite("house.bring").tasks.identify(task)))
    with running(tmp_path / "kept", "study", "serve", str(file)) as server:
        page = browser.page(link(server, "participant 1"))
        assert page.wait_for(OVER) == "Bring it"
        assert page.text("#message strong") == "agree"
        page.click_on("#message form button")
        begin(page)
        do(page, "Done[]")  # a try that fails
        assert "something is missing" in page.wait_for(f"{OVER}?.includes('missing') && {OVER}")
        page.click_on("#message button")
        page.wait_for("document.getElementById('help').open")
        assert page.text("#askedtext").startswith("This is task 1 of 1, try 2.")
        begin(page)
        page.wait_for("document.getElementById('progress').innerText.includes('try 2 of 2')")
        for call in calls:
            if page.evaluate(f"({OVER} ?? '').startsWith('Done')"):
                break
            do(page, call)
        page.wait_for(f"({OVER} ?? '').startsWith('Done')")
        page.click_on("#message button")
        ends = page.wait_for(
            "[...document.querySelectorAll('.rating .end, .rating label')].map((e) =>"
            " [e.innerText.trim(), e.getBoundingClientRect().x])"
        )
        (low, at), *points, (high, last) = ends
        assert (low, high) == ("easy", "hard")
        assert at == points[0][1] < points[3][1] < last  # below the first point, and the last ones
        assert [int(text) for text, _ in sorted(points, key=lambda point: point[1])] == [
            *range(1, 8)
        ]
        page.click_on("input[value='5']")
        page.click_on("#message form button")
        page.click_on("textarea")
        page.write("It was fine.")
        page.click_on("#message form button")
        assert len(page.wait_for("document.querySelector('.code')?.innerText")) == 10
        assert page.problems == []


@pytest.mark.slow
def test_a_participant_marks_a_task_and_is_asked_about_another(
    browser: Browser, tmp_path: Path
) -> None:
    suite = get_suite("house.bring")
    names = [suite.tasks.identify(task) for task in suite.tasks.load(CORRECTED)[:2]]
    file = tmp_path / "study.toml"
    text = STUDY.replace('["TASK"]', json.dumps(names)).replace("tries = 2", "tries = 1")
    file.write_text(f"mark_tasks = true\n{text}")
    with running(tmp_path / "kept", "study", "serve", str(file)) as server:
        page = browser.page(link(server, "participant 1"))
        page.wait_for(OVER)
        page.click_on("#message form button")
        begin(page)
        page.click_on("#markbutton")
        page.wait_for("document.getElementById('marking').open")
        page.click_on("#marking button[value='']")  # nothing is wrong
        page.wait_for("!document.getElementById('marking').open")
        page.click_on("#markbutton")
        page.wait_for("document.getElementById('marking').open")
        page.click_on("#marking button[value='infeasible']")
        page.wait_for(f"{TOLD}.includes('How hard was it?')")
        page.click_on("input[value='5']")
        page.click_on("#message form button")
        begin(page)
        do(page, "Done[]")
        page.wait_for(f"{OVER}?.includes('missing') && {OVER}")
        page.click_on("#message button")
        page.wait_for(f"{TOLD}.includes('You have not solved this task.')")
        page.click_on("input[value='It is unclear what is meant']")
        page.click_on("#message form button")
        page.wait_for(f"{TOLD}.includes('hard')")
        assert page.problems == []
    lines = (tmp_path / "kept" / "participants" / "1.jsonl").read_text().splitlines()[1:]
    kept = [json.loads(line) for line in lines]
    assert [line["mark"] for line in kept if line["kind"] == "mark"] == ["infeasible", "ambiguous"]


@pytest.mark.slow
def test_a_link_that_leads_nowhere_says_so(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "house.bring") as server:
        assert browser.page(f"http://{server.address}/#nothing").wait_for(OVER)
        page = browser.page(f"http://{server.address}/#nothing")
        assert "is not valid" in page.wait_for(f"{OVER}.includes('valid') && {OVER}")
        page = browser.page(f"http://{server.address}/")
        assert "Open your link" in page.wait_for(OVER)


LOOK = "JSON.stringify(homebodyHouse.look)"
AT = "JSON.stringify(homebodyHouse.eye.position)"
POINTED = "document.getElementById('pointed').innerText"


@pytest.mark.slow
def test_one_walks_and_handles_things_by_keys_in_the_view(browser: Browser, tmp_path: Path) -> None:
    """Turning, walking to what is in the middle, and doing what is most likely meant."""
    with running(tmp_path, "partnr.val", "--set", "team=single") as server:
        page = browser.page(link(server, "human"))
        begin(page)
        page.wait_for("window.homebodyHouse?.frames > 0")
        page.evaluate("document.getElementById('view').focus()")
        before = page.evaluate(LOOK)
        page.press("a")
        assert page.wait_for(f"{LOOK} !== {before!r}")
        assert page.evaluate("!document.getElementById('cross').hidden")
        assert page.wait_for(POINTED)  # what is in the middle is named
        for _ in range(24):  # look around until there is something that can be walked to
            if page.evaluate(f"/e: (go to|pick up|open|put down)/.test({POINTED})"):
                break
            page.press("d")
        stood = page.evaluate(AT)
        page.wait_for(READY)
        page.press("w")
        page.wait_for(f"{AT} !== {stood!r}")
        page.wait_for(READY)
        assert page.evaluate("document.querySelectorAll('#news li').length") == 1
        assert page.problems == []


@pytest.mark.slow
def test_what_one_has_walked_to_is_what_one_sees(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "partnr.val", "--set", "team=single") as server:
        page = browser.page(link(server, "human"))
        begin(page)
        page.wait_for("window.homebodyHouse?.frames > 0")
        piece = page.evaluate(
            "[...homebodyHouse.shown.values()].map((m) => m.userData)"
            ".find((s) => s.kind === 'furniture').name"
        )
        stood = page.evaluate(AT)
        do(page, f"Navigate[{piece}]")
        page.wait_for(f"{AT} !== {stood!r}")
        page.wait_for(READY)
        page.evaluate("(() => { document.getElementById('view').focus(); })()")
        wanted = page.evaluate(f"JSON.stringify(homebodyHouse.lookAt({piece!r}))")
        assert page.evaluate(LOOK) == wanted
        assert page.problems == []


@pytest.mark.slow
def test_small_steps_have_keys(browser: Browser, tmp_path: Path) -> None:
    arguments = ("partnr.val", "--set", "team=single", "--set", "actions=low_level")
    with running(tmp_path, *arguments) as server:
        page = browser.page(link(server, "human"))
        begin(page)
        page.wait_for("window.homebodyHouse?.frames > 0")
        page.evaluate("document.getElementById('view').focus()")
        keys = ("ArrowLeft", "a", "d", "w", "ArrowUp", "f", "r")
        for count, key in enumerate(keys, 1):
            page.press(key)
            page.wait_for(f"document.querySelectorAll('#news li').length >= {count}")
        said = page.evaluate("document.getElementById('news').innerText")
        for kind in ("Turn left", "Turn right", "Move ahead", "Look down", "Look up"):
            assert kind in said
        assert page.evaluate("homebodyHouse.look.yaw === homebodyHouse.eye.yaw")
        assert page.problems == []


@pytest.mark.slow
def test_people_who_play_together_write_to_each_other_where_they_may(
    browser: Browser, tmp_path: Path
) -> None:
    arguments = ("partnr.val", "--partner", "person", "--chat")
    with running(tmp_path, *arguments) as server:
        lobby = link(server, "lobby for others")
        first, second = (browser.page(lobby) for _ in range(2))
        for page in (first, second):
            begin(page)
        for page in (first, second):
            page.wait_for("!document.getElementById('chat').hidden")
        evil = "<img src=x onerror=alert(1)> I take the cup"
        first.click_on("#write")
        first.write(evil)
        first.press("Enter")
        role = first.text("#role").rpartition(" ")[2]
        said = "document.getElementById('said').innerText"
        assert second.wait_for(said) == f"{role}: {evil}"
        assert first.wait_for(said) == f"you: {evil}"
        second.click_on("#write")
        second.write("fine")
        second.press("Enter")
        first.wait_for(f"{said}.includes('fine')")
        for page in (first, second):
            assert page.problems == []
    with running(tmp_path / "without", "partnr.val", "--partner", "person") as server:
        page = browser.page(link(server, "human"))
        begin(page)
        page.wait_for(OVER)
        assert page.evaluate("document.getElementById('chat').hidden")


def test_a_screen_reader_finds_all_that_matters(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "partnr.val", "--set", "team=single") as server:
        page = browser.page(link(server, "human"), width=390, height=780)
        begin(page)
        page.wait_for("window.homebodyHouse?.frames > 0")
        do(page, "Wait[]")
        page.wait_for("document.querySelectorAll('#news li').length")
        page.wait_for(READY)
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
        told = {
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node.get("ignored")
        }
        roles = {role for role, _ in told}
        assert {"heading", "searchbox", "status", "button", "main", "banner"} <= roles
        assert all(name for role, name in told if role in ("button", "searchbox", "dialog"))
        assert any(role == "list" and name == "Events" for role, name in told)
        assert page.evaluate("document.documentElement.scrollWidth <= 390")  # fits a phone
        assert page.problems == []
