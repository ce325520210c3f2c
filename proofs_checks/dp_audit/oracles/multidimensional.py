"""Oracles of multidimensional solutions: a user holds a tuple, one value for each attribute; estimates are all of
attribute 0, then all of attribute 1, ...

SMP samples one attribute and spends the whole budget on it; SPL splits the budget over all; RS+FD (Arcolezi et al.,
CIKM 2021) samples one, with the amplified budget ln(d (e^eps - 1) + 1), and sends fake data for the others.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from typing import Any, Literal

from flint import fmpq

from dp_audit.oracles import bitflip, hashing, longitudinal
from dp_audit.oracles.base import Number, Oracle, OracleKind, double, epsilon, integer, joint_law, multiplied
from dp_audit.oracles.frequency import KINDS as FREQUENCY
from dp_audit.oracles.frequency import FrequencyOracle, grr, optimized, symmetric
from dp_audit.oracles.memoization import Chain, Memoized
from dp_audit.oracles.readers import several, tables
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

Fake = Literal["uniform", "zero", "random"]
Solution = Literal["SMP", "SPL", "RSpFD"]


@dataclass(frozen=True)
class Multidimensional(Oracle):
    """Attributes, the oracle of each, and the nominal budget of a whole report."""

    parts: tuple[Oracle, ...]
    epsilon: Budget[Real]

    @property
    def inputs(self) -> tuple[Item, ...]:
        """All tuples of values."""
        return tuple(product(*(part.inputs for part in self.parts)))

    @abstractmethod
    def combined(self, laws: Sequence[Mapping[Hashable, Number]]) -> dict[Hashable, Number]:
        """Return the law of a whole report from those of the attributes' own."""

    def law(self, item: Any) -> Mapping[Hashable, Number]:
        """Return the attributes' laws, combined. Raises `DomainError` for what is no tuple of values."""
        if not isinstance(item, tuple) or len(item) != len(self.parts):
            raise DomainError("item", item, f"a value for each of {len(self.parts)} attributes")
        return self.combined([part.law(value) for part, value in zip(self.parts, item, strict=True)])

    def expected_estimate(self, data: Sequence[Item]) -> tuple[Number, ...] | None:
        """Return the true frequencies in every attribute, as far as its estimator is unbiased."""
        return _joined([part.expected_estimate(column) for part, column in self._columns(data)])

    def _columns(self, rows: Sequence[Any]) -> list[tuple[Oracle, list[Any]]]:
        return [(part, [row[j] for row in rows]) for j, part in enumerate(self.parts)]


@dataclass(frozen=True)
class Sampled(Multidimensional):
    """SMP: a report is (attribute, its report). No estimator is specified: an attribute nobody sampled has none."""

    def combined(self, laws: Sequence[Mapping[Hashable, Number]]) -> dict[Hashable, Number]:
        """Return the law of (attribute, its report): the attribute is uniform."""
        return {(j, y): p / len(laws) for j, law in enumerate(laws) for y, p in law.items()}

    def expected_estimate(self, data: Sequence[Item]) -> None:
        """Return None: with positive probability nobody samples an attribute."""


@dataclass(frozen=True)
class Split(Multidimensional):
    """SPL: a report is the tuple of the reports on all attributes, each with its share of the budget."""

    def combined(self, laws: Sequence[Mapping[Hashable, Number]]) -> dict[Hashable, Number]:
        """Return the product of the laws: the attributes are independent."""
        return joint_law(laws)

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...] | None:
        """Return the estimates of each attribute's estimator."""
        return _joined([part.estimate(column) for part, column in self._columns(reports)])

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...] | None:
        """Return each attribute's variance."""
        return _joined([part.variance(column) for part, column in self._columns(data)])


class Lasting(Multidimensional, Memoized):
    """Attributes with mechanisms that keep something: for every attribute, on its own."""

    def apart(self, items: Sequence[Item]) -> bool:
        """Return whether they differ in every attribute, for which or for all of which together something is kept."""
        rows: list[Any] = [*dict.fromkeys(items)]
        columns = zip(_lasting(self), zip(*rows, strict=True), strict=True)
        return all(len({*column}) == len(rows) and part.apart(column) for part, column in columns)

    def kept_law(self, item: Any) -> Mapping[Hashable, Number]:
        """Return the law of what is kept, combined from the attributes' as that of a report is."""
        return self.combined([part.kept_law(value) for part, value in zip(_lasting(self), item, strict=True)])


