"""multi-freq-ldpy 0.2.5: functions X_Client and X_Aggregator_MI. Its items are 0 .. d-1, its estimates frequencies.

Its aggregators take the list of all reports; here the list is the server. Arguments are those of its documentation,
with its defaults. In multidimensional protocols an item is a list, and estimates are all of attribute 0, then all of
attribute 1, ...
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

import numpy as np
import xxhash  # type: ignore[import-not-found]
from multi_freq_ldpy.long_freq_est.Variance_LONG_PURE import VAR_Long_Pure  # type: ignore[import-not-found]
from multi_freq_ldpy.mdim_freq_est import Variance_RSpFD  # type: ignore[import-not-found]
from multi_freq_ldpy.pure_frequency_oracles.Variance_PURE import VAR_Pure  # type: ignore[import-not-found]
from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]

FOLDERS = {
    "pure_frequency_oracles": ("GRR", "UE", "ADP", "SS", "LH", "HE"),
    "long_freq_est": ("L_GRR", "L_SUE", "L_OUE", "L_OSUE", "L_SOUE", "L_ADP", "L_LH", "dBitFlipPM"),
    "mdim_freq_est": ("SPL_solution", "SMP_solution", "RSpFD_solution"),
    "long_mdim_freq_est": ("L_SPL_Solution", "L_SMP_Solution"),
}
MODULES = [import_module(f"multi_freq_ldpy.{folder}.{name}") for folder, names in FOLDERS.items() for name in names]


class _Functions:
    """A pair of functions and the arguments that follow the item (client) and the list of reports (server)."""

    name: ClassVar[str]  # of the functions; by default that of the class
    options: ClassVar[tuple[Any, ...]] = ()
    numbered: ClassVar[bool] = False  # whether reports are numbers, not vectors
    client_arguments: tuple[Any, ...]
    server_arguments: tuple[Any, ...]

    def __init_subclass__(cls) -> None:
        cls.name = cls.__dict__.get("name", cls.__name__)

    def client(self) -> None:
        """The clients are functions."""

    def privatize(self, client: None, item: Any) -> Any:
        """The report on one item."""
        return self._function("Client")(item, *self.client_arguments)

    def server(self) -> list[Any]:
        """An empty list of reports."""
        return []

    def aggregate(self, server: list[Any], report: Any) -> None:
        """Hand one report to the server."""
        server.append(report)

    def estimate(self, server: list[Any]) -> Any:
        """Estimated frequencies of all items."""
        return self._function("Aggregator_MI")(server, *self.server_arguments)

    @property
    def reproduce(self) -> list[str]:
        """How often each report on an item comes out, in the library's own terms."""
        arguments = ", ".join(map(repr, self.client_arguments))
        return [
            "from collections import Counter",
            f"from {self._function('Client').__module__} import {self.name}_Client",
            f"print(Counter(repr({self.name}_Client({{input}}, {arguments})) for _ in range(10000)))",
        ]

    @property
    def reproduce_estimate(self) -> list[str]:
        """The estimates from given reports."""
        arguments = ", ".join(map(repr, self.server_arguments))
        reports = "{reports}" if self.numbered else "[np.array(report) for report in {reports}]"
        return [
            "import numpy as np",
            f"from {self._function('Aggregator_MI').__module__} import {self.name}_Aggregator_MI",
            f"print({self.name}_Aggregator_MI({reports}, {arguments}))",
        ]

    def _function(self, kind: str) -> Any:
        name = self.name + "_" + kind
        return next(
            getattr(module, name) for module in reversed(MODULES) if name in vars(module) and _made_in(module, name)
        )


def _stated(function: Any, *arguments: Any) -> dict[str, float]:
    """What a function for the variance states for one report, of a value that nobody holds and of one that all do."""
    return {"stated variance": function(*arguments, f=0), "stated variance, held by all": function(*arguments, f=1)}


def _pure(d: int, epsilon: float) -> tuple[float, float]:
    """The probabilities of GRR, as the library has them."""
    p = np.exp(epsilon) / (np.exp(epsilon) + d - 1)
    return p, (1 - p) / (d - 1)


def _bits(epsilon: float, optimal: bool) -> tuple[float, float]:
    """The probabilities of unary encoding, as the library has them."""
    if optimal:
        return 1 / 2, 1 / (np.exp(epsilon) + 1)
    p = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
    return p, 1 - p


def _amplified(d: int, epsilon: float) -> float:
    """The budget of the attribute that is sampled among d."""
    return float(np.log(d * (np.exp(epsilon) - 1) + 1))


def _made_in(module: Any, name: str) -> bool:
    return bool(getattr(module, name).__module__ == module.__name__)


