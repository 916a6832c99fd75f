"""Commands out of functions: a function's annotations say what click parses for it.

    @app.command()
    def show(
        suite: Annotated[str, Argument(help="A suite")],
        limit: Annotated[int | None, Option(min=1, help="First tasks only")] = None,
    ) -> None: ...

A group imports the module of a command when the command is asked for, and a command makes its
options when they are needed: starting costs what the one command costs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource
from click.exceptions import Exit

__all__ = ["Argument", "Command", "Exit", "Group", "Option", "is_given"]

F = TypeVar("F", bound=Callable[..., None])


class Option:
    """An option of a command. Its name is that of the function's argument unless ``names`` has one;
    a bool is a flag, and a list is of an option that can be repeated."""

    def __init__(
        self,
        *names: str,
        help: str = "",
        metavar: str | None = None,
        min: float | None = None,
        max: float | None = None,
        envvar: str | Sequence[str] | None = None,
    ) -> None:
        self.names = names
        self.bounds = min, max
        self.own: dict[str, Any] = {"help": help, "metavar": metavar, "envvar": envvar}

    def parameter(self, name: str, kind: Any, repeated: bool, default: Any) -> click.Parameter:
        """What click parses for the argument of that name, a required one if it has no default."""
        return click.Option(
            [*(self.names or (f"--{name.replace('_', '-')}",)), name],
            type=_type_of(kind, *self.bounds),
            is_flag=kind is bool,
            multiple=repeated,
            show_default=default not in (..., None, False, ""),
            show_envvar=True,
            **_default(default),
            **self.own,
        )


class Argument:
    """An argument of a command by its place; a list takes all that are given.

    Attributes:
        meaning: What is made of a value before the function gets it.
    """

    def __init__(
        self,
        *,
        help: str = "",
        metavar: str | None = None,
        meaning: Callable[[Any], Any] | None = None,
    ) -> None:
        self.help = help
        self.metavar = metavar
        self.meaning = meaning

    def parameter(self, name: str, kind: Any, repeated: bool, default: Any) -> click.Parameter:
        """What click parses for the argument of that name, a required one if it has no default."""

        def convert(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
            return value if self.meaning is None else self.meaning(value)

        return click.Argument(
            [name],
            type=_type_of(kind),
            nargs=-1 if repeated else 1,
            metavar=self.metavar,
            callback=convert,
            help=self.help,
            **_default(default),
        )


def _default(value: Any) -> dict[str, Any]:
    return {"required": True} if value is ... else {"default": value, "required": False}


class _FiniteRange(click.FloatRange):
    """Numbers of a range, of which ``nan`` is none: it is neither too small nor too large."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Raises BadParameter."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number", param, ctx)
        return number


def _type_of(kind: Any, least: float | None = None, most: float | None = None) -> Any:
    if kind is Path:
        return click.Path(path_type=Path)
    if least is None and most is None:
        return kind
    ranges: dict[Any, Any] = {int: click.IntRange, float: _FiniteRange}
    return ranges[kind](least, most)


class Command(click.Command):
    """A command whose options are those of its function, read when they are needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options and arguments, in the function's order."""
        if not self.params and self.callback is not None:
            self.params = parameters_of(self.callback)
        return super().get_params(ctx)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function: what was not given and can be repeated is None, and not empty."""
        ctx.params = {
            name: (list(value) or None) if isinstance(value, tuple) else value
            for name, value in ctx.params.items()
        }
        return super().invoke(ctx)


def parameters_of(function: Callable[..., Any]) -> list[click.Parameter]:
    """What a function's annotations ask for."""
    hints = get_type_hints(function, include_extras=True)
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    values = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    found = []
    for name in names:
        annotated, asked = get_args(hints[name])
        kinds = [kind for kind in _members(annotated) if kind is not NoneType]
        repeated = get_origin(kinds[0]) is list
        kind = get_args(kinds[0])[0] if repeated else kinds[0]
        found.append(asked.parameter(name, kind, repeated, values.get(name, ...)))
    return found


def _members(annotated: Any) -> tuple[Any, ...]:
    is_union = get_origin(annotated) in (Union, UnionType)
    return get_args(annotated) if is_union else (annotated,)


class Group(click.Group):
    """Commands under one name, in the order in which they are written.

    Args:
        modules: Command -> the modules that it is in, separated by blanks.
    """

    def __init__(
        self, name: str, *, help: str, modules: Mapping[str, str] | None = None, **own: Any
    ) -> None:
        super().__init__(name, help=help, no_args_is_help=True, **own)
        self.modules = modules or {}

    def command(self, name: str | None = None) -> Callable[[F], F]:  # type: ignore[override]
        """Make a function a command, called as it is unless ``name`` says otherwise."""

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
        """The names of all commands."""
        return list(dict.fromkeys([*self.modules, *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, whose modules are imported; None if there is none of that name."""
        for module in self.modules.get(cmd_name, "").split():
            import_module(module)
        return super().get_command(ctx, cmd_name)


def is_given(name: str) -> bool:
    """Whether an option of the running command stands in what was typed, not in the environment."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE
