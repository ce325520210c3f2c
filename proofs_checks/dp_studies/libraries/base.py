"""What is known about a released library: which mechanisms are audited, by which adapter, against which oracle."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from dp_audit.audit import AT_ONCE
from dp_audit.judge.estimator import Unit
from dp_spec.vocabulary.items import Item

ADAPTERS = Path(__file__).with_name("adapters")
Texts = Mapping[str, object]
"""Expressions that `adapters.texts` evaluates, by what they are of."""
Adapter = str | Texts
"""The class of a library's adapter file that makes clients and servers, or its texts."""
LN3 = "ln(3)"
"""A budget at which laws are rational."""
FAR: tuple[Mapping[str, object], ...] = ({"d": 2, "epsilon": 37.0}, {"d": 3, "epsilon": 40.0})
"""Budgets at which e^-epsilon is near the spacing of the doubles below 1."""


@dataclass(frozen=True)
class Repair:
    """A change that would end the deviations of a mechanism: in words, and as the adapter's class that makes it, or as
    the texts that are others.

    What it achieves is not said here: it is audited like the library itself. `shows`: code against the unmodified
    library that shows the deviation, where the rows of the audit have none (samples).
    """

    says: str
    adapter: Adapter = ""
    shows: tuple[str, ...] = ()


FINE = Repair("coins with more bits than one double, for a budget whose e^-epsilon is below 2^-53")


@dataclass(frozen=True)
class Audited:
    """One randomizer or frequency oracle of a library: the adapter that drives it, and its reference.

    `parameters` are those of the published audits, in the oracle's terms (one audit for each); `handed` names those
    the adapter is given (None: all). A draw that selects a hash function is conditioned on: the law is exact given the
    values `conditioned`, and what the adapter states as facts about them (the hash table) completes the oracle's
    parameters; `asks`: facts are asked for although nothing is conditioned on. `reused`: one client is also used twice
    (where that is not too much to enumerate). `normalized`: the estimates are documented to be clipped at 0 and
    divided by their sum; `consistent`: to be made consistent with it. `method` is `process` where the randomness cannot
    be intercepted (compiled code): at most so many `reports` are drawn on each input, the `first` of them before any is
    judged (a law that few refute leaves the budget undecided). `also_outside` are inputs outside
    every domain, looked at beside -1 and d. `compiled`: whether its client is, if not as the library is. `repair`: what
    would end its deviations.
    """

    adapter: Adapter
    oracle: str
    parameters: tuple[Mapping[str, object], ...]
    unit: Unit = "frequencies"
    method: Literal["exact", "process"] = "exact"
    handed: tuple[str, ...] | None = None
    asks: bool = False
    conditioned: tuple[int, ...] = ()
    condition_from: int | None = None
    input_types: tuple[str, ...] = ("int", "numpy.int64")
    outside: tuple[Item, ...] | None = None
    also_outside: tuple[Item, ...] = ()
    compiled: bool | None = None
    users: tuple[int, ...] = (1, 2)
    reused: bool = True
    normalized: bool = False
    consistent: bool = False
    reports: int = 50_000
    first: int = AT_ONCE
    notes: tuple[str, ...] = ()
    repair: Repair | None = None

    @property
    def protocol(self) -> str:
        """The adapter's class."""
        return self.adapter if isinstance(self.adapter, str) else "Texts"

    @property
    def texts(self) -> Texts:
        """What the class is given beside the parameters."""
        return {} if isinstance(self.adapter, str) else self.adapter

    @property
    def repaired(self) -> "Audited | None":
        """With the change that the repair makes, if there is one that can be run."""
        if self.repair is None or not self.repair.adapter:
            return None
        change = self.repair.adapter
        return replace(self, adapter=change if isinstance(change, str) else {**self.texts, **change})


def evaluated(template: str) -> str:
    """The expression that the text of an f-string shows, whose braces are around parameters."""
    return template.replace("{", "").replace("}", "")


def exact(adapter: Adapter, oracle: str, *parameters: Mapping[str, object], **more: Any) -> Audited:
    """A mechanism on numbers of Python whose clients report once; nothing is outside its domain."""
    return Audited(adapter, oracle, parameters, **{"input_types": ("int",), "outside": (), "reused": False, **more})


def sampled(adapter: Adapter, oracle: str, *parameters: Mapping[str, object], **more: Any) -> Audited:
    """A mechanism whose randomness cannot be intercepted; nothing is outside its domain."""
    return Audited(adapter, oracle, parameters, **{"method": "process", "outside": (), **more})


@dataclass(frozen=True)
class Library:
    """A released library: its name on the index, adapter file, environment, and what a reader must know.

    An adapter in JavaScript is a program that speaks the audit protocol, and its environment `javascript`.

    `without_oracle` names what was not looked at, with the reason. `exceeded`: of some of it, code against the
    unmodified library whose last line prints what two data sets that differ in one record spend, and less, which they
    may. `compiled`: it runs compiled, and its source is interpreted in an exact audit.
    """

    name: str
    environment: str
    adapter: str
    protocols: Mapping[str, Audited]
    compiled: bool = False
    notes: tuple[str, ...] = ()
    without_oracle: Mapping[str, str] = field(default_factory=dict)
    exceeded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The adapter file."""
        return ADAPTERS / self.adapter