# --- one attribute, one report ---------------------------------------------------------------------------------------


class GRR(_Functions):
    """Generalized randomized response."""

    numbered = True

    def __init__(self, d: int, epsilon: float) -> None:
        self.client_arguments = self.server_arguments = (d, epsilon, *self.options)

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Pure states."""
        return _stated(VAR_Pure, *_pure(*self.client_arguments[:2])) if self.name == "GRR" else {}


class _Unary(_Functions):
    """Protocols whose aggregator is not told the number of items."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.client_arguments, self.server_arguments = (d, epsilon, *self.options), (epsilon, *self.options)

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Pure states."""
        return _stated(VAR_Pure, *_bits(self.server_arguments[0], not self.options))


class SUE(_Unary):
    """Symmetric unary encoding, basic RAPPOR."""

    name = "UE"
    options = (False,)


class OUE(_Unary):
    """Optimized unary encoding, the default."""

    name = "UE"


class ADP(GRR):
    """GRR or OUE (the default), whichever has the smaller variance."""

    numbered = False


class SS(GRR):
    """Subset selection. A report is an array; the mechanism's is the set of its entries."""

    numbered = False

    def canonical(self, report: Any) -> Any:
        """The set."""
        return {int(x) for x in report}


class SS_repaired(SS):
    """With a sorted array."""

    name = "SS"

    def privatize(self, client: None, item: Any) -> Any:
        """The report on one item."""
        return np.sort(super().privatize(client, item))


class OLH(GRR):
    """Local hashing with its default g = round(e^epsilon) + 1, given the seed; the mechanism's report is the cell."""

    name = "LH"
    numbered = False

    def canonical(self, report: Any) -> Any:
        """The cell."""
        return int(report[0])

    def conditions(self, report: Any) -> Any:
        """The seed."""
        return [int(report[1])]

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items under the hash function that the seed selects."""
        return {"hash": _cells(self.client_arguments[0], conditioned[0], self._g())}

    def _g(self) -> int:
        return int(round(np.exp(self.client_arguments[1]))) + 1  # noqa: RUF046


class BLH(OLH):
    """Local hashing with g = 2."""

    name = "LH"
    options = (False,)

    def _g(self) -> int:
        return 2


class THE(GRR):
    """Histogram encoding with the aggregator's threshold, the default: a report is what the aggregator makes of it."""

    name = "HE"
    numbered = False

    def privatize(self, client: None, item: Any) -> Any:
        """The thresholded bits."""
        report = super().privatize(client, item)
        return [int(entry > self.theta) for entry in report]

    def aggregate(self, server: list[Any], report: Any) -> None:
        """The aggregator compares with its threshold, which is between 0 and 1."""
        server.append(np.array(report, dtype=float))

    @property
    def theta(self) -> float:
        """The threshold, computed as the aggregator does."""
        target = import_module("multi_freq_ldpy.pure_frequency_oracles.HE").find_tresh
        return float(minimize_scalar(target, bounds=[0.5, 1], method="bounded", args=self.client_arguments[1]).x)


# --- one attribute, longitudinal -------------------------------------------------------------------------------------


class L_GRR(_Functions):
    """GRR twice."""

    numbered = True

    def __init__(self, d: int, eps_perm: float, eps_1: float) -> None:
        self.client_arguments = self.server_arguments = (d, eps_perm, eps_1, *self.options)

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Long_Pure states, with the probabilities that the client computes."""
        if self.name != "L_GRR":
            return {}
        k, eps_perm, eps_1 = self.client_arguments
        p1, q1 = _pure(k, eps_perm)
        e = np.exp(eps_1)
        p2 = (q1 - e * p1) / ((-p1 * e) + k * q1 * e - q1 * e - p1 * (k - 1) + q1)
        return _stated(VAR_Long_Pure, p1, q1, p2, (1 - p2) / (k - 1))


class _LongUnary(_Functions):
    def __init__(self, d: int, eps_perm: float, eps_1: float) -> None:
        self.client_arguments, self.server_arguments = (d, eps_perm, eps_1), (eps_perm, eps_1)


class L_SUE(_LongUnary):
    """SUE, SUE: basic RAPPOR."""


class L_OUE(_LongUnary):
    """OUE, OUE."""


class L_OSUE(_LongUnary):
    """OUE, SUE."""

    def facts(self, conditioned: Any) -> Any:
        """What VAR_Long_Pure states, with the probabilities that the client computes."""
        e, e1 = (np.exp(epsilon) for epsilon in self.server_arguments)
        p2 = (1 - e1 * e) / (e1 - e - e1 * e + 1)
        return _stated(VAR_Long_Pure, *_bits(self.server_arguments[0], True), p2, 1 - p2)


class L_SOUE(_LongUnary):
    """SUE, OUE."""


class L_ADP(L_GRR):
    """L-GRR or L-OSUE."""

    numbered = False


class L_BLH(L_GRR):
    """Longitudinal local hashing with g = 2, given the seed; the mechanism's report is the cell."""

    name = "L_LH"
    options: ClassVar[tuple[Any, ...]] = (False,)
    numbered = False

    def canonical(self, report: Any) -> Any:
        """The cell."""
        return int(report[0])

    def conditions(self, report: Any) -> Any:
        """The seed."""
        return [int(report[1])]

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items under the hash function that the seed selects."""
        return {"hash": _cells(self.client_arguments[0], conditioned[0], 2)}


class L_OLH(L_BLH):
    """Longitudinal local hashing with its default, an optimized g; the audit states which g that is."""

    name = "L_LH"
    options = ()

    def __init__(self, d: int, eps_perm: float, eps_1: float, g: int) -> None:
        super().__init__(d, eps_perm, eps_1)
        self._g = g

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items under the hash function that the seed selects."""
        return {"hash": _cells(self.client_arguments[0], conditioned[0], self._g)}


