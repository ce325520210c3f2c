"""Audited code in other clothes: at several budgets, or with a hash function. An adapter file imports them."""

from __future__ import annotations

import functools
import inspect
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

from .refusals import UnreadableOutput
from .targets import load, protocol_of, taken


def load_file(path: str, loader: Any) -> Any:
    """Return a file as a module that has its name. `loader`: what loads the adapter file itself, where that is
    rewritten."""
    return load(str(Path(path).absolute()), Path(path).stem, loader)


def at_budgets(made: Any) -> Any:
    """Return a protocol whose input is (budget, item): a fresh target with this budget reports on the item."""

    class AtBudgets:
        def __init__(self, parameters: Dict[str, Any]) -> None:
            self.parameters = parameters

        def client(self) -> None:
            """Return None: a target is made anew for every report."""

        def privatize(self, client: None, item: List[Any]) -> Any:
            parameters = {**self.parameters, "epsilon": item[0]}
            if not inspect.isclass(made):
                return made(item[1], **taken(made, parameters))
            target = protocol_of(made, parameters)
            report = target.privatize(target.client(), item[1])
            return target.canonical(report) if hasattr(target, "canonical") else report

    return AtBudgets


SEEDS = ("seed", "hash_seed", "s", "a", "key", "salt", "index", "h")
"""Names that the argument of a hash function has which selects it."""


KEPT = 4
"""So many seeds are kept."""


OTHER_SEED = "the report tells another seed than the hash function was called with: name a function of what is told"


def _form(value: Any) -> Any:
    """Return the type of a value, one of all integers."""
    return int if hasattr(value, "__index__") else type(value)


def hashed(made: Any, function: Callable[..., Any]) -> Any:
    """Return a protocol of local hashing, whose report is the pair of a seed and a cell, with its hash function.

    `function` has the item and the seed as arguments, and perhaps parameters; the argument that is no parameter and has
    none of the names `SEEDS` is the item. `call_seeds`: the seeds that the code called it with.
    """
    call_seeds: List[Any] = []
    signature = inspect.signature(function)

    @functools.wraps(function)
    def recorded(*arguments: Any, **options: Any) -> Any:
        parameters = signature.bind(*arguments, **options).arguments
        call_seeds.extend(value for name, value in parameters.items() if name in SEEDS)
        del call_seeds[KEPT:]
        return function(*arguments, **options)

    setattr(sys.modules[function.__module__], function.__name__, recorded)

    class Hashed:
        def __init__(self, **parameters: Any) -> None:
            self.parameters = parameters
            self.target: Any = protocol_of(made, parameters)
            self.seeds: Tuple[Any, ...] = ()
            self.call_seeds = call_seeds
            self.place: Optional[int] = None  # of the seed in a report

        def __getattr__(self, name: str) -> Any:
            if name not in ("server", "aggregate", "estimate"):
                raise AttributeError(name)
            return getattr(self.target, name)

        def client(self) -> Any:
            return self.target.client()

        def privatize(self, client: Any, item: Any) -> Any:
            del call_seeds[:]  # what a server called it with is not the seed of this report
            return self.target.privatize(client, item)

        def canonical(self, report: Any) -> Any:
            first, second = report
            return first if second in self.seeds and first not in self.seeds else second

        def conditions(self, report: Any) -> Tuple[Any, ...]:
            """Return the seed of a report that was just made: one that the hash function was called with; if it was not
            called, the part with more values. Raises `UnreadableOutput` if all of the report is such as seeds are,
            and none of it is that seed."""
            seeds = call_seeds[:]
            del call_seeds[:]
            if seeds:
                called = [seed for seed in seeds if seed in report]
                if not called and {_form(seeds[0])}.issuperset(map(_form, report)):
                    raise UnreadableOutput(OTHER_SEED)
                return ((called or seeds)[0],)
            if self.place is None:
                self.place = self._seed_place()
            return (report[self.place],)

        def _seed_place(self) -> int:
            """Return where the seed is in reports: where there are more values."""
            drawn = [self.privatize(self.client(), 0) for _ in range(64)]
            return max((0, 1), key=lambda place: len({report[place] for report in drawn}))

        def facts(self, conditioned: Tuple[int, ...]) -> Dict[str, Any]:
            first = self.call_seeds[:1]
            single = bool(first) and type(first[0]) in (int, str, bytes)  # not several draws, in turn
            self.seeds = tuple(first if single else conditioned)
            return {"hash": [self.cell(x, self.seeds[0]) for x in range(self.parameters["d"])]}

        def cell(self, item: Any, seed: Any) -> int:
            arguments = {}
            for name in signature.parameters:
                if name in self.parameters:
                    arguments[name] = self.parameters[name]
                elif name in SEEDS:
                    arguments[name] = seed
                else:
                    arguments[name] = item
            return int(function(**arguments))

    return Hashed
