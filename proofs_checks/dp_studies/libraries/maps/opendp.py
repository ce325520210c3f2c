"""Declared maps of opendp, read off its objects: a file that `audit map` runs in the environment of the library.

`NAMES` are the instances of `opendp.toml` beside this file; each is an attribute of this module by its name. Of a
measurement the law is assumed, not observed: its row says so.
"""

import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

METRICS = {
    "SymmetricDistance": "symmetric",
    "InsertDeleteDistance": "insert-delete",
    "ChangeOneDistance": "change-one",
    "HammingDistance": "Hamming",
    "DiscreteDistance": "discrete",
    "AbsoluteDistance": "absolute",
    "L1Distance": "L1",
    "L2Distance": "L2",
    "MaxDivergence": "max-divergence",
}
PRELUDE = "import opendp.prelude as dp; dp.enable_features('contrib', 'honest-but-curious', 'floating-point')"
NAMED = {
    "symmetric": "dp.symmetric_distance()",
    "insert_delete": "dp.insert_delete_distance()",
    "change_one": "dp.change_one_distance()",
    "hamming": "dp.hamming_distance()",
}
"""What short names in the expressions stand for."""
FLOATS = "dp.atom_domain(T='f64', nan=False)"


def tables(values: Sequence[Any], most: int, least: int = 0) -> list[list[Any]]:
    """All lists of so many records."""
    return [list(rows) for n in range(least, most + 1) for rows in product(values, repeat=n)]


def response(categories: Sequence[Any], prob: float) -> Callable[[Any], dict[Any, Fraction]]:
    """The law of randomized response: the truth with this probability, else another category, uniformly."""
    truth = Fraction(prob)
    lie = (1 - truth) / (len(categories) - 1)
    return lambda item: {y: truth if y == item else lie for y in categories}


def _spelled(expression: str) -> str:
    """The expression with nothing but names of the library."""
    for name, stands_for in NAMED.items():
        expression = re.sub(rf"(?<![\w.]){name}(?!\w)", stands_for, expression)

    def domain(match: re.Match[str]) -> str:
        element = FLOATS if match[2] == "'f64'" else f"dp.atom_domain(T={match[2]})"
        return f"dp.vector_domain({element}" + (f", size={match[3]})" if match[1] == "sized" else ")")

    return re.sub(r"(vector|sized)\(('?\w+'?)(?:, (\d+))?\)", domain, expression)


class Instance:
    """One constructor with its arguments, as `audit map` takes it. The library is imported when it is looked at."""

    def __init__(self, texts: Mapping[str, Any], chosen: Mapping[str, str], types: Mapping[str, Any]) -> None:
        self.made: str = _spelled(texts["make"].format(**chosen))
        self.exhaustive: bool = bool(texts.get("exhaustive"))
        self.law: str = texts.get("law", "").format(**chosen)
        self.assumed: bool = bool(self.law)
        self.members_text: str = texts["members"].format(
            **{**chosen, "T": repr(types.get(chosen.get("T", "").strip("'")))}
        )
        self.lines: tuple[str, str] = (PRELUDE, f"made = {self.made}; function, declared = made, made.map")

    @cached_property
    def _object(self) -> Any:
        scope: dict[str, Any] = {}
        exec("\n".join(self.lines), scope)
        return scope["made"]

    @property
    def members(self) -> Any:
        """Lists of records, numbers or items."""
        return eval(self.members_text, {"tables": tables})

    @property
    def d_in(self) -> str:
        """The metric of inputs, as the object says."""
        return _metric(self._object.input_metric)

    @property
    def d_out(self) -> str:
        """The metric of outputs, or the measure of privacy."""
        return _metric(self._object.output_measure if self.assumed else self._object.output_metric)

    def function(self, member: Any) -> Any:
        """What the transformation makes of it, or the law that is assumed of the measurement."""
        return eval(self.law, {"response": response})(member) if self.assumed else self._object(member)

    def declared(self, distance: Any) -> Any:
        """What the object's map says: of a distance that is no integer at the next double above."""
        return self._object.map(distance if isinstance(distance, int) else _double_above(distance))

    def contains(self, output: Any) -> bool:
        """Whether the object's own output domain has it; measurements have none."""
        return self.assumed or bool(self._object.output_domain.member(output))


def _double_above(number: Fraction) -> float:
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else math.nextafter(nearest, math.inf)


def _metric(described: object) -> str:
    name = re.match(r"\w+", str(described))
    return METRICS[name[0]] if name is not None and name[0] in METRICS else str(described)


def _instances() -> Iterator[tuple[str, Instance]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for texts in table["maps"]:
        for values in product(*texts["over"].values()):
            chosen = dict(zip(texts["over"], values, strict=True))
            name = f"{texts['name']}, " + ", ".join(value.strip("'") for value in values)
            yield name, Instance(texts, chosen, table["types"])


INSTANCES: Mapping[str, Instance] = dict(_instances())
NAMES = tuple(INSTANCES)


def __getattr__(name: str) -> Instance:
    if name not in INSTANCES:
        raise AttributeError(f"no instance has the name {name!r}")
    return INSTANCES[name]
