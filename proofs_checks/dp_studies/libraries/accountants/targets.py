"""Accountants of dp-accounting, prv-accountant and smartnoise-sql, as they are: a file that runs in their environment.

The targets of `LIBRARIES` are attributes of this module, by library and name.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

DELTA = 1e-5
PLD = "from dp_accounting.pld import privacy_loss_distribution as pld"
EVENTS = "import dp_accounting as d; from dp_accounting import pld, rdp"


def _calls(**choices: tuple[Any, ...]) -> list[dict[str, Any]]:
    """All dictionaries with one of the values of each argument."""
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


class Accountant:
    """One function of a library, as `audit accountant` takes it. The library is imported when it is called."""

    def __init__(self, mechanism: str, number: str, prelude: str, function: str, calls: list[dict[str, Any]]) -> None:
        self.mechanism: str = mechanism
        self.number: str = number
        self.calls: list[dict[str, Any]] = calls
        self.lines: tuple[str, ...] = (prelude, f"function = {function}")

    def function(self, **arguments: Any) -> Any:
        """What the library says."""
        scope: dict[str, Any] = {}
        exec("\n".join(self.lines), scope)
        return scope["function"](**arguments)


def _composed(accountant: str, event: str, delta: str = "delta") -> str:
    """The epsilon that an accountant says of an event that is composed."""
    return f"{accountant}.compose(d.SelfComposedDpEvent({event}, times)).get_epsilon({delta})"


SIGMAS = _calls(sigma=(0.3, 1.0, 5.0, 100.0), times=(1, 10, 1000), delta=(1e-3, 1e-5, 1e-10))
ON_A_GRID = [call for call in SIGMAS if call["times"] < 1000 or call["sigma"] >= 5]
"""Of 1,000 answers with less noise a PLD needs more memory than a target may have, or does not end in five minutes."""
ONCE = _calls(sigma=(0.3, 1.0, 5.0, 100.0), delta=(1e-3, 1e-5, 1e-10))
POINTS = _calls(sigma=(0.3, 1.0, 5.0), epsilon=(0.0, 0.1, 1.0, 8.0))
SAMPLED = _calls(sigma=(0.8, 2.0), rate=(0.01, 0.2), times=(1, 30), delta=(1e-3, 1e-6))
SCALES = _calls(scale=(0.5, 2.0, 10.0), times=(1, 8), delta=(1e-3, 1e-6))
RESPONSES = _calls(truth=(0.6, 0.75, 0.99), categories=(2, 5), times=(1, 6), epsilon=(0.0, 0.5, 2.0))
ORDERS = _calls(sigma=(0.5, 1.0, 4.0), order=(2, 5, 32, 256))
RATES = _calls(sigma=(0.6, 1.0, 4.0), rate=(0.001, 0.1, 0.5), order=(2, 5, 32, 128))
RHOS = _calls(rho=(0.001, 0.1, 1.0, 10.0), delta=(1e-3, 1e-5, 1e-10))

_DP_ACCOUNTING = {
    "Gaussian, epsilon": Accountant(
        "Gaussian", "epsilon", EVENTS, "lambda sigma, delta: d.get_epsilon_gaussian(sigma, delta)", ONCE
    ),
    "Gaussian, RDP accountant": Accountant(
        "Gaussian",
        "epsilon",
        EVENTS,
        "lambda sigma, times, delta: " + _composed("rdp.RdpAccountant()", "d.GaussianDpEvent(sigma)"),
        SIGMAS,
    ),
    "Gaussian, PLD accountant": Accountant(
        "Gaussian",
        "epsilon",
        EVENTS,
        "lambda sigma, times, delta: " + _composed("pld.PLDAccountant()", "d.GaussianDpEvent(sigma)"),
        ON_A_GRID,
    ),
    "Gaussian, delta of a PLD": Accountant(
        "Gaussian",
        "delta",
        PLD,
        "lambda sigma, epsilon: pld.from_gaussian_mechanism(sigma).get_delta_for_epsilon(epsilon)",
        POINTS,
    ),
    "Gaussian, Renyi": Accountant(
        "Gaussian",
        "Renyi",
        EVENTS,
        "lambda sigma, order: rdp.RdpAccountant([order]).compose(d.GaussianDpEvent(sigma))._rdp[0]",
        ORDERS,
    ),
    "Laplace, PLD accountant": Accountant(
        "Laplace",
        "epsilon",
        EVENTS,
        "lambda scale, times, delta: " + _composed("pld.PLDAccountant()", "d.LaplaceDpEvent(scale)"),
        SCALES,
    ),
    "Laplace, RDP accountant": Accountant(
        "Laplace",
        "epsilon",
        EVENTS,
        "lambda scale, times, delta: " + _composed("rdp.RdpAccountant()", "d.LaplaceDpEvent(scale)"),
        SCALES,
    ),
    "randomized response, delta of a PLD": Accountant(
        "randomized-response",
        "delta",
        PLD,
        "lambda truth, categories, times, epsilon: pld.from_randomized_response((1 - truth) * categories "
        "/ (categories - 1), categories).self_compose(times).get_delta_for_epsilon(epsilon)",
        RESPONSES,
    ),
    "sampled Gaussian, RDP accountant": Accountant(
        "sampled-Gaussian",
        "epsilon",
        EVENTS,
        "lambda sigma, rate, times, delta: "
        + _composed("rdp.RdpAccountant()", "d.PoissonSampledDpEvent(rate, d.GaussianDpEvent(sigma))"),
        SAMPLED,
    ),
    "sampled Gaussian, PLD accountant": Accountant(
        "sampled-Gaussian",
        "epsilon",
        EVENTS,
        "lambda sigma, rate, times, delta: "
        + _composed("pld.PLDAccountant()", "d.PoissonSampledDpEvent(rate, d.GaussianDpEvent(sigma))"),
        SAMPLED,
    ),
    "sampled Gaussian, Renyi": Accountant(
        "sampled-Gaussian",
        "Renyi",
        EVENTS,
        "lambda sigma, rate, order: rdp.RdpAccountant([order]).compose("
        "d.PoissonSampledDpEvent(rate, d.GaussianDpEvent(sigma)))._rdp[0]",
        RATES,
    ),
    "zero-concentrated, RDP accountant": Accountant(
        "zero-concentrated",
        "epsilon",
        EVENTS,
        "lambda rho, delta: rdp.RdpAccountant().compose(d.ZCDpEvent(rho)).get_epsilon(delta)",
        RHOS,
    ),
}

PRV = "import prv_accountant as p"
MANY = _calls(sigma=(5.0, 100.0), times=(1, 10), delta=(1e-3, 1e-6, 1e-9, 1e-12, 1e-15))
_UPPER = (
    "p.PRVAccountant(prvs={mechanism}, eps_error=0.01, delta_error=delta / 1000, max_self_compositions=times)"
    ".compute_epsilon(delta, times)[2]"
)
_PRV_ACCOUNTANT = {
    "Gaussian, upper bound": Accountant(
        "Gaussian",
        "epsilon",
        PRV,
        "lambda sigma, times, delta: " + _UPPER.format(mechanism="p.GaussianMechanism(sigma)"),
        MANY,
    ),
    "sampled Gaussian, upper bound": Accountant(
        "sampled-Gaussian",
        "epsilon",
        PRV,
        "lambda sigma, rate, times, delta: "
        + _UPPER.format(mechanism="p.PoissonSubsampledGaussianMechanism(rate, sigma)"),
        SAMPLED,
    ),
    "Laplace, upper bound": Accountant(
        "Laplace",
        "epsilon",
        PRV,
        "lambda scale, times, delta: " + _UPPER.format(mechanism="p.LaplaceMechanism(1 / scale)"),
        SCALES,
    ),
}
SNSQL = "from snsql import Privacy; from snsql.sql.odometer import *; from math import log"
_SPENT = (
    "[o := OdometerHeterogeneous(Privacy(delta=2 * {slack})), *(o.spend(Privacy(epsilon=log(truth / (1 - truth)), "
    "delta={leak})) for _ in range(times))][0].spent"
)
"""What an odometer says after mechanisms with one epsilon and one delta: a pair. Half of its own delta is slack."""
_BEYOND = (
    (0.51, 1e-2, 1, 0.04001),
    (0.51, 1e-6, 30, 1.141),
    (0.51, 1e-6, 1000, 7.615),
    (0.6, 1e-2, 30, 9.663),
    (0.6, 1e-6, 1000, 150.17),
    (0.75, 1e-2, 30, 32.96),
    (0.75, 1e-6, 1000, 736.45),
)
"""Truths, leaks, times, and an epsilon just beyond the one that the odometer says then."""
_SMARTNOISE_SQL = {
    "epsilon of the odometer": Accountant(
        "randomized-response",
        "epsilon",
        SNSQL,
        "lambda truth, times, delta: " + _SPENT.format(leak="0.0", slack="delta") + "[0]",
        _calls(truth=(0.51, 0.6, 0.75, 0.99), times=(1, 30, 1000), delta=(1e-3, 1e-6, 1e-10)),
    ),
    "delta of the odometer": Accountant(
        "randomized-response",
        "delta",
        SNSQL,
        # what it says holds from its own epsilon on
        "lambda truth, leak, times, epsilon: (lambda own, said: said if own <= epsilon else 1.0)(*"
        + _SPENT.format(leak="leak", slack="leak / 2")
        + ")",
        [dict(zip(("truth", "leak", "times", "epsilon"), call, strict=True)) for call in _BEYOND],
    ),
}
LIBRARIES: Mapping[str, Mapping[str, Accountant]] = {
    "dp-accounting": _DP_ACCOUNTING,
    "prv-accountant": _PRV_ACCOUNTANT,
    "smartnoise-sql": _SMARTNOISE_SQL,
}
"""By distribution."""
ACCOUNTANTS: Mapping[str, Accountant] = {
    f"{library}, {name}": one for library, names in LIBRARIES.items() for name, one in names.items()
}


def __getattr__(name: str) -> Accountant:
    if name not in ACCOUNTANTS:
        raise AttributeError(f"no accountant has the name {name!r}")
    return ACCOUNTANTS[name]
