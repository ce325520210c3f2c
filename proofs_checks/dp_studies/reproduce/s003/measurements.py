"""Times of Figure 6: whole releases of HMPrivBayes and PrivBayes against the in-degree, on the machine at hand.

A release that needs too many candidate pairs is predicted from the largest one that is run: as many times longer as its
tables have more cells. HMPrivBayes is timed with clusters of equal sizes, for which its pairs are counted.
"""

import platform
from collections.abc import Iterator, Mapping
from fractions import Fraction
from time import perf_counter
from typing import Any

from flint import fmpq

from dp_refimpl.fast.synthesis.clustering import coefficients
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.fast.synthesis.releases import hmprivbayes, privbayes
from dp_refimpl.synthesis.accountant import BETA
from dp_refimpl.synthesis.binary_codes import BinaryCode
from dp_refimpl.synthesis.hmprivbayes import budget_shares
from dp_studies.reproduce.s003.data import SIZES, Table, named
from dp_studies.reproduce.s003.releases import GRIDS
from dp_studies.reproduce.s003.search_costs import Search
from dp_studies.reproduce.s003.settings import Plan
from dp_studies.reproduce.streams import generator

DEGREES = (1, 2, 3, 4, 5)
"""The in-degrees of Figure 6."""
EPSILON, CLUSTERS = Fraction(1, 5), 3
"""Its budget, and the default number of clusters."""


def searches() -> Iterator[tuple[str, str, Search]]:
    """What Figure 6 shows at both sizes of the source: HMPrivBayes with its three clusters, and PrivBayes."""
    for data, (_, sizes) in SIZES.items():
        for method, k in (("HMPrivBayes", CLUSTERS), ("PrivBayes", 1)):
            yield from ((data, method, Search(sum(BinaryCode(sizes).bits), k, degree)) for degree in DEGREES)


def measured(plan: Plan) -> dict[str, Any]:
    """The seconds of every search that is run, and what the others would take, as JSON; nothing if not asked for."""
    if not plan.times:
        return {}
    rows, rates = [], {}
    for data, method, search in searches():
        seconds, run = 0.0, search.candidates <= plan.most
        if run:
            seconds = _seconds(named(data), search, plan.seed)
            rates[data, method] = seconds / search.cells
        else:
            seconds = rates[data, method] * search.cells
        words = {"data": data, "method": method, "k": search.k, "degree": search.degree}
        rows.append(
            {**words, "candidates": search.candidates, "seconds": float(f"{seconds:.3g}"), "predicted": not run}
        )
    return {
        "epsilon": str(EPSILON),
        "machine": f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}",
        "note": "Seconds of wall time of this program, one process: coefficients, networks, noisy tables, rows. "
        "Predicted: as many times the largest run as it has cells.",
        "times": rows,
    }


def _seconds(table: Table, search: Search, seed: int) -> float:
    records, coins = ArrayTable((2,) * search.d, table.bits), generator(seed, search.k, search.degree)
    start = perf_counter()
    if search.k == 1:
        privbayes(records, _parts(BETA, 1 - BETA), search.degree, coins, score="I")
    else:
        coefficients(records, GRIDS)
        _, second, third = budget_shares(search.d, search.k)
        hmprivbayes(records, search.clusters, (second * EPSILON, third * EPSILON), search.degree, coins)
    return perf_counter() - start


def _parts(first: fmpq, second: fmpq) -> tuple[fmpq, fmpq]:
    whole = fmpq(EPSILON.numerator, EPSILON.denominator)
    return first * whole, second * whole


def time_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """For a terminal."""
    for one in document.get("times", ()):
        yield (
            f"{one['data']}, {one['method']}, k={one['k']}, l={one['degree']}: {one['candidates']} candidate pairs, "
            f"{one['seconds']:.3g} s{' (predicted)' if one['predicted'] else ''}"
        )
