"""A real browser, driven over its DevTools protocol: keys, clicks, and what is on the page."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
_KEYS = {
    "Enter": 13,
    "Escape": 27,
    "Tab": 9,
    "ArrowDown": 40,
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "ArrowUp": 38,
}

_CLOCK = """(() => {
  let [now, last, waiting] = [0, 0, new Map()];
  performance.now = () => now;
  window.requestAnimationFrame = (call) => { waiting.set(++last, call); return last; };
  window.cancelAnimationFrame = (number) => waiting.delete(number);
  window.advance = (ms) => {
    const due = [...waiting.values()];
    [now, waiting] = [now + ms, new Map()];
    for (const call of due) call(now);
    return true;
  };
  const { getParameter } = WebGL2RenderingContext.prototype; // houses are drawn finely at once
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    return name === 0x9246 ? 'a graphics card' : getParameter.call(this, name);
  };
})()"""


class Channel:
    """What is said to a browser, or to a tab of it, and what it says.

    Attributes:
        problems: What pages complained of.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = count(1)
        self._session = ""
        self.problems: list[str] = []

    def call(self, method: str, **params: Any) -> Any:
        number = next(self._ids)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._socket.send(json.dumps(message))
        while True:
            told = json.loads(self._socket.recv(timeout=60))
            if told.get("id") == number:
                assert "error" not in told, told
                return told["result"]
            if told.get("method") == "Runtime.exceptionThrown":
                self.problems.append(json.dumps(told["params"])[:2_000])
            elif told.get("method") == "Log.entryAdded":
                entry = told["params"]["entry"]
                if entry["level"] == "error" and entry["source"] != "network":
                    self.problems.append(entry["text"])


class Page(Channel):
    """A tab of a browser."""

    def __init__(self, socket: ClientConnection, target: str) -> None:
        super().__init__(socket)
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def open(self, url: str) -> None:
        self.call("Page.navigate", url=url)

    def evaluate(self, code: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        told = self._evaluated(code)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def wait_for(self, code: str, seconds: float = 60.0) -> Any:
        """Wait until an expression is true, and give its value; it may fail before that."""
        end = time.monotonic() + seconds
        while True:
            told = self._evaluated(code)
            found = None if "exceptionDetails" in told else told["result"].get("value")
            if found:
                return found
            assert time.monotonic() < end, (code, self.text("body")[:2_000], self.problems)
            time.sleep(0.03)

    def _evaluated(self, code: str) -> Any:
        return self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)

    def text(self, selector: str) -> str:
        """The words that are seen of an element."""
        return str(
            self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")
        )

    def press(self, key: str) -> None:
        """Press a key, and let it go."""
        code = _KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        down = {"text": text} if text else {}
        self.call(
            "Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **down
        )
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def write(self, text: str) -> None:
        """Type a text."""
        self.call("Input.insertText", text=text)

    def click(self, x: float, y: float) -> None:
        """Click at a place of the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Put a finger down, move it, and lift it."""
        for at in range(6):
            x, y = (a + (b - a) * at / 5 for a, b in zip(start, end, strict=True))
            kind = "touchMove" if at else "touchStart"
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        if start != end:
            time.sleep(0.5)  # a tap that follows at once only stops what was flung

    def tap(self, x: float, y: float) -> None:
        """Tap with a finger at a place of the window."""
        self.drag((x, y), (x, y))

    def click_on(self, selector: str) -> None:
        """Click in the middle of an element, when it is there."""
        self.click(*self.middle(selector))

    def tap_on(self, selector: str) -> None:
        """Tap in the middle of an element, when it is there."""
        self.tap(*self.middle(selector))

    def middle(self, selector: str, block: str = "center") -> tuple[float, float]:
        """Of an element, when it is there, where the window shows it."""
        x, y = self.wait_for(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            f" if (!e || e.disabled) return null; e.scrollIntoView({{block: '{block}'}});"
            " const b = e.getBoundingClientRect();"
            " return b.width ? [b.x + b.width / 2, b.y + b.height / 2] : null; })()"
        )
        return x, y

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""
        self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            f" e.value = {value!r}; e.dispatchEvent(new Event('change')); }})()"
        )

    def stop_time(self) -> None:
        """Let time pass in the pages that are opened only when advance(milliseconds) is called."""
        self.call("Page.addScriptToEvaluateOnNewDocument", source=_CLOCK)

    def resize(self, width: int, height: int, scale: float = 1, mobile: bool = False) -> None:
        """Change the size of the window, in CSS pixels, and the pixels of a picture for each."""
        size = {"width": width, "height": height, "deviceScaleFactor": scale}
        self.call("Emulation.setDeviceMetricsOverride", mobile=mobile, **size)

    def screenshot(self) -> bytes:
        """Return a picture of the page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def picture(self, path: Path) -> None:
        """Write what is seen as PNG."""
        path.write_bytes(self.screenshot())


class Browser:
    """A browser without a window."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._open = ExitStack()

    def page(
        self, url: str = "about:blank", width: int = 1280, height: int = 800, touch: bool = False
    ) -> Page:
        """A new tab, in a profile of its own; with touch it is a phone's."""
        socket = self._open.enter_context(connect(self._address, max_size=None, close_timeout=0.2))
        whole = Channel(socket)
        context = whole.call("Target.createBrowserContext")["browserContextId"]
        target = whole.call(
            "Target.createTarget",
            url="about:blank",
            browserContextId=context,
            width=width,
            height=height,
        )
        page = Page(socket, target["targetId"])
        page.resize(width, height, mobile=touch)
        page.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        page.open(url)
        return page

    def close(self) -> None:
        with connect(self._address, close_timeout=0.2) as socket:
            Channel(socket).call("Browser.close")
        self._open.close()


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """A browser, until the block ends."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--disable-background-networking",
        "--no-first-run",
        "--disable-dev-shm-usage",
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if line.startswith("DevTools listening on "):
                break
        browser = Browser(line.split()[-1])
        yield browser
        browser.close()
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stderr.close()
