"""Build click commands from annotated functions.

    @app.command()
    def show(
        suite: Annotated[str, Argument(help="A suite.")],
        limit: Annotated[int | None, Option(min=1, help="Use only the first tasks.")] = None,
    ) -> None: ...

A group imports a command's module, and a command builds its options, only when they are needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource
from click.exceptions import Exit

__all__ = ["Argument", "Command", "Exit", "Group", "Option", "is_given"]

F = TypeVar("F", bound=Callable[..., None])
Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], Sequence[str]]
"""``complete(context, parameter, beginning)`` returns the values that a shell offers."""

TASKS: Final = "What to run"
MODEL: Final = "Model"
PROMPT: Final = "Prompt"
PLAY: Final = "Play"
OUTPUT: Final = "Output"
OTHER: Final = "Options"
PANELS: Final = (TASKS, MODEL, PROMPT, PLAY, OUTPUT, OTHER)
"""Headings under which help lists options, in order."""


class Option:
    """An option of a command.

    Its long name is the name of the function's argument, unless ``names`` has a long name. A bool
    is a flag; an option whose value is a list can be repeated.
    """

    def __init__(
        self,
        *names: str,
        help: str = "",
        metavar: str | None = None,
        min: float | None = None,
        max: float | None = None,
        envvar: str | Sequence[str] | None = None,
        panel: str = OTHER,
        complete: Complete | None = None,
    ) -> None:
        self.names = names
        self.bounds = min, max
        self.panel = panel
        self.own: dict[str, Any] = {
            "help": help,
            "metavar": metavar,
            "envvar": envvar,
            "shell_complete": complete,
        }

    def parameter(self, name: str, kind: Any, repeated: bool, default: Any) -> click.Parameter:
        """Return the click option for the function's argument ``name``.

        It is required if there is no default.
        """
        has_long = any(own.startswith("--") for own in self.names)
        names = () if has_long else (f"--{name.replace('_', '-')}",)
        option = _PanelOption(
            [*names, *self.names, name],
            type=_type_of(kind, *self.bounds),
            is_flag=kind is bool,
            multiple=repeated,
            show_default=default not in (..., None, False, ""),
            show_envvar=True,
            **_default(default),
            **self.own,
        )
        option.panel = self.panel
        return option


class _PanelOption(click.Option):
    panel = OTHER


class Argument:
    """A positional argument of a command; a list takes all remaining values.

    Attributes:
        meaning: Converts a value before the function receives it.
    """

    def __init__(
        self,
        *,
        help: str = "",
        metavar: str | None = None,
        meaning: Callable[[Any], Any] | None = None,
        complete: Complete | None = None,
    ) -> None:
        self.help = help
        self.metavar = metavar
        self.meaning = meaning
        self.complete = complete

    def parameter(self, name: str, kind: Any, repeated: bool, default: Any) -> click.Parameter:
        """Return the click argument for the function's argument ``name``.

        It is required if there is no default.
        """

        def convert(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
            return value if self.meaning is None else self.meaning(value)

        return click.Argument(
            [name],
            type=_type_of(kind),
            nargs=-1 if repeated else 1,
            metavar=self.metavar,
            callback=convert,
            help=self.help,
            shell_complete=self.complete,
            **_default(default),
        )


def _default(value: Any) -> dict[str, Any]:
    return {"required": True} if value is ... else {"default": value, "required": False}


class _IntRange(click.IntRange):
    name = "integer"

    def _describe_range(self) -> str:
        return _describe_bounds(self.min, self.max)


class _FloatRange(click.FloatRange):
    """Finite numbers within bounds. Without this type, click accepts ``nan`` for any bounds."""

    name = "float"

    def _describe_range(self) -> str:
        return _describe_bounds(self.min, self.max)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number. Raises BadParameter."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a number", param, ctx)
        return number


def _describe_bounds(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f"{least:g} to {most:g}"
    return f"at least {least:g}" if least is not None else f"at most {most:g}"


def _type_of(kind: Any, least: float | None = None, most: float | None = None) -> Any:
    if kind is Path:
        return click.Path(path_type=Path)
    if least is None and most is None:
        return kind
    ranges: dict[Any, Any] = {int: _IntRange, float: _FloatRange}
    return ranges[kind](least, most)


class Command(click.Command):
    """A command that reads its options from its function when they are needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options and arguments in the function's order."""
        if not self.params and self.callback is not None:
            self.params = parameters_of(self.callback)
        return super().get_params(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under the headings of their panels."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in PANELS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and not isinstance(parameter, click.Argument):
                panels[getattr(parameter, "panel", OTHER)].append(record)
        for panel, records in panels.items():
            if records:
                with formatter.section(panel):
                    formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function. A repeatable option that was not given is None rather than empty."""
        ctx.params = {
            name: (list(value) or None) if isinstance(value, tuple) else value
            for name, value in ctx.params.items()
        }
        return super().invoke(ctx)


def parameters_of(function: Callable[..., Any]) -> list[click.Parameter]:
    """Return the click parameters that a function's annotations describe."""
    hints = get_type_hints(function, include_extras=True)
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    values = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    found = []
    for name in names:
        annotated, declared = get_args(hints[name])
        kinds = [kind for kind in _members(annotated) if kind is not NoneType]
        repeated = get_origin(kinds[0]) is list
        kind = get_args(kinds[0])[0] if repeated else kinds[0]
        found.append(declared.parameter(name, kind, repeated, values.get(name, ...)))
    return found


def _members(annotated: Any) -> tuple[Any, ...]:
    is_union = get_origin(annotated) in (Union, UnionType)
    return get_args(annotated) if is_union else (annotated,)


class Group(click.Group):
    """A group of commands, in the order in which they are defined.

    Args:
        modules: Command -> the modules that define it, separated by blanks.
    """

    def __init__(
        self, name: str, *, help: str, modules: Mapping[str, str] | None = None, **own: Any
    ) -> None:
        super().__init__(name, help=help, no_args_is_help=True, **own)
        self.modules = modules or {}

    def command(self, name: str | None = None) -> Callable[[F], F]:  # type: ignore[override]
        """Make a function a command; it has the function's name unless ``name`` is given."""

        def add(function: F) -> F:
            called = name or function.__name__.replace("_", "-")
            text = function.__doc__ or ""
            self.add_command(
                Command(called, callback=function, help=text, short_help=text.partition("\n\n")[0])
            )
            return function

        return add

    def group(self, name: str, *, help: str) -> Group:  # type: ignore[override]
        """Add a group to this one."""
        inside = Group(name, help=help)
        self.add_command(inside)
        return inside

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(dict.fromkeys([*self.modules, *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's modules and return it; None if there is no such command."""
        for module in self.modules.get(cmd_name, "").split():
            import_module(module)
        return super().get_command(ctx, cmd_name)


def is_given(name: str) -> bool:
    """Return whether an option was typed, rather than set by the environment."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE
