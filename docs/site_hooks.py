"""Pages of the site that are made: the command line, the API, the changelog, how to contribute and
cite, and the notebooks.

MkDocs calls `on_config`, `on_files`, `on_page_markdown` and `on_post_page` (`hooks` in mkdocs.yml).
Nothing is written into docs/.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

import homebody
from homebody.cli import app
from homebody.cli.command import OTHER, PANELS

ROOT = Path(__file__).parents[1]
SECTION = re.compile(r"^### \[(.*)\]\((api[\w-]*\.md)\)$", re.MULTILINE)
"""A heading of docs/reference/python.md: the title and path of a page on some names."""
NAMES = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \| (.*) \|$", re.MULTILINE)
"""A row of the table of all names in docs/reference/python.md."""
ROOT_LINKS = {
    "docs/": "../",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "licences.md",
    "SECURITY.md": "#security",
    "CODE_OF_CONDUCT.md": "#code-of-conduct",
}
"""Beginning of a link in the root of the repository -> its beginning on a page in project/."""
SEARCH = 'data-md-component="search" role="dialog"'
WORKER_SHIM = "https://unpkg.com/iframe-worker/shim"
"""Script that the theme's offline pages load; without a network they would have no search."""
SEARCH_RANKS = {
    **dict.fromkeys(("reference/api", "reference/cli", "reference/houses/gallery"), 0.1),
    **dict.fromkeys(("trust/", "project/", "guides/migrate/"), 0.3),
    **dict.fromkeys(("guides/", "get-started/"), 3.0),
}
"""Beginning of a page's path -> the weight of its hits in the search; the first that fits."""
API_STYLES = re.compile(r'<link rel="stylesheet" href="[^"]*_mkdocstrings.css">')


def on_config(config: MkDocsConfig) -> None:
    """Show a list of versions, if mike builds the site as one of several."""
    if "MIKE_DOCS_VERSION" in os.environ:
        config.extra["version"] = {"provider": "mike"}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    pages = {
        "reference/cli.md": "\n".join(command_pages()),
        **dict(api_pages()),
        "project/changelog.md": changelog(),
        "project/contribute.md": contribute_page(),
    }
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    for notebook in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        pictures: dict[str, bytes] = {}
        page = "\n\n".join(notebook_page(notebook, pictures))
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=page))
        for name, data in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=data))
    return files


def notebook_page(path: Path, pictures: dict[str, bytes]) -> Iterator[str]:
    """Yield the parts of a notebook's page, and add the pictures that its cells show."""
    for number, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield re.sub(r"\(([\w-]+)\.ipynb\)", r"(\1.md)", source)
            if number == 0:
                yield " · ".join(notebook_links(path))
        else:
            yield f"```python\n{source}\n```"
        for at, output in enumerate(cell.get("outputs", ())):
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{path.stem}-{number}-{at}.png"
                pictures[name] = base64.b64decode("".join(data["image/png"]))
                yield f"![What the cell shows]({name})"
            elif "text/html" in data:
                yield "".join(data["text/html"])
            else:
                yield f"```text\n{''.join(output.get('text', data.get('text/plain', '')))}\n```"