class LastingSplit(Lasting, Split):
    """SPL with mechanisms that keep something."""

    @property
    def shares(self) -> bool:
        """A client may keep a part of its reports on an attribute."""
        return any(part.shares for part in _lasting(self))

    def common(self, report: Any) -> Hashable:
        """Return these parts."""
        return tuple(part.common(y) for part, y in zip(_lasting(self), report, strict=True))

    def lasting_privacy(self) -> Number:
        """Return the product of the bounds of the attributes."""
        return multiplied(part.lasting_privacy() for part in _lasting(self))

    def report_law(self, kept: Any) -> Mapping[Hashable, Number]:
        """Return the product of the attributes' laws."""
        return joint_law([part.report_law(value) for part, value in zip(_lasting(self), kept, strict=True)])

    def chain(self, item: Any) -> Chain:
        """Return the chain of the first attribute."""
        own = _lasting(self)[0].chain(item[0])
        return replace(own, symbol=lambda report: own.symbol(report[0]))  # type: ignore[index]


class LastingSampled(Lasting, Sampled):
    """SMP with mechanisms that keep something: the attribute is drawn once, and with it what is kept."""

    @property
    def shares(self) -> bool:
        """A client may keep its attribute."""
        return True

    def common(self, report: Any) -> Hashable:
        """Return the attribute."""
        attribute, _ = report
        return int(attribute)

    def lasting_privacy(self) -> Number:
        """Return the largest of the attributes' bounds, which are alike."""
        return _lasting(self)[0].lasting_privacy()

    def report_law(self, kept: Any) -> Mapping[Hashable, Number]:
        """Return the law of the attribute with its report."""
        j, z = kept
        return {(j, y): p for y, p in _lasting(self)[j].report_law(z).items()}

    def chain(self, item: Any) -> Chain:
        """Return the chain of the first attribute, if it was drawn; that another one was is a state and a symbol of its
        own."""
        own, share = _lasting(self)[0].chain(item[0]), fmpq(1, len(self.parts))
        other = len(own.emissions[0])

        def symbol(report: Any) -> int:
            return own.symbol(report[1]) if report[0] == 0 else other

        none: tuple[Number, ...] = (*[fmpq(0)] * other, fmpq(1))
        kept = (*(share * p for p in own.kept), 1 - share)
        return Chain(symbol, kept, (*((*law, fmpq(0)) for law in own.emissions), none))


def _lasting(oracle: Multidimensional) -> list[Memoized]:
    return [part for part in oracle.parts if isinstance(part, Memoized)]


@dataclass(frozen=True)
class FakeData(Multidimensional):
    """RS+FD: a report is a tuple with a true report on one uniformly drawn attribute and fakes for the others.

    Fakes: a uniform item (`uniform`, with GRR), unary encoding of the zero vector (`zero`) or of a uniform item
    (`random`). The amplified budget is the source's; it makes the report epsilon-private for tuples that differ in one
    attribute, but not for tuples that differ in more.
    """

    parts: tuple[FrequencyOracle, ...]
    fakes: tuple[Fake, ...]

    def combined(self, laws: Sequence[Mapping[Hashable, Number]]) -> dict[Hashable, Number]:
        """Return the mixture over the sampled attribute."""
        fakes = [self._fake(j) for j in range(len(laws))]
        return _mixed([joint_law([*fakes[:j], law, *fakes[j + 1 :]]) for j, law in enumerate(laws)])

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...]:
        """Return (d F_x / n - q - (d - 1) r) / (p - q) for every item x: r is the probability that a fake supports
        x."""
        d, estimates = len(self.parts), []
        for j, (part, column) in enumerate(self._columns(reports)):
            p, q, r = self.support(j)
            for x in range(len(part.inputs)):
                share = fmpq(sum(self.parts[j].supports(report, x) for report in column), len(reports))
                estimates.append((d * share - q - (d - 1) * r) / (p - q))
        return tuple(estimates)

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """Return the variances: a user supports x with probability (p or q + (d - 1) r) / d, independently. (In closed
        form: ADP compares them at sizes at which the law is too large to be listed.)"""
        d, n, variances = len(self.parts), len(data), []
        for j, (part, column) in enumerate(self._columns(data)):
            p, q, r = self.support(j)
            one, other = ((y + (d - 1) * r) / d for y in (p, q))
            for x in part.inputs:
                k = column.count(x)
                spread = k * one * (1 - one) + (n - k) * other * (1 - other)
                variances.append(spread * d * d / (n * n * (p - q) ** 2))
        return tuple(variances)

    def support(self, attribute: int) -> tuple[Number, Number, Number]:
        """Return the probabilities that the report on the item, on another one, and a fake support an item."""
        part = self.parts[attribute]
        p, q, k = part.p, part.q, part.d
        fake = {"uniform": fmpq(1, k), "zero": q, "random": (p + (k - 1) * q) / k}
        return p, q, fake[self.fakes[attribute]]

    def _fake(self, attribute: int) -> Mapping[Hashable, Number]:
        part, kind = self.parts[attribute], self.fakes[attribute]
        if kind == "uniform":
            return {x: fmpq(1, part.d) for x in part.inputs}
        if kind == "zero":
            return joint_law([{0: 1 - part.q, 1: part.q}] * part.d)
        return _mixed([part.law(x) for x in part.inputs])