class dBitFlipPM(_Functions):
    """Microsoft's bits of buckets."""

    def __init__(self, d: int, buckets: int, bits: int, epsilon: float) -> None:
        self.client_arguments, self.server_arguments = (d, buckets, bits, epsilon), (buckets, bits, epsilon)


# --- many attributes -------------------------------------------------------------------------------------------------


class _Many(_Functions):
    """The aggregator is told the sizes of the attributes."""

    def __init__(self, sizes: list[int], epsilon: float) -> None:
        self.client_arguments = self.server_arguments = (list(sizes), len(sizes), epsilon, *self.options)

    def estimate(self, server: list[Any]) -> Any:
        """Estimated frequencies of all items of all attributes."""
        return [number for attribute in super().estimate(server) for number in attribute]


class _ManyUnary(_Many):
    """The aggregator is told their number only."""

    def __init__(self, sizes: list[int], epsilon: float) -> None:
        super().__init__(sizes, epsilon)
        self.server_arguments = (len(sizes), epsilon, *self.options)


class SPL_GRR(_Many):
    """Split budget, GRR."""

    numbered = True


class SPL_SUE(_ManyUnary):
    """Split budget, SUE."""

    name = "SPL_UE"
    options = (False,)


class SPL_OUE(_ManyUnary):
    """Split budget, OUE (the default)."""

    name = "SPL_UE"


class SPL_ADP(_Many):
    """Split budget, ADP."""


class SPL_SS(_Many):
    """Split budget, subset selection; the mechanism's report is a tuple of sets."""

    def canonical(self, report: Any) -> Any:
        """The sets."""
        return [{int(x) for x in part} for part in report]


class SPL_OLH(_Many):
    """Split budget, local hashing with g = round(e^(epsilon/d)) + 1, given the seeds."""

    name = "SPL_LH"

    def canonical(self, report: Any) -> Any:
        """The cells."""
        return [int(part[0]) for part in report]

    def conditions(self, report: Any) -> Any:
        """The seeds."""
        return [int(part[1]) for part in report]

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items of all attributes; attribute j has the j-th seed."""
        sizes, d, epsilon = self.client_arguments
        g = round(np.exp(epsilon / d)) + 1
        return {"hashes": [_cells(k, conditioned[j % len(conditioned)], g) for j, k in enumerate(sizes)]}


class SMP_GRR(SPL_GRR):
    """One sampled attribute, GRR."""


class SMP_SUE(SPL_SUE):
    """One sampled attribute, SUE."""

    name = "SMP_UE"


class SMP_OUE(SPL_OUE):
    """One sampled attribute, OUE (the default)."""

    name = "SMP_UE"


class SMP_ADP(SPL_ADP):
    """One sampled attribute, ADP."""


class SMP_SS(SPL_SS):
    """One sampled attribute, subset selection."""

    def canonical(self, report: Any) -> Any:
        """The attribute and the set."""
        return [int(report[0]), {int(x) for x in report[1]}]


class SMP_SS_repaired(SMP_SS):
    """With a sorted array."""

    name = "SMP_SS"

    def privatize(self, client: None, item: Any) -> Any:
        """The attribute and the array."""
        attribute, subset = super().privatize(client, item)
        return attribute, np.sort(subset)


class SMP_OLH(SPL_OLH):
    """One sampled attribute, local hashing with g = round(e^epsilon) + 1, given the seed."""

    name = "SMP_LH"

    def canonical(self, report: Any) -> Any:
        """The attribute and the cell."""
        return [int(report[0]), int(report[1][0])]

    def conditions(self, report: Any) -> Any:
        """The seed."""
        return [int(report[1][1])]

    def facts(self, conditioned: Any) -> Any:
        """The cells of all items of all attributes; there is one seed, for the sampled one."""
        sizes, _, epsilon = self.client_arguments
        g = round(np.exp(epsilon)) + 1
        return {"hashes": [_cells(k, conditioned[0], g) for k in sizes]}


class RSpFD_GRR(_Many):
    """RS+FD, GRR and uniform fakes."""

    numbered = True

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_GRR states of the first attribute."""
        sizes, d, epsilon = self.client_arguments
        return _stated(Variance_RSpFD.VAR_RSpFD_GRR, *_pure(sizes[0], _amplified(d, epsilon)), sizes[0], d)