def notebook_links(path: Path) -> Iterator[str]:
    """Yield where a notebook can be opened: in Colab only once the address of the source is set."""
    yield f"[Download this notebook]({path.name})"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    source = project.get("urls", {}).get("Source", "").rstrip("/")
    if source.startswith("https://github.com/"):
        place = f"{source.removeprefix('https://github.com/')}/blob/v{homebody.__version__}"
        address = f"https://colab.research.google.com/github/{place}/docs/notebooks/{path.name}"
        yield f"[Open it in Colab]({address})"


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Rank pages in the search."""
    for prefix, weight in SEARCH_RANKS.items():
        if page.file.src_uri.startswith(prefix):
            page.meta.setdefault("search", {}).setdefault("boost", weight)


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    """Name the search for screen readers, load the styles of the API only on its pages, and load
    nothing from elsewhere."""
    shim = get_relative_url("javascripts/offline_search.js", page.url)
    output = output.replace(WORKER_SHIM, shim)
    output = output.replace(SEARCH, f'{SEARCH} aria-label="Search"')
    return output if page.file.src_uri.startswith("reference/api") else API_STYLES.sub("", output)


def command_pages() -> Iterator[str]:
    """Yield the lines of the page on the command line."""
    yield "# Command line\n"
    yield "All commands and options, as `homebody COMMAND --help` prints them.\n"
    yield from describe_command(app, "homebody", None, 1)


def describe_command(
    command: click.Command, path: str, parent: click.Context | None, level: int
) -> Iterator[str]:
    """Yield the lines about a command and the commands in it."""
    settings = command.context_settings
    context = click.Context(command, parent, path.rpartition(" ")[2], **settings)
    if level > 1:
        yield f"{'#' * min(level, 4)} {path}\n"
    yield paragraphs(command.help or "")
    parameters = [each for each in command.get_params(context) if "--help" not in each.opts]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inside = command.get_command(context, name)
            if inside is not None and not inside.hidden:
                yield from describe_command(inside, f"{path} {name}", context, level + 1)
        return
    pieces = " ".join(command.collect_usage_pieces(context))
    yield f"    {path} {pieces}\n"
    for panel in ("", *PANELS):
        rows = [describe_parameter(each, context) for each in parameters if panel_of(each) == panel]
        if rows:
            yield f"| {panel or 'Argument'} | value | meaning |\n|---|---|---|"
            yield from rows
            yield ""


def panel_of(parameter: click.Parameter) -> str:
    """Return the heading of an option, and an empty text for an argument."""
    return "" if isinstance(parameter, click.Argument) else getattr(parameter, "panel", OTHER)


def describe_parameter(parameter: click.Parameter, context: click.Context) -> str:
    """Return a row of the table of a command's options."""
    if isinstance(parameter, click.Option):
        names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
        value = "" if parameter.is_flag else code(parameter.make_metavar(context))
    else:
        names, value = code(parameter.make_metavar(context)), ""
    record = parameter.get_help_record(context)
    return f"| {names} | {value} | {html.escape(cell(record[1] if record else ''))} |"


def code(text: str) -> str:
    """Return a text as code in a cell."""
    return f"`{cell(text)}`"


def cell(text: str) -> str:
    """Return a text as it is written in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def paragraphs(text: str) -> str:
    """Return a docstring without its indentation; lines behind \\b stay as they are."""
    blocks = re.split(r"\n\s*\n", text.strip())
    shown = []
    for block in blocks:
        lines = [line.strip() for line in block.splitlines()]
        if lines and lines[0] == "\b":
            shown.append("\n".join(f"    {line}" for line in lines[1:]))
        else:
            shown.append(" ".join(lines))
    return "\n\n".join(shown) + "\n"


def api_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of each page on the Python API, as docs/reference/python.md groups
    all names. One page would be slow on a telephone."""
    listed: list[str] = []
    _, *sections = SECTION.split((ROOT / "docs/reference/python.md").read_text())
    for title, path, table in zip(*[iter(sections)] * 3, strict=True):
        lines = [f"# {title} (Python API)"]
        lines.append("Generated from the code. `hb` is `import homebody as hb`.")
        for names, heading in NAMES.findall(table):
            group = re.findall(r"`(\w+)`", names)
            listed += group
            lines.append(f"## {heading[0].upper() + heading[1:].replace('`', '')}")
            lines += [f"::: homebody.{name}" for name in group if not name.startswith("__")]
        yield f"reference/{path}", "\n\n".join(lines)
    missing = set(homebody.__all__) - set(listed)
    if missing:
        raise ValueError(f"docs/reference/python.md does not name {sorted(missing)}")


def changelog() -> str:
    """Return the changelog, with links as they are from its place on the site."""
    return (ROOT / "CHANGELOG.md").read_text().replace("](docs/", "](../")


def contribute_page() -> str:
    """Return how to cite, contribute and report, from the files in the root of the repository."""
    cite = (ROOT / "README.md").read_text().partition("\n## Cite\n")[2]
    parts = [
        "# Contribute and cite",
        "How to cite homebody, report a problem or send a change.",
        "## Cite",
        cite,
    ]
    for name in ("CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT"):
        parts.append(re.sub("^#", "##", (ROOT / f"{name}.md").read_text(), flags=re.MULTILINE))
    text = "\n\n".join(part.strip() for part in parts)
    for old, new in ROOT_LINKS.items():
        text = text.replace(f"]({old}", f"]({new}")
    return text + "\n"
