"""`homebody view`: runs as a page served on this machine, updated as they change."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, HTTPException, Response

from homebody._version import __version__
from homebody.core import HomebodyError
from homebody.results.viewing.documents import Documents, to_json
from homebody.results.viewing.page import FOLDER, KINDS
from homebody.results.viewing.replays import SCENES, ShownReplay
from homebody.web.access import LOCAL
from homebody.web.connection_limits import listen, make_server
from homebody.web.guard import Guard, page_of

KEPT: Final = 4
"""Number of replays kept in memory for their pictures."""
EVERY: Final = 1.0
"""Minimum seconds between two checks of the files."""


class Current:
    """The documents of runs, read again when they change.

    Args:
        read: Reads the documents.
        stamp: Returns a string that changes when the documents would.
    """

    def __init__(self, read: Callable[[], Documents], stamp: Callable[[], str]) -> None:
        self._read = read
        self._stamp = stamp
        self._lock = threading.Lock()
        self._looked = -EVERY
        self._stamped = ""
        self._documents: Documents | None = None
        self._playing = threading.Lock()
        self._replays: dict[tuple[int, str, int], ShownReplay | None] = {}
        self._named: dict[str, tuple[str, int]] = {}  # scene -> run and sample that last named it

    @property
    def version(self) -> str:
        """A hash of the current documents."""
        self.documents()
        return hashlib.sha256(self._stamped.encode(errors="replace")).hexdigest()[:16]

    def documents(self) -> Documents:
        """Return the current documents. If they cannot be read any more, return the last ones."""
        with self._lock:
            now = time.monotonic()
            if self._documents is None or now - self._looked >= EVERY:
                self._refresh()
                self._looked = time.monotonic()
            assert self._documents is not None
            return self._documents

    def replay(self, run: str, number: int) -> ShownReplay | None:
        """Return a replay with its files; the last few are cached.

        Raises KeyError or IndexError if the run or sample does not exist.
        """
        documents = self.documents()
        with self._playing:
            key = (id(documents), run, number)
            if key not in self._replays:
                made = documents.replay(run, number)
                self._replays[key] = made
                while len(self._replays) > KEPT:
                    del self._replays[next(iter(self._replays))]
                if made is not None:
                    self._named |= dict.fromkeys(made.scenes, (run, number))
            return self._replays[key]

    def picture(self, run: str, number: int, name: str) -> bytes:
        """Return a picture of a replay; raise KeyError or IndexError if it does not exist."""
        found = self.replay(run, number)
        if found is None:
            raise KeyError(name)
        with self._playing:
            return found.pictures[name]()

    def scene(self, name: str) -> bytes:
        """Return a file that replays share; raise KeyError if no replay has named it."""
        found = self.replay(*self._named[name])
        if found is None:
            raise KeyError(name)
        return found.scenes[name]

    def _refresh(self) -> None:
        try:
            stamp = self._stamp()
            if self._documents is None or stamp != self._stamped:
                self._documents, self._stamped = self._read(), stamp
        except HomebodyError:
            if self._documents is None:
                raise


def make_app(current: Current, hosts: frozenset[str]) -> FastAPI:
    """Return the application.

    Args:
        current: The files and runs that are shown.
        hosts: Names of the server.
    """
    app = FastAPI(title="homebody view", version=__version__, docs_url=None, redoc_url=None)

    def answer(document: Any) -> Response:
        return Response(
            to_json(document), media_type="application/json", headers={"cache-control": "no-store"}
        )

    @app.get("/data/version.json")
    def version() -> Response:
        return answer({"version": current.version})

    @app.get("/data/runs.json")
    def runs() -> Response:
        return answer(current.documents().overview)

    @app.get("/data/samples/{run}.json")
    def samples(run: str) -> Response:
        return answer(_or_not_found(lambda: current.documents().columns(run)))

    @app.get("/data/sample/{run}/{number}.json")
    def sample(run: str, number: int) -> Response:
        return answer(_or_not_found(lambda: current.documents().sample(run, number)))

    @app.get("/data/replay/{run}/{number}.json")
    def replay(run: str, number: int) -> Response:
        found = _or_not_found(lambda: current.replay(run, number))
        return answer(None if found is None else found.document)

    def answer_file(name: str, content: bytes, keep: str) -> Response:
        kind = KINDS.get(Path(name).suffix, "application/octet-stream")
        return Response(content, media_type=kind, headers={"cache-control": keep})

    @app.get("/data/replay/{run}/{number}/{file}")
    def picture(run: str, number: int, file: str) -> Response:
        found = _or_not_found(lambda: current.picture(run, number, file))
        return answer_file(file, found, "no-store")

    @app.get(f"/{SCENES}/{{file}}")
    def scene(file: str) -> Response:
        found = _or_not_found(lambda: current.scene(file))
        return answer_file(file, found, "private, max-age=31536000, immutable")

    app.mount("/", page_of(FOLDER))
    app.add_middleware(Guard, hosts=hosts)
    return app


def _or_not_found(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (KeyError, IndexError):
        raise HTTPException(404, "run or sample not found") from None


def serve_view(current: Current, host: str, port: int, tell: Callable[[str], object]) -> None:
    """Serve until interrupted; ``tell`` receives the address.

    Raises HomebodyError if the address is taken or there are no runs.
    """
    current.documents()
    with listen(host, port) as sock:
        name = f"[{host}]" if ":" in host else host
        tell(f"http://{name}:{sock.getsockname()[1]}/")
        make_server(make_app(current, frozenset({*LOCAL, host}))).run(sockets=[sock])