def _mixed(laws: Sequence[Mapping[Hashable, Number]]) -> dict[Hashable, Number]:
    """Return the law of an output of one of the laws, drawn uniformly."""
    mixed: dict[Hashable, Number] = {}
    for y, p in chain.from_iterable(law.items() for law in laws):
        mixed[y] = mixed.get(y, fmpq(0)) + p / len(laws)
    return mixed


def _joined(parts: Sequence[tuple[Number, ...] | None]) -> tuple[Number, ...] | None:
    numbers = [part for part in parts if part is not None]
    return tuple(number for part in numbers for number in part) if len(numbers) == len(parts) else None


def attributes(solution: Solution, kind: OracleKind, *, sizes: tuple[int, ...], **parameters: Any) -> Multidimensional:
    """Return SMP or SPL with a mechanism; SPL splits every budget over the attributes.

    Raises `DomainError` unless hash functions and buckets are so many.
    """
    for name in _SEVERAL & parameters.keys():
        if len(parameters[name]) != len(sizes):
            called = "tables" if name == "hashes" else "numbers"
            raise DomainError(name, parameters[name], f"{len(sizes)} {called}, one for each attribute")
    nominal = parameters["eps_1" if "eps_1" in parameters else "epsilon"]
    if solution == "SPL":
        parameters = {
            k: value.split(len(sizes)) if isinstance(value, Budget) else value for k, value in parameters.items()
        }

    def part(j: int) -> Oracle:
        own = {name: value[j] if name in _SEVERAL else value for name, value in parameters.items()}
        try:
            return kind.make(d=sizes[j], **{"hash" if name == "hashes" else name: value for name, value in own.items()})
        except DomainError as error:
            if error.parameter != "hash":
                raise
            raise DomainError("hashes", parameters["hashes"], f"for attribute {j} {error.allowed}") from None

    parts = tuple(part(j) for j in range(len(sizes)))
    lasting = all(isinstance(part, Memoized) for part in parts)
    if solution == "SPL":
        return (LastingSplit if lasting else Split)(parts, nominal)
    return (LastingSampled if lasting else Sampled)(parts, nominal)


def rspfd(part: str, fake: Fake, sizes: tuple[int, ...], epsilon: Budget[Real]) -> FakeData:
    """Return RS+FD with GRR, SUE or OUE and one kind of fakes."""
    budget = Budget.of_root(len(sizes) * (epsilon.root - 1) + 1)
    return FakeData(tuple(_MADE[part](d, budget) for d in sizes), epsilon, (fake,) * len(sizes))


def rspfd_adp(sizes: tuple[int, ...], epsilon: Budget[Real]) -> FakeData:
    """Return RS+FD[ADP]: for each attribute RS+FD[GRR] or RS+FD[OUE-z], whichever has the smaller variance at frequency
    0."""
    grr, oue = rspfd("GRR", "uniform", sizes, epsilon), rspfd("OUE", "zero", sizes, epsilon)
    data = [(0,) * len(sizes)]
    ours, theirs, chosen = grr.variance(data), oue.variance(data), list[bool]()
    for j in range(len(sizes)):
        absent = sum(sizes[:j]) + 1
        order = compare(ours[absent], theirs[absent])
        if order is Ordering.UNDECIDED:
            raise DomainError("epsilon", double(epsilon), "one at which the two variances can be told apart")
        chosen.append(order is not Ordering.GREATER)
    parts = tuple(g if first else o for first, g, o in zip(chosen, grr.parts, oue.parts, strict=True))
    return FakeData(parts, epsilon, tuple("uniform" if first else "zero" for first in chosen))


