"""Arguments of a function from the texts that a user types, as its annotations say: `--param NAME=VALUE`."""

import json
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
from flint import fmpq

from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.exceptions import DomainError, MissingError
from dp_spec.vocabulary.names import require_name

EXAMPLES: Mapping[str, str] = {
    "d": "52",
    "degree": "3",
    "epsilon": "1",
    "n": "2",
    "partition": "[[0],[1]]",
    "sizes": "2,2",
}
MAX_DIGITS, MAX_TEXT = 9, 1000
"""Of an integer, and of any text."""


def named_values(parameters: Sequence[str]) -> dict[str, str]:
    """The values by their names. Raises `UsageError` for what is no NAME=VALUE, and for a name that is given twice."""
    values: dict[str, str] = {}
    for parameter in parameters:
        name, separator, value = parameter.partition("=")
        if not separator or name in values:
            raise click.UsageError(f"--param {parameter!r}: give NAME=VALUE, each name once")
        values[name] = value
    return values


def arguments(function: Callable[..., Any], entries: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of a function by their names: integers, rational numbers, words, and (nested) lists of integers.

    Raises `DomainError` for unknown names and values, and `MissingError` for what has to be given.
    """
    hints, parameters = get_type_hints(function), signature(function).parameters
    texts = {require_name("--param", name, parameters): value for name, value in entries.items()}
    for name, parameter in parameters.items():
        if parameter.default is Parameter.empty and name not in texts:
            raise MissingError(name, f"give --param {name}={EXAMPLES[name]}")
    return {name: _read(name, text, hints[name]) for name, text in texts.items()}


def _read(name: str, text: str, kind: Any) -> Any:
    if len(text) > MAX_TEXT:
        raise DomainError(name, text, f"text of at most {MAX_TEXT} characters")
    if get_origin(kind) is Literal:
        return require_name(name, text, get_args(kind))
    if kind is int:
        return _integer(name, text)
    if kind == tuple[int, ...]:
        return tuple(_integer(name, part) for part in text.split(","))
    if kind == tuple[tuple[int, ...], ...]:
        return _clusters(name, text)
    base, exponent = read_epsilon(text)
    if kind is fmpq and base is not None:
        raise DomainError(name, text, "a rational number, as 3/10 or 0.3")
    return fmpq(exponent.numerator, exponent.denominator) if kind is fmpq else text


def _integer(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > MAX_DIGITS:
        raise DomainError(name, text, f"an integer >= 0 of at most {MAX_DIGITS} digits")
    return int(text)


def _clusters(name: str, text: str) -> tuple[tuple[int, ...], ...]:
    error = DomainError(name, text, f"lists of attributes, as {EXAMPLES[name]}")
    try:
        lists = json.loads(text)
    except (ValueError, RecursionError):
        raise error from None
    if not isinstance(lists, list) or not all(isinstance(c, list) and all(type(a) is int for a in c) for c in lists):
        raise error
    return tuple(tuple(cluster) for cluster in lists)
