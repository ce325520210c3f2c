"""A declared map, evaluated as it is: what a function makes of each member, and what is declared at distances."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import json
import math
from fractions import Fraction
from typing import Any, Callable, Dict, Iterator

import numpy as np

from .jobs import Answer, Emit, captured, tell_failure
from .members import is_accepted, proposals
from .refusals import TEXT_LIMIT
from .representation import canonical_text, canonical_value
from .targets import load


def run_here(job: Dict[str, Any], target: Any, emit: Emit) -> None:
    """Tell what a target says of itself, what its function makes of members, and the numbers declared at distances.

    A class is called without arguments. Members are read in their order, at most `limit` of them, and looked at if
    their number is among `only` (None: all).
    """
    is_class = inspect.isclass(target)
    target = target() if is_class else target
    target = Accountant(target) if job["accountant"] else target
    facts: Dict[str, Any] = {name: str(getattr(target, name)) for name in ("d_in", "d_out")}
    facts.update({name: bool(getattr(target, name, False)) for name in ("exhaustive", "linear", "assumed")})
    emit("target", is_class=is_class, lines=[str(line) for line in getattr(target, "lines", ())], **facts)
    only = job["only"]
    members = (
        _members(target, job["limit"])
        if only is None
        else itertools.islice(_members(target, job["limit"]), max(only, default=-1) + 1)
    )
    for number, member in enumerate(members):
        if number == job["limit"]:
            emit("more")
        elif only is None or number in only:
            _tell_member(number, member, target, emit)
    for place in job["places"]:
        emit("begin", where="the number declared at distance " + ", ".join(place))
        emit("declared", place=place, **_outcome(functools.partial(_declared, target, *map(Fraction, place))))
    emit("done")


class Accountant:
    """A function of named arguments as a map of dictionaries: its calls are the members, and in place of the metrics
    are what it says of which mechanism."""

    def __init__(self, target: Any) -> None:
        self.d_in, self.d_out = target.mechanism, target.number
        self.members, self.lines = target.calls, getattr(target, "lines", ())
        self._target = target

    def function(self, arguments: Dict[str, Any]) -> Any:
        """Return what is said of the arguments."""
        return self._target.function(**arguments)


def _members(target: Any, limit: int) -> Iterator[Any]:
    """Yield the members that a target lists, those that its `accepts` does not accept left out, then those that its
    `search` proposes: at most one more than `limit`."""
    listed = (member for member in getattr(target, "members", ()) if is_accepted(target, member))
    search = proposals(target, limit) if hasattr(target, "search") else ()
    return itertools.islice(itertools.chain(listed, search), limit + 1)


def _declared(target: Any, distance: Fraction, *point: Fraction) -> Any:
    """Return the number declared at an exact distance, and of a curve at a parameter, an integer or a double."""
    exact = distance.numerator if distance.denominator == 1 else distance
    at = [part.numerator if part.denominator == 1 else float(part) for part in point]
    return _canonical(target.declared(exact, *at))


def _tell_member(number: int, member: Any, target: Any, emit: Emit) -> None:
    """Tell a member as Python writes it, what the function makes of it twice, whether it changes the member, and
    whether what it makes is in the output domain, if the target says."""
    written, before = repr(member)[:TEXT_LIMIT], canonical_text(_canonical(member))
    emit("begin", where="the function on " + written)
    outputs = []

    def output() -> Any:
        outputs.append(target.function(member))
        return _canonical(outputs[-1])

    first, again = _outcome(output), _outcome(output)
    contains = getattr(target, "contains", None)
    inside = {} if contains is None or not outputs else _outcome(lambda: bool(contains(outputs[0])))
    emit(
        "member",
        number=number,
        written=written,
        output=first,
        rounded=any(map(_has_doubles, outputs)),
        again=again == first,
        changed=canonical_text(_canonical(member)) != before,
        inside=inside,
        member=json.loads(before),
    )


def _canonical(value: Any) -> Any:
    """Return the canonical JSON value; a dictionary, as a law is, is the list of its pairs, in one order.

    Numbers are exact, those that are not finite are told by name. Raises `TypeError` for what has no such form.
    """
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return sorted(([_canonical(key), _canonical(part)] for key, part in value.items()), key=canonical_text)
    if isinstance(value, (list, tuple)):
        return [_canonical(part) for part in value]
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else {"fraction": str(value)}
    if isinstance(value, (float, np.floating)) and not math.isfinite(value):
        return {"float": repr(float(value))}
    return canonical_value(value)


def _has_doubles(value: Any) -> bool:
    """Return whether a number of the value is a floating-point one."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple)):
        return any(map(_has_doubles, value))
    return isinstance(value, (float, np.floating))


def _outcome(value: Callable[[], Any]) -> Dict[str, Any]:
    """Return the value as what it is, or the exception that came instead."""
    try:
        return {"value": value()}
    except Exception as error:
        return {"raised": (type(error).__name__ + ": " + str(error))[:TEXT_LIMIT]}


@contextlib.contextmanager
def answering(job: Dict[str, Any], emit: Emit, kept: bool) -> Iterator[Answer]:
    """Yield what answers a job in a child process."""
    with captured(1, 2):

        def answer(job: Dict[str, Any]) -> None:
            try:
                run_here(job, getattr(load(job["file"]), job["name"]), emit)
            except BaseException as error:
                tell_failure(emit, error)

        yield answer
