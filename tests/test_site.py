"""The scripts of the documentation site."""

from __future__ import annotations

from pathlib import Path

import pytest

from places import DOCS
from web.browser import CHROMIUM, browsing

PAGE = """<!doctype html><script src=SHIM></script><body><script>
  const worker = new Worker('worker.js');
  worker.addEventListener('message', (event) => { document.title = event.data; });
  worker.postMessage(21);
</script>"""
WORKER = "addEventListener('message', (event) => postMessage(`twice: ${2 * event.data}`));"


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_the_search_works_without_a_server(tmp_path: Path) -> None:
    shim = (DOCS / "javascripts/offline_search.js").as_uri()
    (tmp_path / "worker.js").write_text(WORKER)
    (tmp_path / "page.html").write_text(PAGE.replace("SHIM", shim))
    with browsing(tmp_path / "profile") as browser:
        page = browser.page()
        page.open((tmp_path / "page.html").as_uri())
        assert page.wait_for("document.title") == "twice: 42"
