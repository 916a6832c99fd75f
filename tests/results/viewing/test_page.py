"""The page as a file: its modules in one script, its documents where nothing in them acts."""

from __future__ import annotations

import re
import subprocess
from base64 import b64decode, b64encode
from gzip import decompress
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from shutil import which

import orjson
import pytest

from homebody.results.viewing import page
from homebody.results.viewing.page import link_modules, whole_page, write_folder
from toy_runs import EVIL

SAFE = EVIL.encode(errors="replace").decode()


class Scripts(HTMLParser):
    """The scripts of a page, as a browser finds them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[dict[str, str | None], str]] = []
        self.links: list[str] = []
        self._inside: dict[str, str | None] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [str(given[key]) for key in ("src", "href") if key in given]
        if tag == "script":
            self._inside = given
            self.found.append((given, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is not None:
            self.found[-1] = (self._inside, self.found[-1][1] + data)


def test_documents_are_in_the_page_and_do_nothing() -> None:
    document = {"name": SAFE, "number": 1}
    text = whole_page([("data/runs.json", document)], [[("data/sample/a/0.json", document)]], SAFE)
    scripts = Scripts(text)
    kinds = [attrs["type"] for attrs, _ in scripts.found]
    assert kinds == ["application/json", "application/json", "text/plain", "module"]
    assert orjson.loads(scripts.found[0][1]) == document
    packed = decompress(b64decode(scripts.found[2][1]))
    assert orjson.loads(packed) == {"data/sample/a/0.json": document}
    assert "<!--" not in text
    assert [link for link in scripts.links if not link.startswith(("#", "data:"))] == []


def test_only_the_script_of_the_page_may_run() -> None:
    text = whole_page([])
    script = Scripts(text).found[-1][1]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = re.search(r'Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none'")
    assert text.count("Security-Policy") == 1


@pytest.mark.skipif(which("node") is None, reason="there is no Node")
def test_modules_are_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    (tmp_path / "a.js").write_text(
        "import { one, two as zwei } from './b.js';\nimport * as all from \"./c.min.js\";\n"
        "console.log(one, zwei(), all.Three, new all.Four().five);"
    )
    (tmp_path / "b.js").write_text(
        "const x = 1;\nexport const one = x;\nexport function two() { return 2; }"
    )
    (tmp_path / "c.min.js").write_text("var x=3;class y{five=5}export{x as Three,y as Four};")
    (tmp_path / "all.js").write_text(link_modules("a.js"))
    ran = subprocess.run(["node", tmp_path / "all.js"], capture_output=True, text=True, check=True)
    assert ran.stdout == "1 2 3 5\n"


def test_a_folder_has_the_page_and_its_documents(tmp_path: Path) -> None:
    size = write_folder(
        tmp_path / "new", [("data/sample/a/0.json", {"name": SAFE}), ("x/y.glb", b"z")]
    )
    files = [path for path in (tmp_path / "new").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) == size
    assert orjson.loads((tmp_path / "new/data/sample/a/0.json").read_bytes()) == {"name": SAFE}
    assert (tmp_path / "new/x/y.glb").read_bytes() == b"z"
    index = (tmp_path / "new/index.html").read_text()
    assert "Security-Policy\" content=\"default-src 'self'" in index, "it loads nothing else"
