"""multi-freq-ldpy 0.2.5: pairs of functions, and what its documentation states about their variance."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from pathlib import Path
from runpy import run_path
from typing import Any

import numba  # type: ignore[import-not-found]
import numpy as np
import xxhash  # type: ignore[import-not-found]
from multi_freq_ldpy.long_freq_est.Variance_LONG_PURE import VAR_Long_Pure  # type: ignore[import-not-found]
from multi_freq_ldpy.mdim_freq_est import RSpFD_solution, Variance_RSpFD  # type: ignore[import-not-found]
from multi_freq_ldpy.pure_frequency_oracles.Variance_PURE import VAR_Pure  # type: ignore[import-not-found]
from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]

FOLDERS = {
    "pure_frequency_oracles": ("GRR", "UE", "ADP", "SS", "LH", "HE"),
    "long_freq_est": ("L_GRR", "L_SUE", "L_OUE", "L_OSUE", "L_SOUE", "L_ADP", "L_LH", "dBitFlipPM"),
    "mdim_freq_est": ("SPL_solution", "SMP_solution", "RSpFD_solution"),
    "long_mdim_freq_est": ("L_SPL_Solution", "L_SMP_Solution"),
}
MODULES = [import_module(f"multi_freq_ldpy.{folder}.{name}") for folder, names in FOLDERS.items() for name in names]


class Functions:
    """The functions of a client and of the aggregator of a mechanism, with arguments by their names in the library.

    `own` follow the item, `rest` the list of reports. They are of the module that defines them: others import them.
    """

    def __init__(self, name: str, **arguments: Any) -> None:
        members = {k: v for m in MODULES for k, v in vars(m).items() if getattr(v, "__module__", "") == m.__name__}
        self.client, self.aggregate = members[f"{name}_Client"], members[f"{name}_Aggregator_MI"]
        self.own, self.rest = (
            [arguments[each] for each in signature(function).parameters if each in arguments]
            for function in (self.client, self.aggregate)
        )


def prepare() -> None:
    """Compile what numba has for all clients, which takes seconds: nothing of the library, and nothing is drawn."""
    for code, types in (
        (lambda p: np.random.binomial(1, p), "int64(float64)"),
        (lambda items: np.random.choice(items), "int64(int64[:])"),
    ):
        numba.njit(types)(code)


def cells(d: int, seed: int, g: int) -> list[int]:
    """The cells of the items under the hash function of a seed."""
    return [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(d)]


def cells_of(sizes: list[int], seeds: list[int], epsilon: float) -> list[list[int]]:
    """The cells of all items of all attributes; attribute j has the j-th seed, if there is more than one."""
    g = round(np.exp(epsilon)) + 1
    return [cells(k, seeds[j % len(seeds)], g) for j, k in enumerate(sizes)]


def threshold(epsilon: float) -> float:
    """That of histogram encoding, computed as the aggregator does."""
    target = import_module("multi_freq_ldpy.pure_frequency_oracles.HE").find_tresh
    return float(minimize_scalar(target, bounds=[0.5, 1], method="bounded", args=epsilon).x)


def stated(function: Any, *arguments: Any) -> dict[str, float]:
    """What a function for the variance states for one report, of a value that nobody holds and of one that all do."""
    return {"stated variance": function(*arguments, f=0), "stated variance, held by all": function(*arguments, f=1)}


def pure(d: int, epsilon: float) -> tuple[float, float]:
    """The probabilities of GRR, as the library has them."""
    p = np.exp(epsilon) / (np.exp(epsilon) + d - 1)
    return p, (1 - p) / (d - 1)


def bits(epsilon: float, optimal: bool) -> tuple[float, float]:
    """The probabilities of unary encoding, as the library has them."""
    if optimal:
        return 1 / 2, 1 / (np.exp(epsilon) + 1)
    p = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
    return p, 1 - p


def amplified(sizes: list[int], epsilon: float) -> float:
    """The budget of the attribute that is sampled, beside fake data."""
    return float(np.log(len(sizes) * (np.exp(epsilon) - 1) + 1))


def lasting_pure(k: int, eps_perm: float, eps_1: float) -> tuple[float, ...]:
    """The probabilities of both rounds of GRR, as the client computes them."""
    p1, q1 = pure(k, eps_perm)
    e = np.exp(eps_1)
    p2 = (q1 - e * p1) / ((-p1 * e) + k * q1 * e - q1 * e - p1 * (k - 1) + q1)
    return p1, q1, p2, (1 - p2) / (k - 1)


def lasting_bits(eps_perm: float, eps_1: float) -> tuple[float, ...]:
    """The probabilities of OUE, then SUE, as the client computes them."""
    e, e1 = np.exp(eps_perm), np.exp(eps_1)
    p2 = (1 - e1 * e) / (e1 - e - e1 * e + 1)
    return (*bits(eps_perm, True), p2, 1 - p2)


# --- the changes that are proposed ------------------------------------------------------------------------------------


def repaired_variance(p1: float, q1: float, p2: float, q2: float, f: float) -> float:
    """As VAR_Long_Pure for one user: of a report that is 1 with probability q + f (p1 - q1) (p2 - q2)."""
    sig = f * (p1 - q1) * (p2 - q2) + p2 * q1 + q2 * (1 - q1)
    return sig * (1 - sig) / ((p1 - q1) ** 2 * (p2 - q2) ** 2)


def defined(made: Functions) -> Functions:
    """With estimates that stay 0 where none of an attribute is positive: they are not divided by their sum."""
    RSpFD_solution.sum = lambda values: 1 if np.ndim(values[0]) == 0 and not sum(values) > 0 else sum(values)
    return made


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
