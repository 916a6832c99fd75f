"""Runs in a real browser: as a file, as a folder and live; quick, safe, and by keys alone."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from homebody.cli.viewed import Viewed
from homebody.core import CORRECTED, HomebodyError, Suite
from homebody.evals.run_journal import ScoredSample, begin_journal, scored_line
from homebody.results.viewing.documents import Documents
from homebody.results.viewing.page import whole_page, write_folder
from homebody.results.viewing.runs import Log, read_runs
from homebody.results.writing import record_of
from homebody.suites import get_suite
from homebody.web.connection_limits import listen, make_server
from homebody.web.viewing import Current, make_app
from own_suites import in_place
from toy_runs import EVIL, NAME, chores, keep
from web.browser import CHROMIUM, Browser, Page, browsing

in_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
ROWS = "document.querySelectorAll('.samples-table tbody tr:not(.space)').length"
COUNT = "document.querySelector('.count')?.textContent"
MANY = 10_000


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def toy() -> Iterator[Suite[str]]:
    suite = chores()
    with in_place([suite]):
        yield suite


def documents(*folders: Path, live: bool = False) -> Documents:
    found, wrong = read_runs(folders)
    assert wrong == []
    return Documents(tuple(found), "Chores", live=live)


def report(path: Path, made: Documents) -> str:
    """A report as a file; its address."""
    path.write_text(whole_page(made.all_of_runs(), made.details(made.select_samples(5))))
    return path.as_uri()


@contextmanager
def served(app: Any) -> Iterator[str]:
    """An application at an address of this machine."""
    with listen("127.0.0.1", 0) as sock:
        server = make_server(app)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
        thread.start()
        yield f"http://127.0.0.1:{sock.getsockname()[1]}/"
        server.should_exit = True
        thread.join()


def requests(page: Page) -> list[str]:
    """What a page has fetched."""
    code = "performance.getEntriesByType('resource').map((each) => each.name)"
    return [str(name) for name in page.evaluate(code)]


def choose(page: Page, name: str, value: str) -> None:
    page.evaluate(
        f"(() => {{ const e = document.getElementById({f'filter-{name}'!r}); e.value = {value!r};"
        " e.dispatchEvent(new Event('change')); })()"
    )


@pytest.mark.slow
@in_browser
def test_a_report_is_looked_at_without_a_network(
    browser: Browser, toy: Suite[str], tmp_path: Path
) -> None:
    folder = keep(tmp_path, toy, "a/model", ["yes", "half", "no", "-"] * 5)
    page = browser.page(report(tmp_path / "r.html", documents(folder)))
    page.wait_for("!!document.querySelector('#results table')")
    assert "a/model" in page.text("#results")
    assert "Sweeping" in page.text("#abilities")
    assert page.evaluate("document.querySelectorAll('svg circle').length") >= 2
    page.click_on("#results tbody a")
    page.wait_for(f"{COUNT} === '20 samples'")
    page.click_on(".samples-table tbody a")  # the first, of which there are no details
    page.wait_for("document.querySelector('main').innerText.includes('without the details')")
    page.press("j")
    page.wait_for("document.querySelector('h1')?.innerText.includes('room-1')")
    text = page.text("main")
    for told in ("partial", "Not all of room 1 is clean.", "chairs back", "Sweep room-1, please."):
        assert told in text
    page.press("Escape")
    page.wait_for(COUNT)
    assert requests(page) == []
    assert page.problems == []


@in_browser
def test_what_runs_were_made_with_is_told_of_each(
    browser: Browser, toy: Suite[str], tmp_path: Path
) -> None:
    folders = [keep(tmp_path, toy, name, ["yes"]) for name in ("one", "two")]
    page = browser.page(f"{report(tmp_path / 'r.html', documents(*folders))}#/about")
    page.wait_for("document.querySelectorAll('details.made').length === 2")
    assert "object" not in page.text("main")


@in_browser
def test_on_a_narrow_page_it_is_said_whose_a_sample_is(
    browser: Browser, toy: Suite[str], tmp_path: Path
) -> None:
    folder = keep(tmp_path, toy, "somebody", ["yes"])
    url = f"{report(tmp_path / 'r.html', documents(folder))}#/samples"
    narrow = "document.querySelector('.samples-table .narrow')?.checkVisibility()"
    for width, seen in ((390, True), (1280, False)):
        page = browser.page(url, width=width)
        page.wait_for(COUNT)
        assert page.evaluate(narrow) is seen
        assert page.text(".samples-table tbody tr:not(.space)").count("somebody") == 1


@in_browser
def test_filters_are_in_the_address(browser: Browser, toy: Suite[str], tmp_path: Path) -> None:
    folders = [keep(tmp_path, toy, name, ["yes", "half", "no"] * 5) for name in ("one", "two")]
    url = report(tmp_path / "r.html", documents(*folders))
    page = browser.page(f"{url}#/samples")
    page.wait_for(f"{COUNT} === '30 samples'")
    choose(page, "model", "two")
    choose(page, "verdict", "partial")
    page.wait_for(f"{COUNT} === '5 of 30 samples'")
    page.press("/")
    page.write("room 1")
    page.wait_for("location.hash.includes('q=room+1')")
    page.wait_for(f"{COUNT} === '3 of 30 samples'")  # 1, 10 and 13
    assert page.evaluate("document.activeElement.id") == "q"
    page.click_on(".samples-table th.task button")
    page.click_on(".samples-table th.task button")
    first = "document.querySelector('.samples-table tbody a').textContent"
    page.wait_for(f"{first} === 'room-13'")
    head = "document.querySelector('.samples-table th.task').getAttribute('aria-sort')"
    assert page.evaluate(head) == "descending"
    address = page.evaluate("location.href")
    other = browser.page(address)
    other.wait_for(f"{COUNT} === '3 of 30 samples'")
    assert other.evaluate(first) == "room-13"
    assert other.evaluate("document.getElementById('filter-model').value") == "two"
    assert other.text("[role=status]") == "3 of 30 samples"
    assert page.problems == other.problems == []


@in_browser
def test_hostile_text_is_only_text(browser: Browser, tmp_path: Path) -> None:
    suite = chores(evil=True)
    with in_place([suite]):
        folder = keep(tmp_path, suite, "m", [EVIL, EVIL * 1000, "x" * 100_000, "yes"])
        made = documents(folder)
    url = report(tmp_path / "r.html", made)
    for view in ("#/", "#/samples", f"#/sample/{NAME}.m/0", f"#/sample/{NAME}.m/1", "#/about"):
        page = browser.page(f"{url}{view}")
        page.wait_for("!!document.querySelector('main h1')")
        assert page.evaluate("window.evil ?? null") is None
        assert page.evaluate("document.querySelectorAll('main script, main img').length") == 0
        width = "document.documentElement.scrollWidth <= window.innerWidth"
        assert page.evaluate(width), f"{view} is wider than the window"
        assert page.problems == []
    page = browser.page(f"{url}#/sample/{NAME}.m/0")
    page.wait_for("document.querySelector('main').innerText.includes('<script>window.evil=1')")
    page = browser.page(f"{url}#/sample/%E0%A4%A/x?verdict=%")
    alert = "document.querySelector('main [role=alert]')?.innerText"
    page.wait_for(f"{alert}.includes('no such sample')")


@in_browser
@pytest.mark.slow
def test_a_page_holds_only_those_samples_that_are_in_view(browser: Browser, tmp_path: Path) -> None:
    suite = chores(MANY)
    with in_place([suite]):
        folder = keep(tmp_path, suite, "m", (["yes", "half", "no", "half"] * MANY)[:MANY])
        url = report(tmp_path / "r.html", documents(folder))
    page = browser.page(f"{url}#/samples")
    page.wait_for(f"{COUNT} === '10,000 samples'")
    assert page.evaluate(ROWS) < 60
    page.evaluate(
        "(() => { const e = document.getElementById('filter-verdict'); e.value = 'partial';"
        " e.dispatchEvent(new Event('change')); })()"
    )
    assert page.evaluate(COUNT) == "5,000 of 10,000 samples"
    assert page.evaluate(ROWS) < 60
    page.evaluate("window.scrollTo(0, 58 * 3000)")
    page.wait_for("document.querySelector('tr[aria-rowindex=\"3002\"]') !== null")
    assert page.evaluate(ROWS) < 60


@in_browser
def test_the_list_is_gone_through_by_keys(
    browser: Browser, toy: Suite[str], tmp_path: Path
) -> None:
    folder = keep(tmp_path, toy, "m", ["no"] * 40)
    page = browser.page(f"{report(tmp_path / 'r.html', documents(folder))}#/samples")
    page.wait_for(COUNT)
    page.evaluate("document.querySelector('.samples-table tbody a').focus()")
    for _ in range(25):
        page.press("ArrowDown")
    focused = "document.activeElement.textContent"
    page.wait_for(f"{focused} === 'room-25'")
    page.press("Enter")
    page.wait_for("document.querySelector('h1')?.innerText.includes('room-25')")


@in_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_themes_follow_the_system_and_the_button(
    browser: Browser, toy: Suite[str], tmp_path: Path, theme: str
) -> None:
    folder = keep(tmp_path, toy, "m", ["yes", "no"])
    page = browser.page()
    features = [{"name": "prefers-color-scheme", "value": theme}]
    page.call("Emulation.setEmulatedMedia", features=features)
    page.open(report(tmp_path / "r.html", documents(folder)))
    page.wait_for("!!document.querySelector('main table')")
    light = "(getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] > 127)"
    assert page.evaluate(light) is (theme == "light")
    page.click_on("#theme")
    assert page.evaluate(light) is True
    page.click_on("#theme")
    assert page.evaluate(light) is False


@in_browser
def test_a_folder_is_shown_by_any_web_host(
    browser: Browser, toy: Suite[str], tmp_path: Path
) -> None:
    made = documents(keep(tmp_path, toy, "m", ["yes", "half"]))
    samples = made.details([(run.id, n) for run in made.runs for n in range(2)])
    write_folder(tmp_path / "site" / "deep", made.all_of_runs())
    write_folder(tmp_path / "site" / "deep", chain.from_iterable(samples))

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{host.server_port}/deep/"
        page = browser.page(f"{url}#/sample/{NAME}.m/1")
        page.wait_for("document.querySelector('main').innerText.includes('chairs back')")
        assert all(name.startswith(url) for name in requests(page))
        assert page.problems == []
        host.shutdown()


def played(folder: Path, suite: Suite[Any], agent: str) -> Documents:
    """One sample, which an agent has played."""
    return replayed(folder, suite, [(agent, 0)])


def replayed(folder: Path, suite: Suite[Any], plays: Sequence[tuple[str, int]]) -> Documents:
    """A run of one sample for each of who has played what, an agent and the number of a task."""
    logs = []
    for agent, number in plays:
        task = suite.tasks.load(CORRECTED)[number]
        output = suite.answer(agent, task)
        score = suite.score(task, output)
        key, path = (score.identifier, 1), folder / f"{agent}-{number}.jsonl"
        logs.append(Log(path, {"suite": suite.name}, 1, (record_of(score),), {key: output}))
    runs, wrong = read_runs([], logs)
    assert wrong == []
    return Documents(tuple(runs))


# where the 3-D view has a thing, in the frame of houses: x, y, z; null if it is not drawn
PLACE = """((name) => {
    const node = document.querySelector('.replaying').house.nodes.get(name).find((n) => n?.visible);
    if (!node) return null;
    node.updateWorldMatrix(true, false);
    const at = node.matrixWorld.elements;
    return [-at[12], at[14], at[13]];
})"""


@pytest.mark.slow
@in_browser
@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("house.bring", "expert"),
        pytest.param("partnr.val", "expert", marks=pytest.mark.slow),
        pytest.param("embodiedeval.test", "oracle", marks=pytest.mark.slow),
    ],
)
def test_a_replay_is_stepped_through_to_the_end(
    browser: Browser, tmp_path: Path, name: str, agent: str
) -> None:
    suite = get_suite(name)
    made = played(tmp_path, suite, agent)
    (run,) = made.runs
    found = made.replay(run.id, 0)
    assert found is not None
    told = found.document
    steps, house = told["steps"], told["house"]
    page_file = tmp_path / "r.html"
    page_file.write_text(whole_page(made.all_of_runs(), made.details(made.select_samples(1), 1)))
    live = make_app(Current(lambda: made, lambda: ""), frozenset({"127.0.0.1"}))
    with served(live) as url:
        for address in (page_file.as_uri(), url):
            page = browser.page(f"{address}#/sample/{run.id}/0")
            page.wait_for("!!document.querySelector('.replaying')?.house")
            page.evaluate("document.querySelector('.replaying').focus()")
            place = "document.querySelector('.place').textContent"
            for number, step in enumerate(steps, 1):
                assert page.evaluate(place) == f"step {number} of {len(steps)}"
                assert (step["listed"] or step["call"]) in page.text(".replay-step")
                page.press("ArrowRight")
            assert page.evaluate(place) == "the end"
            if told["end"]["explanation"]:
                assert told["end"]["explanation"] in page.text(".replay-step")
            for role, path in house["paths"].items():
                assert page.evaluate(f"{PLACE}({role!r})")[:2] == pytest.approx(path[-1][1:3])
            last = {thing: at for _, thing, *at in house["changes"]}
            for thing, (_, x, y, z, _, bearer) in last.items():
                if not bearer:
                    there = page.evaluate(f"{PLACE}({thing!r})")
                    assert there == pytest.approx([x, y, z], abs=1e-4)
            assert page.problems == []
            fetched = requests(page)
            assert all(each.startswith((url, "data:", "blob:")) for each in fetched)
            if address == url:
                assert {f"{url}data/scene/{name}" for name in house["scenes"]} <= set(fetched)


@pytest.mark.slow
def test_a_house_is_written_once_for_all_replays_in_it(tmp_path: Path) -> None:
    made = replayed(tmp_path, get_suite("house.bring"), [("expert", 0), ("random", 0)])
    chosen = [(run.id, 0) for run in made.runs]
    by_path = dict(chain.from_iterable(made.details(chosen, 1)))
    scenes = {path for path in by_path if path.startswith("data/scene/")}
    named = [by_path[f"data/replay/{run}/0.json"]["house"]["scenes"] for run, _ in chosen]
    assert named[0][0] == named[1][0]
    assert scenes == {f"data/scene/{name}" for name in chain.from_iterable(named)}
    paths = [path for each in made.details(chosen, 1) for path, _ in each]
    assert len(paths) == len(set(paths))
    whole = whole_page(made.all_of_runs(), made.details(chosen, 1))
    assert whole.count('" data-pack="') == len(scenes) + 2
    shared = max(scenes, key=lambda path: len(by_path[path]))
    client = TestClient(make_app(Current(lambda: made, lambda: ""), frozenset({"testserver"})))
    assert client.get(f"/{shared}").status_code == 404  # nobody has asked for a replay yet
    for run, _ in reversed(chosen):
        assert client.get(f"/data/replay/{run}/0.json").json()["house"]["scenes"]
        answer = client.get(f"/{shared}")
        assert answer.content == by_path[shared]
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.slow
def test_a_scene_is_still_there_when_many_replays_were_looked_at_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homebody.web.viewing.KEPT", 1)
    made = replayed(tmp_path, get_suite("house.bring"), [("expert", 0), ("expert", -1)])
    current = Current(lambda: made, lambda: "")
    first, second = (current.replay(run.id, 0) for run in made.runs)
    assert first is not None
    assert second is not None
    for name, content in {**first.scenes, **second.scenes}.items():
        assert current.scene(name) == content
    with pytest.raises(KeyError):
        current.scene("other.glb")


@in_browser
def test_time_goes_on_by_itself_and_is_seen_through_somebodys_eyes(
    browser: Browser, tmp_path: Path
) -> None:
    made = played(tmp_path, get_suite("house.bring"), "expert")
    live = make_app(Current(lambda: made, lambda: ""), frozenset({"127.0.0.1"}))
    with served(live) as url:
        page = browser.page(f"{url}#/sample/{made.runs[0].id}/0")
        page.wait_for("!!document.querySelector('.replaying')?.house")
        select = "(([label, value]) => { const e = document.querySelector(`[aria-label=${label}]`);"
        select += " e.value = value; e.dispatchEvent(new Event('change')); })"
        page.evaluate(f"{select}(['View', 'eyes agent'])")
        assert page.evaluate("document.querySelector('.replaying').house.nodes") is not None
        assert page.evaluate(f"{PLACE}('agent')") is None  # nobody sees itself
        page.evaluate(f"{select}(['View', 'follow agent'])")
        page.evaluate(f"{select}(['Speed', '16'])")
        before = page.evaluate(f"{PLACE}('agent')")
        page.evaluate("document.querySelector('.replaying').focus()")
        page.press(" ")
        page.wait_for("document.querySelector('.place').textContent === 'the end'")
        assert page.evaluate(f"{PLACE}('agent')") != before
        assert page.problems == []


@pytest.mark.slow
@in_browser
def test_without_webgl_there_are_pictures(browser: Browser, tmp_path: Path) -> None:
    made = played(tmp_path, get_suite("house.bring"), "expert")
    live = make_app(Current(lambda: made, lambda: ""), frozenset({"127.0.0.1"}))
    with served(live) as url:
        page = browser.page()
        none = "HTMLCanvasElement.prototype.getContext = () => null"
        page.call("Page.addScriptToEvaluateOnNewDocument", source=none)
        page.open(f"{url}#/sample/{made.runs[0].id}/0")
        page.wait_for("!!document.querySelector('.replay-house.none')")
        page.wait_for("document.querySelector('.pictures img')?.naturalWidth > 0")


@in_browser
def test_a_run_that_grows_is_shown_growing(
    browser: Browser, toy: Suite[str], tmp_path: Path
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    run = {"suite": NAME, "agent": "worker", "model": None, "protocol": "corrected", "epochs": 1}
    tasks = [f"room-{number}" for number in range(4)]
    path = logs / "run.jsonl"
    begin_journal(path, run, tasks)
    viewed = Viewed([logs])

    def read() -> Documents:
        found, wrong = viewed.read()
        assert wrong == []
        return Documents(tuple(found), live=True)

    def answer(number: int) -> None:
        score = toy.score(tasks[number], "half")
        with path.open("ab") as file:
            file.write(scored_line((tasks[number], 1), ScoredSample("half", score)))

    answer(0)
    with served(make_app(Current(read, viewed.stamp), frozenset({"127.0.0.1"}))) as url:
        page = browser.page(url)
        page.wait_for("document.querySelector('#results')?.innerText.includes('1 of 4')")
        other = browser.page(f"{url}#/samples?verdict=partial")
        other.wait_for(f"{COUNT} === '1 sample'")
        answer(1)
        answer(2)
        page.wait_for("document.querySelector('#results')?.innerText.includes('3 of 4')")
        other.wait_for(f"{COUNT} === '3 samples'")
        answer(3)
        page.wait_for("!document.querySelector('#results')?.innerText.includes('of 4')")
        assert page.problems == other.problems == []
        assert all(name.startswith(url) for name in requests(page))


def test_a_folder_of_results_may_be_empty_while_a_run_goes_on(
    toy: Suite[str], tmp_path: Path
) -> None:
    results, logs = tmp_path / "results", tmp_path / "logs"
    results.mkdir()
    logs.mkdir()
    run = {"suite": NAME, "agent": "worker", "model": None, "protocol": "corrected", "epochs": 1}
    path = logs / "run.jsonl"
    begin_journal(path, run, ["room-0"])
    viewed = Viewed([results], logs)
    (found,), wrong = viewed.read()
    assert (found.name, len(found.records), found.total, wrong) == ("worker", 0, 1, [])
    with pytest.raises(HomebodyError):
        Viewed([tmp_path / "other"], logs).read()
    with path.open("ab") as file:
        file.write(scored_line(("room-0", 1), ScoredSample("half", toy.score("room-0", "half"))))
    with pytest.raises(HomebodyError, match="no results"):  # of a run that is over, there are some
        viewed.read()


@pytest.mark.slow
def test_the_application_answers_only_its_own_machine(toy: Suite[str], tmp_path: Path) -> None:
    folder = keep(tmp_path, toy, "m", ["yes"])
    current = Current(lambda: documents(folder, live=True), lambda: "")
    client = TestClient(make_app(current, frozenset({"testserver"})))
    runs = client.get("/data/runs.json")
    assert runs.json()["live"] is True
    assert "default-src 'self'" in runs.headers["content-security-policy"]
    assert client.get("/").text.startswith("<!DOCTYPE html>")
    assert client.get("/data/sample/" + f"{NAME}.m/0.json").json()["verdict"] == "success"
    for path in (f"{NAME}.m/1", f"{NAME}.m/-1", "x/0", "..%2f..%2fetc/0"):
        assert client.get(f"/data/sample/{path}.json").status_code == 404
    assert client.get("/data/samples/x.json").status_code == 404
    assert client.get("/data/runs.json", headers={"host": "evil.example"}).status_code == 421
    assert client.post("/data/runs.json", headers={"origin": "http://evil"}).status_code == 403


@pytest.mark.slow
def test_what_can_no_more_be_read_stays_as_it_was(toy: Suite[str], tmp_path: Path) -> None:
    viewed = Viewed([tmp_path])
    keep(tmp_path, toy, "m", ["yes"])
    current = Current(lambda: Documents(tuple(viewed.read()[0])), viewed.stamp)
    first = current.version
    current._looked = -10.0
    assert current.version == first
    for path in (tmp_path / "m").iterdir():
        path.unlink()
    current._looked = -10.0
    assert [run.name for run in current.documents().runs] == ["m"]
    assert json.loads(json.dumps(current.version)) == first
