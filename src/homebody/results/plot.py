"""Figures of difficulty (EAI paper, figures 35 and 36), with matplotlib."""

from __future__ import annotations

import io
import math
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from homebody.core import HomebodyError
from homebody.core.ground.files import make_folder, write_whole
from homebody.results.difficulty import kind_order, regroup
from homebody.results.difficulty_tables import Models, shared_bounds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".pdf", ".png", ".svg")
LOOKS = (
    ("#0072B2", "o"),
    ("#D55E00", "s"),
    ("#009E73", "^"),
    ("#CC79A7", "D"),
    ("#E69F00", "v"),
    ("#56B4E9", "P"),
    ("#000000", "X"),
    ("#7F7F7F", "*"),
)
"""Colour and marker of each model; Okabe and Ito's colours suit colour-blind readers."""
_COLUMNS = 3
_NAME_LENGTH = 40
_LINE_LENGTH = 120
"""Characters that fit across a figure."""
_GREY, _FAINT = "#666666", "#DDDDDD"
Interval: TypeAlias = tuple[float, float, float]
"""A proportion and the two ends of its interval, in [0, 1]."""
_STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 7.5,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "legend.frameon": False,
    "text.parse_math": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "homebody",
    "savefig.dpi": 300,
}


def plot_difficulty(models: Models, path: Path) -> None:
    """Plot the metric against each factor for all models (figure 35).

    Points are means over groups of tasks with 95 % intervals; the numbers below are task counts.
    Headings have the rank correlations.

    Args:
        models: Model name -> result of :func:`homebody.results.difficulty.difficulty`.
        path: The file to write: .pdf, .png or .svg.

    Raises:
        HomebodyError: matplotlib is not installed, the file cannot be written or has another
            suffix, or there are no models or too many.
    """
    titles = [factor.name for model in list(models)[:1] for factor in models[model].factors]
    rows = math.ceil(len(titles) / _COLUMNS)
    with _figure(models, path, (7.2, 0.5 + 2.1 * rows)) as figure:
        axes = figure.subplots(rows, _COLUMNS, sharey=True, squeeze=False)
        for at, (axis, title) in enumerate(zip(axes.flat, titles, strict=False)):
            _factor(axis, models, at, f"{string.ascii_lowercase[at]}  {title.capitalize()}")
        for axis in axes.flat[len(titles) :]:
            axis.set_axis_off()
        for axis in axes[:, 0]:
            axis.set_ylabel(_metric(models))


def plot_actions(models: Models, path: Path) -> None:
    """Plot results by action and by goal predicate (figure 36).

    The panels show the share of executed steps per action, the metric over tasks whose ground truth
    uses the action, and the share of goals met. Intervals are 95 %; numbers are task counts.

    Raises:
        HomebodyError: As in :func:`plot_difficulty`.
    """
    executed = {
        model: {u.name: (u.executed, u.executed_low, u.executed_high) for u in measured.actions}
        for model, measured in models.items()
    }
    used = {
        model: {u.name: (u.mean, u.low, u.high) for u in measured.actions}
        for model, measured in models.items()
    }
    met = {
        model: {f"{u.kind} {u.name}": (u.met, u.low, u.high) for u in measured.predicates}
        for model, measured in models.items()
    }
    actions = _by_size((u.name, u.tasks) for f in models.values() for u in f.actions if u.tasks)
    goals: list[tuple[str, str]] = []
    kinds = {u.kind for measured in models.values() for u in measured.predicates}
    for kind in sorted(kinds, key=kind_order):
        labelled = _by_size(
            (u.name, u.tasks) for f in models.values() for u in f.predicates if u.kind == kind
        )
        if labelled:
            goals.append(("", f"{kind.capitalize()} goals"))
            goals += [(f"{kind} {name}", label) for name, label in labelled]
    long, short = max(len(actions), len(goals), 1), max(min(len(actions), len(goals)), 1)
    height = long * (0.12 + 0.03 * (len(models) - 1))
    with _figure(models, path, (7.2, 1.1 + height)) as figure:
        # rows have the same height in all panels, so shorter panels end earlier
        grid = figure.add_gridspec(2, 3, height_ratios=(short, max(long - short, 1e-3)), hspace=0)
        top, whole = slice(0, 1), slice(0, 2)
        left = whole if len(actions) == long else top
        right = whole if len(goals) == long else top
        steps = figure.add_subplot(grid[left, 0])
        _dots(steps, executed, actions, "a  Steps executed")
        steps.set_xlabel("Steps (%)")
        tasks = figure.add_subplot(grid[left, 1])
        _dots(tasks, used, actions, "b  Tasks with the action")
        tasks.set_xlabel(_metric(models))
        tasks.tick_params(axis="y", labelleft=False)  # as in the panel to the left
        conditions = figure.add_subplot(grid[right, 2])
        _dots(conditions, met, goals, "c  Goals met")
        conditions.set_xlabel("Goals (%)")