class RSpFD_OUE_zero(_Many):
    """RS+FD, OUE (the default) and fakes from zero vectors."""

    name = "RSpFD_UE_zero"

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_UE_zero states of the first attribute."""
        _, d, epsilon = self.client_arguments[:3]
        return _stated(Variance_RSpFD.VAR_RSpFD_UE_zero, *_bits(_amplified(d, epsilon), not self.options), d)


class RSpFD_SUE_zero(RSpFD_OUE_zero):
    """RS+FD, SUE and fakes from zero vectors."""

    name = "RSpFD_UE_zero"
    options = (False,)


class RSpFD_OUE_random(_Many):
    """RS+FD, OUE (the default) and fakes from random vectors."""

    name = "RSpFD_UE_rnd"

    def facts(self, conditioned: Any) -> Any:
        """What VAR_RSpFD_UE_rnd states of the first attribute."""
        sizes, d, epsilon = self.client_arguments[:3]
        bits = _bits(_amplified(d, epsilon), not self.options)
        return _stated(Variance_RSpFD.VAR_RSpFD_UE_rnd, *bits, sizes[0], d)


class RSpFD_SUE_random(RSpFD_OUE_random):
    """RS+FD, SUE and fakes from random vectors."""

    name = "RSpFD_UE_rnd"
    options = (False,)


class RSpFD_ADP(_Many):
    """RS+FD, GRR or OUE-zero."""


# --- many attributes, longitudinal -----------------------------------------------------------------------------------


class _LongMany(_Many):
    def __init__(self, sizes: list[int], eps_perm: float, eps_1: float) -> None:
        self.client_arguments = self.server_arguments = (list(sizes), len(sizes), eps_perm, eps_1)


class _LongManyUnary(_Many):
    def __init__(self, sizes: list[int], eps_perm: float, eps_1: float) -> None:
        self.client_arguments = (list(sizes), len(sizes), eps_perm, eps_1)
        self.server_arguments = (len(sizes), eps_perm, eps_1)


class SPL_L_GRR(_LongMany):
    """Split budgets, L-GRR."""

    numbered = True


class SPL_L_SUE(_LongManyUnary):
    """Split budgets, L-SUE."""


class SPL_L_OUE(_LongManyUnary):
    """Split budgets, L-OUE."""


class SPL_L_OSUE(_LongManyUnary):
    """Split budgets, L-OSUE."""


class SPL_L_SOUE(_LongManyUnary):
    """Split budgets, L-SOUE."""


class SPL_L_ADP(_LongMany):
    """Split budgets, L-ADP."""


class SPL_dBitFlipPM(_Many):
    """Split budget, dBitFlipPM."""

    def __init__(self, sizes: list[int], buckets: list[int], bits: int, epsilon: float) -> None:
        self.client_arguments = (list(sizes), list(buckets), bits, len(sizes), epsilon)
        self.server_arguments = (list(buckets), bits, len(sizes), epsilon)


class SMP_L_GRR(SPL_L_GRR):
    """One sampled attribute, L-GRR."""


class SMP_L_SUE(SPL_L_SUE):
    """One sampled attribute, L-SUE."""


class SMP_L_OUE(SPL_L_OUE):
    """One sampled attribute, L-OUE."""


class SMP_L_OSUE(SPL_L_OSUE):
    """One sampled attribute, L-OSUE."""


class SMP_L_SOUE(SPL_L_SOUE):
    """One sampled attribute, L-SOUE."""


class SMP_L_ADP(SPL_L_ADP):
    """One sampled attribute, L-ADP."""


class SMP_dBitFlipPM(SPL_dBitFlipPM):
    """One sampled attribute, dBitFlipPM."""


def _cells(d: int, seed: int, g: int) -> list[int]:
    return [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(d)]
