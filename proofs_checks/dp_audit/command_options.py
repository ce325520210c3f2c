"""Options of the audits on the command line, and how their texts are read."""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click
from flint import fmpq

from dp_audit.observation.exact_json import is_json
from dp_audit.observation.values import freeze, rational
from dp_audit.oracles import KINDS
from dp_checks.runtime.boundary import Name


def pairs(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, object]:
    """Return the pairs of NAME=VALUE, every name once; a value that begins with a bracket is a JSON list."""
    return _pairs(
        ctx, option, texts, lambda value: json.loads(value, parse_float=_no_float) if value[:1] == "[" else value
    )


def handed(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, object]:
    """Return the pairs of NAME=VALUE, every name once; a value is JSON (a number, a list, true) where it is JSON,
    otherwise text."""
    return _pairs(ctx, option, texts, lambda value: json.loads(value) if is_json(value) else value)


def _pairs(
    ctx: click.Context, option: click.Parameter, texts: tuple[str, ...], read: Callable[[str], object]
) -> dict[str, object]:
    parameters: dict[str, object] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name or name in parameters:
            raise click.BadParameter(f"{text!r}: give NAME=VALUE, each name once", ctx, option)
        try:
            parameters[name] = read(value)
        except ValueError as error:
            raise click.BadParameter(
                f"{text!r}: not a JSON list of integers and texts ({error})", ctx, option
            ) from error
    return parameters


def _no_float(text: str) -> object:
    raise ValueError(f"{text}: write a number with a fraction as text")


def users(ctx: click.Context, option: click.Parameter, listed: str | None) -> tuple[int, ...] | None:
    """Return the integers between commas; an empty text is none of them."""
    if listed is None:
        return None
    try:
        return tuple(int(text) for text in listed.split(",")) if listed else ()
    except ValueError as error:
        raise click.BadParameter(f"{listed!r}: give numbers of users, as 1,2", ctx, option) from error


def values(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[Any, ...]:
    """Return the inputs: JSON where it is JSON, otherwise text; NaN and infinities are written in JSON."""
    inputs: list[Any] = []
    for text in texts:
        value = json.loads(text) if is_json(text) else text
        try:
            inputs.append(value if isinstance(value, float) else freeze(value))
        except (ValueError, TypeError) as error:
            raise click.BadParameter(f"{text!r}: {error}", ctx, option) from error
    return tuple(inputs)


def names(ctx: click.Context, option: click.Parameter, text: str | None) -> tuple[Any, ...] | None:
    """Return the names of all items: a JSON list, or texts between commas."""
    if text is None:
        return None
    if not text.lstrip().startswith("["):
        return values(ctx, option, tuple(part.strip() for part in text.split(",")))
    value = json.loads(text) if is_json(text) else None
    if not isinstance(value, list):
        raise click.BadParameter(f"{text!r}: give a JSON list, or names between commas", ctx, option)
    return values(ctx, option, tuple(json.dumps(part) for part in value))


_NUMBER = re.compile(r"[0-9]+/[0-9]+|[0-9]*\.?[0-9]+(?:[eE]-?[0-9]{1,3})?")


def number(ctx: click.Context, option: click.Parameter, text: str | None) -> fmpq | None:
    """Return an exact rational number from a decimal as 0.05 or 1e-6, or a fraction as 1/20."""
    if text is None:
        return None
    try:
        if not _NUMBER.fullmatch(text):
            raise ValueError(text)
        return rational(str(Fraction(text)))
    except (ValueError, ZeroDivisionError) as error:
        raise click.BadParameter(f"{text!r}: give a number, as 1e-6 or 1/20", ctx, option) from error


PARAM = click.option(
    "--param", "parameters", multiple=True, metavar="NAME=VALUE", callback=pairs, help="Of the mechanism; repeatable."
)
ORACLE = click.option(
    "--oracle",
    "mechanism",
    required=True,
    metavar="NAME",
    type=Name(KINDS),
    help="The mechanism (`dp-refimpl audit oracles`).",
)
TIMEOUT = click.option(
    "--timeout", type=float, default=120.0, show_default=True, help="Seconds of the job (of a program: for an answer)."
)
OUTSIDE = click.option(
    "--outside", multiple=True, metavar="INPUT", callback=values, help="Should be refused (JSON, or text); repeatable."
)
INPUTS = click.option(
    "--inputs", callback=names, metavar="A,B,...", help="Names of the items 0, 1, ... in what is audited."
)
LEVEL = click.option(
    "--level", default="1e-6", show_default=True, callback=number, help="Probability of a false alarm, at most."
)
FAULT = click.option(
    "--fault",
    callback=number,
    help="Relative fault that must be found, else `undecided`; default: 0.05 is looked for.",
)