# -- parts ---------------------------------------------------------------------------------------


def check_figure(path: Path) -> None:
    """Check in advance that a figure can be written; make its folder.

    Raises:
        HomebodyError: The suffix is unknown, the file cannot be written, or matplotlib is not
            installed.
    """
    _suffix(path)
    make_folder(path.parent)
    if path.is_dir():
        raise HomebodyError(f"cannot write {path}: it is a folder")
    _need_matplotlib()


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise HomebodyError(
            f"cannot plot {path}: {suffix or 'no suffix'} is not a figure format",
            f"end its name with one of: {', '.join(SUFFIXES)}",
        )
    return suffix


def _need_matplotlib() -> None:
    try:
        import matplotlib
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise HomebodyError(
            f"figures need matplotlib: {error}", 'install it: pip install "homebody[plots]"'
        ) from error


@contextmanager
def _figure(models: Models, path: Path, size: tuple[float, float]) -> Iterator[Figure]:
    """Yield an empty figure; then add a legend and write it."""
    suffix = _suffix(path)
    if not models:
        raise HomebodyError("there are no models to plot")
    if len(models) > len(LOOKS):
        raise HomebodyError(
            f"{len(models)} models are too many for one figure",
            f"plot at most {len(LOOKS)} at a time",
        )
    _need_matplotlib()
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        yield figure
        _legend(figure, models)
        # without dates: the same numbers give the same bytes
        undated: dict[str, Any] = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
        drawn = io.BytesIO()
        figure.savefig(drawn, format=suffix[1:], metadata=undated.get(suffix))
        make_folder(path.parent)
        write_whole(path, drawn.getvalue())


def _legend(figure: Figure, models: Models) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=colour, marker=marker, markersize=4, linewidth=1)
        for (colour, marker), _ in zip(LOOKS, models, strict=False)
    ]
    names = [_plain(name) for name in models]
    columns = max(1, min(4, _LINE_LENGTH // (max(map(len, names)) + 8)))
    figure.legend(handles, names, loc="outside upper center", ncols=columns)


def _factor(axis: Axes, models: Models, at: int, title: str) -> None:
    limits = shared_bounds(models, at)
    sizes = [0] * len(limits)
    labels = [""] * len(limits)
    for row, (colour, marker, model) in enumerate(_looks(models)):
        factor = models[model].factors[at]
        shift = _shift(row, len(models))
        x, groups = [], []
        for place, limit in enumerate(limits):
            for group in regroup(factor.groups, [limit]):
                x.append(place + shift)
                groups.append(group)
                sizes[place] = max(sizes[place], group.tasks)
                labels[place] = group.label
        means = [100 * group.mean for group in groups]
        spread = [
            [100 * (group.mean - group.low) for group in groups],
            [100 * (group.high - group.mean) for group in groups],
        ]
        axis.plot(x, means, color=colour, linewidth=0.9, alpha=0.55, zorder=2)
        axis.errorbar(
            x,
            means,
            spread,
            fmt=marker,
            color=colour,
            markersize=3.4,
            markeredgewidth=0,
            elinewidth=0.8,
            zorder=3,
        )
    axis.set_xticks(range(len(limits)), labels)
    axis.tick_params(axis="x", labelsize=6)
    for place, size in enumerate(sizes):
        _below(axis, place, str(size), "center")
    if at % _COLUMNS == 0:
        _below(axis, -0.7, "tasks", "right")
    axis.set_xlim(-0.6, len(limits) - 0.4)
    axis.set_ylim(-3, 103)
    axis.set_yticks(range(0, 101, 25))
    axis.grid(axis="y", color=_FAINT, linewidth=0.5)
    axis.set_axisbelow(True)
    fits = len(models) <= 4  # of more models only the tables have correlations
    axis.set_title(title, pad=13 if fits else 5)
    for row, (colour, _, model) in enumerate(_looks(models) if fits else ()):
        rho = _number(models[model].factors[at].correlation.spearman)
        axis.annotate(
            rho if row else f"\N{GREEK SMALL LETTER RHO} = {rho}",
            (0, 1),
            (12 + 29 * row if row else 0, 3),
            xycoords="axes fraction",
            textcoords="offset points",
            color=colour,
            fontsize=7,
        )


def _below(axis: Axes, place: float, text: str, align: Literal["center", "right"]) -> None:
    """Write a remark under the values of the horizontal axis."""
    axis.annotate(
        text,
        (place, 0),
        (0, -14),
        xycoords=axis.get_xaxis_transform(),
        textcoords="offset points",
        ha=align,
        va="top",
        fontsize=5.8,
        color=_GREY,
    )


def _dots(
    axis: Axes,
    table: Mapping[str, Mapping[str, Interval]],
    names: Sequence[tuple[str, str]],
    title: str,
) -> None:
    """Draw one row for each name, with the values of all models. A row without a name is a
    heading."""
    for row, (colour, marker, model) in enumerate(_looks(table)):
        shift = _shift(row, len(table), 0.7)
        shown = [
            (at + shift, *table[model][name])
            for at, (name, _) in enumerate(names)
            if name in table[model] and not math.isnan(table[model][name][0])
        ]
        axis.errorbar(
            [100 * share for _, share, _, _ in shown],
            [y for y, _, _, _ in shown],
            xerr=[
                [100 * (share - low) for _, share, low, _ in shown],
                [100 * (high - share) for _, share, _, high in shown],
            ],
            fmt=marker,
            color=colour,
            markersize=2.8,
            markeredgewidth=0,
            elinewidth=0.7,
        )
    axis.set_yticks(range(len(names)), [label for _, label in names])
    axis.tick_params(axis="y", labelsize=5.8, length=0)
    for (name, _), label in zip(names, axis.get_yticklabels(), strict=True):
        if not name:
            label.set_fontweight("bold")
    axis.set_ylim(max(len(names), 1) - 0.4, -0.6)
    axis.set_xlim(-3, 103)
    axis.set_xticks(range(0, 101, 25))
    axis.grid(axis="both", color=_FAINT, linewidth=0.5)
    axis.set_axisbelow(True)
    axis.set_title(title)


def _by_size(counts: Iterable[tuple[str, int]]) -> list[tuple[str, str]]:
    """Return names with labels. Sort them by the largest count of any model, the most frequent
    first."""
    sizes: dict[str, int] = {}
    for name, tasks in counts:
        sizes[name] = max(sizes.get(name, 0), tasks)
    ordered = sorted(sizes, key=lambda name: (-sizes[name], name))
    return [(name, f"{name.replace('|', '/')} ({sizes[name]})") for name in ordered]


def _number(value: float) -> str:
    if math.isnan(value):
        return "\N{EN DASH}"
    return f"{value + 0.0:.2f}".replace("-0.00", "0.00").replace("-", "\N{MINUS SIGN}")


def _looks(models: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    for (colour, marker), model in zip(LOOKS, models, strict=False):
        yield colour, marker, model


def _shift(row: int, rows: int, width: float = 0.45) -> float:
    """Return the offset of a model's points, so that intervals do not overlap."""
    return (row - (rows - 1) / 2) * min(0.14, width / rows)


def _metric(models: Models) -> str:
    return next(iter(models.values())).metric.replace("_", " ").capitalize() + " (%)"


def _plain(name: str) -> str:
    """Return a model's name, which is untrusted, for a legend."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    if len(shown) > _NAME_LENGTH:  # variants of a model differ at the end
        tail = _NAME_LENGTH // 2
        shown = f"{shown[: _NAME_LENGTH - tail - 1]}\N{HORIZONTAL ELLIPSIS}{shown[-tail:]}"
    return shown