_MADE: Mapping[str, Callable[[int, Budget[Real]], FrequencyOracle]] = {"GRR": grr, "SUE": symmetric, "OUE": optimized}
_SIZES = {"sizes": several(integer(2), 2)}
_ONE = {**_SIZES, "epsilon": epsilon}
_READERS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("epsilon",), _ONE),
    (("eps_perm", "eps_1"), {**_SIZES, "eps_perm": epsilon, "eps_1": epsilon}),
    (("g", "epsilon", "hash"), {**_SIZES, "g": integer(2), "epsilon": epsilon, "hashes": tables}),
    (
        ("buckets", "bits", "epsilon"),
        {**_SIZES, "buckets": several(integer(2), 2), "bits": integer(1), "epsilon": epsilon},
    ),
)
"""The parameters of a mechanism beside d, and the readers of those of a solution with it."""
_SEVERAL = {"hashes", "buckets"}
"""What has one value for each attribute."""
_SOLUTIONS: tuple[Solution, ...] = ("SMP", "SPL")


_RULES = {
    "SMP": "one attribute is drawn uniformly and reported with the whole budget",
    "SPL": "every attribute is reported with its share of the budget, epsilon / number of attributes",
    "RSpFD": "one attribute is drawn uniformly and reported with ln(n (e^epsilon - 1) + 1) for n attributes, the "
    "others are fake",
}
_WORDS = {
    "hashes": ("for every attribute, the cells of its values", "[[0, 1], [1, 0, 1]]"),
    "buckets": ("number of buckets of every attribute", "2, 2"),
}
_MIXED = ": uniform, or vectors of 0 that are perturbed"


def _several(
    solution: Solution, part: str, report: str, make: Callable[..., Oracle], parameters: Mapping[str, Any]
) -> OracleKind:
    """Return the kind of a solution whose attributes are reported as by the mechanism `part`, whose report is
    `report`."""
    said = f"[number of the attribute, {report}]" if solution == "SMP" else f"for each attribute: {report}"
    return OracleKind(make, parameters, f"{_RULES[solution]}; see {part}", said, words=_WORDS)


def _readers(kind: OracleKind) -> Mapping[str, Any]:
    """Return the parameters of a solution with a mechanism; none if there is no such solution."""
    needed = kind.parameters.keys() - kind.optional
    return next((read for own, read in _READERS if needed == {"d", *own}), {})


def _solved(solution: Solution, name: str, kind: OracleKind, report: str) -> OracleKind:
    return _several(solution, name, report, partial(attributes, solution, kind), _readers(kind))


def _fakes(part: str, make: Callable[..., Oracle], fakes: str) -> OracleKind:
    kind = _several("RSpFD", part, _ONE_ATTRIBUTE[part].report, make, _ONE)
    return replace(kind, law=kind.law.replace("; see", f"{fakes}; see"))


_ONE_ATTRIBUTE = {**{name: FREQUENCY[name] for name in ("GRR", "SUE", "OUE", "SS")}, **longitudinal.KINDS}


def _all_kinds() -> dict[str, OracleKind]:
    kinds: dict[str, OracleKind] = {}
    for name, kind in _ONE_ATTRIBUTE.items():
        for solution in _SOLUTIONS if _readers(kind) else ():
            kinds[f"{solution}-{name}"] = _solved(solution, name, kind, kind.report)
    kinds["RSpFD-GRR"] = _fakes("GRR", partial(rspfd, "GRR", "uniform"), _MIXED)
    for base in ("SUE", "OUE"):
        kinds[f"RSpFD-{base}-zero"] = _fakes(base, partial(rspfd, base, "zero"), ": vectors of 0, perturbed")
        kinds[f"RSpFD-{base}-random"] = _fakes(base, partial(rspfd, base, "random"), ": random indicators, perturbed")
    kinds["RSpFD-ADP"] = _fakes("ADP", rspfd_adp, _MIXED)
    for solution in _SOLUTIONS:
        kinds[f"{solution}-LH"] = _solved(solution, "LH", hashing.KINDS["LH"], "the cell, given the hash function")
        bits = bitflip.KINDS["dBitFlipPM"]
        kinds[f"{solution}-dBitFlipPM"] = _solved(solution, "dBitFlipPM", bits, bits.report)
    return kinds


KINDS = _all_kinds()
