"""Jobs: what a target is run on, as its child process reads it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from dp_audit.observation.values import text
from dp_spec.vocabulary.items import Item

MEGABYTES = 2048
"""Data that each process of an audited target may have, if nothing else is said."""


@dataclass(frozen=True)
class Job:
    """What to run: a protocol of an adapter file (a class, or a function of the item), on all inputs.

    Inputs are integers, floats, text, None, or tuples or sets of them. `input_types` are the types they come in: `int`
    (as they stand: tuples as lists, sets as frozensets), `list`, `tuple`, `bool`, `str`, `float`, or `numpy.` with the
    name of a scalar type. `outside` are inputs outside the domain; `reuse` lists of inputs given to one client in turn;
    `users` the sizes of the data sets whose estimates are computed for every list of reports; `limits` as
    `dp_audit.run.child.interceptor.coins.Limits`.

    `conditioned`: outcomes, counted from 0, of integer draws with more than `limits.paths` outcomes (at least
    `condition_from`, if given), in turn: they select a hash function, and the laws are those given these outcomes.

    `seconds`: of enumeration (None: any), shared among the laws; one that takes longer is refused.

    `megabytes`: of data that the child may have, where the platform can bound it; a file it writes has at most 16.
    `salt`: of Python's own hash function, in the child. `at_budgets`: inputs are pairs of a budget and an item, and a
    report is that of a fresh target with this budget.
    """

    adapter: Path
    protocol: str
    parameters: Mapping[str, object]
    inputs: tuple[Item, ...]
    input_types: tuple[str, ...] = ("int",)
    outside: tuple[Item, ...] = ()
    reuse: tuple[tuple[Item, ...], ...] = ()
    users: tuple[int, ...] = ()
    distributions: tuple[str, ...] = ()
    limits: Mapping[str, object] = field(default_factory=dict)
    megabytes: int = MEGABYTES
    salt: int = 0
    conditioned: tuple[int, ...] = ()
    condition_from: int | None = None
    seconds: float | None = None
    at_budgets: bool = False

    def as_json(self) -> str:
        """Return the line the child reads."""
        content = {name: value for name, value in vars(self).items() if name != "adapter"}
        inputs = {name: encoded(content[name]) for name in ("inputs", "outside", "reuse")}
        parameters = {"parameters": dict(self.parameters)}
        return json.dumps({"adapter": str(self.adapter.absolute()), **content, **inputs, **parameters})


def encoded(item: Any) -> Any:
    """Return an input as JSON: a float as text, which also writes NaN and infinities."""
    if isinstance(item, tuple | list):
        return [encoded(part) for part in item]
    if isinstance(item, frozenset):
        return {"set": sorted((encoded(part) for part in item), key=text)}
    return {"float": repr(item)} if isinstance(item, float) else item


TURNS = 16
"""Up to so many inputs all are given twice to one client."""


PAIRED = 5
"""Up to so many inputs every two are given to one client that keeps something for them."""


def turns(inputs: Sequence[Item], keeps: bool = False) -> tuple[tuple[Item, ...], ...]:
    """Return what one client is used for in turn: an input twice (every one, if they are few), and the first and the
    last one after each other; of a mechanism that `keeps` something for every value also the first one again, both of
    them three times, and every two inputs, if they are `PAIRED` at most."""
    both = ((inputs[0], inputs[-1]), (inputs[-1], inputs[0])) if len(inputs) > 1 else ()
    twice = inputs if len(inputs) <= TURNS else (inputs[0], inputs[len(inputs) // 2], inputs[-1])
    ends = (inputs[0], inputs[-1])
    again: list[tuple[Item, ...]] = [*((x,) * 3 for x in ends), (*ends, inputs[0])] if keeps and both else []
    if keeps and len(inputs) <= PAIRED:
        again += [pair for pair in combinations(inputs, 2) if pair not in both]
    return (*((x, x) for x in twice), *both, *again)


@dataclass(frozen=True)
class UnmodifiedJob:
    """What to run, as `Job`, on some of the inputs; `phases`: how much of each, for the child."""

    adapter: Path
    protocol: str
    parameters: Mapping[str, object]
    inputs: tuple[Item, ...]
    phases: Mapping[str, object]
    everything: tuple[Item, ...] = ()
    """All inputs, in whose order estimates are told that are told by input."""
    process: int = 0
    """Jobs with different numbers are never answered by copies of one process."""

    def content(self) -> dict[str, Any]:
        """Return what the child reads."""
        about = {"adapter": str(self.adapter.absolute()), "protocol": self.protocol}
        return {
            **about,
            "parameters": dict(self.parameters),
            "inputs": encoded(self.inputs),
            "all": encoded(self.everything),
            **self.phases,
        }


@dataclass(frozen=True)
class ReportsRequest:
    """What a judge asks for: so many reports of fresh clients on each of these inputs, with nothing replaced."""

    inputs: tuple[Item, ...]
    count: int


@dataclass(frozen=True)
class LawsRequest:
    """What a judge asks for: the laws of fresh targets with other budgets, within limits as `Job` has them. An input is
    a pair (budget, item)."""

    inputs: tuple[tuple[float, Item], ...]
    limits: Mapping[str, object]
    seconds: float


MOST_INPUTS = 8


def some_inputs(inputs: Sequence[Item]) -> tuple[Item, ...]:
    """Return all inputs if they are few, else the first, the last and others between them."""
    if len(inputs) <= MOST_INPUTS:
        return tuple(inputs)
    return tuple(inputs[i] for i in np.linspace(0, len(inputs) - 1, MOST_INPUTS).astype(int).tolist())
