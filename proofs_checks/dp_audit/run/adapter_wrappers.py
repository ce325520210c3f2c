"""Audited code in other clothes: at several budgets, or with a hash function. Standard library only, for Python 3.8.

The text of this file, with a last line that makes the `Target`, is an adapter file (`adapter_text`).
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import os.path
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple


def load(path: str) -> Any:
    """A file as a module that has its name; loaded by the `LOADER` that an enumerating run puts here, if one does."""
    stem, path = Path(path).stem, os.path.abspath(path)  # noqa: PTH100
    loader = globals().get("LOADER")
    made = None if loader is None else loader(stem, path)
    specification = importlib.util.spec_from_file_location(stem, path, loader=made)
    if specification is None or specification.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[stem] = module
    specification.loader.exec_module(module)
    return module


def taken(made: Any, parameters: Dict[str, Any]) -> Dict[str, Any]:
    """The parameters that a class or function has arguments for; all, where that cannot be told or it takes any.

    A decorated one has those of its wrapper; one that takes any is taken to hand them on to what it wraps.
    """
    for wrapped in (False, True):
        try:
            known = inspect.signature(made, follow_wrapped=wrapped).parameters
        except (TypeError, ValueError):
            return parameters
        if not any(one.kind is one.VAR_KEYWORD for one in known.values()):
            return {name: value for name, value in parameters.items() if name in known}
    return parameters


def called(function: Callable[..., Any], parameters: Dict[str, Any], item: Any) -> Any:
    """What a function of the item returns; parameters that it has arguments for are handed to it."""
    return function(item, **taken(function, parameters))


def at_budgets(made: Any) -> Any:
    """A protocol whose input is (budget, item): a fresh target with this budget reports on the item."""

    class AtBudgets:
        def __init__(self, given: Dict[str, Any]) -> None:
            self.given = given

        def client(self) -> None:
            """Made anew for every report."""

        def privatize(self, client: None, item: List[Any]) -> Any:
            given = {**self.given, "epsilon": item[0]}
            if not inspect.isclass(made):
                return called(made, given, item[1])
            target: Any = made(**taken(made, given))
            report = target.privatize(target.client(), item[1])
            return target.canonical(report) if hasattr(target, "canonical") else report

    return AtBudgets


SEEDS = ("seed", "hash_seed", "s", "a", "key", "salt", "index", "h")
"""Names that the argument of a hash function has which selects it."""


KEPT = 4
"""So many seeds are kept."""


def hashed(made: Any, function: Callable[..., Any]) -> Any:
    """A protocol of local hashing, whose report is the pair of a seed and a cell, with its hash function.

    `function` has the item and the seed as arguments, and perhaps parameters; the argument that is no parameter and has
    none of the names `SEEDS` is the item. `told`: the seeds that the code called it with.
    """
    told: List[Any] = []
    signature = inspect.signature(function)

    @functools.wraps(function)
    def recorded(*arguments: Any, **options: Any) -> Any:
        given = signature.bind(*arguments, **options).arguments
        told.extend(value for name, value in given.items() if name in SEEDS)
        del told[KEPT:]
        return function(*arguments, **options)

    setattr(sys.modules[function.__module__], function.__name__, recorded)

    class Hashed:
        def __init__(self, **given: Any) -> None:
            self.given = given
            self.target: Any = made(**taken(made, given)) if inspect.isclass(made) else None
            self.seeds: Tuple[Any, ...] = ()
            self.told = told
            self.place: Optional[int] = None  # of the seed in a report

        def client(self) -> Any:
            return self.target.client() if self.target is not None else None

        def privatize(self, client: Any, item: Any) -> Any:
            del told[:]  # what a server called it with is not the seed of this report
            return called(made, self.given, item) if self.target is None else self.target.privatize(client, item)

        def canonical(self, report: Any) -> Any:
            first, second = report
            return first if second in self.seeds and first not in self.seeds else second

        def conditions(self, report: Any) -> Tuple[Any, ...]:
            """The seed of a report that was just made: one that the hash function was called with, if it was."""
            seeds = told[:]
            del told[:]
            if seeds:
                return (next((seed for seed in seeds if seed in report), seeds[0]),)
            if self.place is None:
                self.place = self._seed_place()
            return (report[self.place],)

        def _seed_place(self) -> int:
            """Where the seed is in reports: where there are more values."""
            drawn = [self.privatize(self.client(), 0) for _ in range(64)]
            return max((0, 1), key=lambda place: len({report[place] for report in drawn}))

        def facts(self, conditioned: Tuple[int, ...]) -> Dict[str, Any]:
            known = type(self.told[0]) in (int, str, bytes) if self.told else False  # not several draws, in turn
            self.seeds = tuple(self.told[:1] if known else conditioned)
            return {"hash": [self.cell(x, self.seeds[0]) for x in range(self.given["d"])]}

        def cell(self, item: Any, seed: Any) -> int:
            arguments = {}
            for name in signature.parameters:
                if name in self.given:
                    arguments[name] = self.given[name]
                elif name in SEEDS:
                    arguments[name] = seed
                else:
                    arguments[name] = item
            return int(function(**arguments))

    class Served(Hashed):
        def server(self) -> Any:
            return self.target.server()

        def aggregate(self, server: Any, report: Any) -> None:
            self.target.aggregate(server, report)

        def estimate(self, server: Any) -> Any:
            return self.target.estimate(server)

    return Served if hasattr(made, "server") else Hashed


AT_BUDGETS = "at_budgets_of_"
"""What the name of a target begins with that is at several budgets, in `budgets_text`."""


def budgets_text(path: str) -> str:
    """The text of an adapter file of all that a file has, at several budgets: of one child for all of it."""
    last = "__getattr__ = lambda name: at_budgets(getattr(TARGETS, name[len(AT_BUDGETS) :]))"
    return adapter_text(f"TARGETS = load({path!r})\n{last}")


def adapter_text(last: str) -> str:
    """The text of an adapter file that ends with this line."""
    return Path(__file__).read_text(encoding="utf-8") + "\n\n" + last + "\n"
