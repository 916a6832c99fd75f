"""The page that shows documents, as a folder for any web host or as one file.

The single file needs no network: it has one script with all modules, allowed by its digest, and the
documents as inert data.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

from homebody.core.ground.files import make_folder, write_whole
from homebody.results.viewing.documents import to_json
from homebody.results.viewing.replays import SCENES
from homebody.worlds import house

FOLDER: Final = Path(__file__).parent / "page"
SHARED: Final = Path(house.__file__).parent / "browser"
"""Folder of the files shared with the page of play."""
HOUSE: Final = "filmed_house.js"
"""A large module that is included only if needed."""
ENTRY: Final = "viewer.js"
KINDS: Final = {".jpg": "image/jpeg", ".glb": "model/gltf-binary"}
"""Suffix -> media type of files that replays name."""
PACK: Final = 32
"""Documents per pack; neighbouring documents compress well together."""
_POLICY: Final = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")[^"]*(">)')
_IMPORT: Final = re.compile(
    r"""import\s*(\{[^}]*\}|\*\s*as\s+[\w$]+)\s*from\s*["']\./([\w.]+)["'];?"""
)
_LATER: Final = re.compile(r"""import\(["']\./([\w.]+)["']\)""")
_EXPORT: Final = re.compile(
    r"^export\s+(?=((?:async\s+)?function\*?|const|let|class)\s+([\w$]+))", re.M
)
_EXPORTS: Final = re.compile(r"(?:^|(?<=[;}]))export\s*\{([^}]*)\};?", re.M)


def files() -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the page's files."""
    for folder in (FOLDER, SHARED):
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.suffix != ".md":
                yield path.name, path.read_bytes()


def write_folder(folder: Path, documents: Iterable[tuple[str, Any]]) -> int:
    """Write the page and its documents into a folder; return the number of bytes.

    Raises:
        HomebodyError: The folder cannot be written.
    """
    total = 0
    for name, data in files():
        make_folder(folder)
        write_whole(folder / name, data)
        total += len(data)
    for path, document in documents:
        data = document if isinstance(document, bytes) else to_json(document).encode()
        make_folder((folder / path).parent)
        write_whole(folder / path, data)
        total += len(data)
    return total


def whole_page(
    documents: Iterable[tuple[str, Any]],
    details: Iterable[Sequence[tuple[str, Any]]] = (),
    title: str = "",
) -> str:
    """Return the page as one file.

    Args:
        documents: Documents by path, available at once.
        details: Each sample's documents by path, unpacked on demand; files are bytes.
        title: Title of the page.
    """
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    packs: list[str] = []
    index: dict[str, int] = {}
    for number, pack in enumerate(_packs(details)):
        index.update(dict.fromkeys(pack, number))
        data = b64encode(gzip.compress(to_json(pack).encode(), 6, mtime=0)).decode()
        packs.append(f'<script type="text/plain" data-pack="{number}">{data}</script>')
    script = (
        link_modules(ENTRY, HOUSE)
        if any(path.endswith(".glb") for path in index)
        else link_modules(ENTRY)
    )
    assert "</script" not in script
    plain = [
        f'<script type="application/json" data-path="{escape(path)}">{_inert(document)}</script>'
        for path, document in (*documents, ("index", index))
    ]
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}';"
        " img-src data: blob:; connect-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    page = (FOLDER / "index.html").read_text(encoding="utf-8")
    parts = {
        '<html lang="en">': '<html lang="en" data-whole>',
        "<title>homebody</title>": f"<title>{escape(title or 'homebody')}</title>",
        '<link rel="stylesheet" href="style.css">': f"<style>{style}</style>",
        f'<script type="module" src="{ENTRY}"></script>': "\n".join(
            [*plain, *packs, f'<script type="module">{script}</script>']
        ),
    }
    page, replaced = _POLICY.subn(lambda found: f"{found[1]}{policy}{found[2]}", page)
    assert replaced == 1
    for place, part in parts.items():
        before, found, after = page.partition(place)
        assert found, place
        page = f"{before}{part}{after}"
    return page


def _packs(details: Iterable[Sequence[tuple[str, Any]]]) -> Iterator[dict[str, Any]]:
    """Yield packs of documents: several samples, one sample with files, or one shared file."""
    pack: dict[str, Any] = {}
    number = 0
    for documents in details:
        own = []
        for path, document in documents:
            if path.startswith(f"{SCENES}/"):
                yield {path: _as_text(path, document)}
            else:
                own.append((path, document))
        files = any(isinstance(document, bytes) for _, document in own)
        if pack and (files or number == PACK):
            yield pack
            pack, number = {}, 0
        pack |= {path: _as_text(path, document) for path, document in own}
        number = PACK if files else number + 1
    if pack:
        yield pack


def _as_text(path: str, document: Any) -> Any:
    """Return a file as a data URL; any other document unchanged."""
    if not isinstance(document, bytes):
        return document
    kind = KINDS.get(Path(path).suffix, "application/octet-stream")
    return f"data:{kind};base64,{b64encode(document).decode()}"


def _inert(document: Any) -> str:
    """Return a document as JSON that cannot end an HTML element or start a comment."""
    text = to_json(document).replace("&", "\\u0026")
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def link_modules(*entries: str) -> str:
    """Return entries and the modules that they import as one script.

    Each module becomes a function that returns its exports. Modules import by name from files
    beside them, without top-level await. Dynamic imports work only for entries.
    """
    modules: dict[str, str] = {}

    def add(name: str) -> None:
        folder = FOLDER if (FOLDER / name).exists() else SHARED
        source = (folder / name).read_text(encoding="utf-8")
        for _, needed in _IMPORT.findall(source):
            if needed not in modules:
                add(needed)
        modules[name] = _as_function(name, source)

    for entry in reversed(entries):  # the first entry runs last
        add(entry)
    return "const modules = {};\n" + "\n".join(modules.values())


def _as_function(name: str, source: str) -> str:
    exported: dict[str, str] = {found[1]: found[1] for found in _EXPORT.findall(source)}
    for listed in _EXPORTS.findall(source):
        for each in filter(None, map(str.strip, listed.split(","))):
            own, _, public = each.partition(" as ")
            exported[(public or own).strip()] = own.strip()

    def as_constant(found: re.Match[str]) -> str:
        names = found[1]
        names = (
            names[1:].partition("as")[2] if names.startswith("*") else names.replace(" as ", ": ")
        )
        return f"const {names.strip()} = modules['{found[2]}'];"

    source = _LATER.sub(r"Promise.resolve(modules['\1'])", source)
    body = _EXPORTS.sub("", _EXPORT.sub("", _IMPORT.sub(as_constant, source)))
    given = ", ".join(f"{public}: {own}" for public, own in exported.items())
    return f"modules['{name}'] = (() => {{\n{body}\nreturn {{ {given} }};\n}})();"
