"""Declared maps that are texts: the rows of the tables beside this file, evaluated where a library is.

It is run by the files of the libraries, in their environments, and imports nothing of ours.
"""

import tomllib
from collections.abc import Mapping
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

ARGUMENTS = {"function": "member", "declared": "distance, *point", "contains": "output", "accepts": "member"}


def tables(values: Any, most: int, least: int = 0) -> list[list[Any]]:
    """All lists of so many records."""
    return [list(rows) for n in range(least, most + 1) for rows in product(values, repeat=n)]


def lists(of: Any, least: int, most: int, *near: Any) -> dict[str, Any]:
    """A search among the lists of so many records of a type."""
    return {"of": of, "sizes": (least, most), "near": near}


class Instance:
    """A row of a table with a value for each of its names, as `audit map` takes it.

    Its texts are Python with the names of the library's file, of `prelude`, and `made`, which `make` is evaluated to
    when it is looked at; what is `before` is run first. `lines` repeat a fault with the library alone, if `repeat` says
    how.
    """

    def __init__(self, texts: Mapping[str, Any], prelude: str, names: Mapping[str, Any]) -> None:
        self._texts, self._prelude, self._names = texts, prelude, names
        self.make: str = texts["make"]
        self.exhaustive: bool = bool(texts.get("exhaustive"))
        self.linear: bool = bool(texts.get("linear"))
        self.assumed: bool = bool(texts.get("assumed"))
        repeat = texts.get("repeat", "")
        self.lines: tuple[str, ...] = (prelude, f"made = {self.make}; {repeat}") if repeat else ()
        if "search" in texts:
            self.search: Any = eval(texts["search"], self._plain)

    @property
    def _plain(self) -> dict[str, Any]:
        return {**self._names, "tables": tables, "lists": lists}

    @cached_property
    def scope(self) -> dict[str, Any]:
        """The names of its texts. Imports the library."""
        scope = self._plain
        exec(self._texts.get("before", ""), scope)
        exec(self._prelude, scope)
        scope["made"] = eval(self.make, scope)
        return scope

    @property
    def members(self) -> Any:
        """Listed members; none where they are searched only."""
        return eval(self._texts.get("members", "()"), self.scope)

    @property
    def d_in(self) -> str:
        """The metric of inputs."""
        return str(eval(self._texts["d_in"], self.scope))

    @property
    def d_out(self) -> str:
        """The metric of outputs, or the measure of privacy."""
        return str(eval(self._texts["d_out"], self.scope))

    def function(self, member: Any) -> Any:
        """What comes of a member."""
        return self._function("function")(member)

    def declared(self, distance: Any, *point: Any) -> Any:
        """The number declared at a distance, of a curve at a point."""
        return self._function("declared")(distance, *point)

    def contains(self, output: Any) -> Any:
        """Whether an output is in the declared output domain; a row that does not say has none."""
        return "contains" not in self._texts or self._function("contains")(output)

    def accepts(self, member: Any) -> Any:
        """Whether the library takes this for a member of the domain, and does not raise; a row that does not say
        accepts all."""
        if "accepts" not in self._texts:
            return True
        try:
            return self._function("accepts")(member)
        except Exception:
            return False

    def _function(self, name: str) -> Any:
        made = self.scope
        key = f"function {name}"
        if key not in made:
            made[key] = eval(f"lambda {ARGUMENTS[name]}: ({self._texts[name]})", made)
        return made[key]


def instances(file: str, names: Mapping[str, Any]) -> dict[str, Instance]:
    """The instances of the table beside a library's file: every row with every combination of what stands `over` its
    names, and where a row does not say what `defaults` says, of a law that is assumed first what `laws` says."""
    table = tomllib.loads(Path(file).with_suffix(".toml").read_text(encoding="utf-8"))
    made = {}
    for row in table["maps"]:
        laws = table.get("laws", {}) if row.get("assumed") else {}
        own = {name: text for name, text in row.items() if name not in ("over", "name")}
        texts = {**table["defaults"], **laws, **own}
        for values in product(*row.get("over", {}).values()):
            chosen = dict(zip(row.get("over", {}), values, strict=True))
            name = ", ".join([row["name"], *(value.strip("'") for value in values)])
            made[name] = Instance({part: _put(text, chosen) for part, text in texts.items()}, table["prelude"], names)
    return made


def _put(text: Any, chosen: Mapping[str, str]) -> Any:
    """The text with values in place of the names in angle brackets."""
    for name, value in chosen.items():
        text = text.replace(f"<{name}>", value) if isinstance(text, str) else text
    return text
