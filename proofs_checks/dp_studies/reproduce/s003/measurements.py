"""Times of Figure 6: whole releases of HMPrivBayes and PrivBayes against the in-degree, on the machine at hand.

A release that needs too many candidate pairs is predicted from the largest one that is run: as many times longer as it
has more pairs. HMPrivBayes is timed with clusters of equal sizes, for which its pairs are counted.
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
from dp_refimpl.synthesis.hmprivbayes import budget_shares
from dp_studies.reproduce.s003.data import Table
from dp_studies.reproduce.s003.releases import GRIDS
from dp_studies.reproduce.s003.search_costs import Search
from dp_studies.reproduce.s003.settings import Plan
from dp_studies.reproduce.streams import generator

DEGREES = (1, 2, 3, 4, 5)
"""The in-degrees of Figure 6."""
EPSILON = Fraction(1, 5)
"""Its budget."""


def searches(plan: Plan) -> Iterator[tuple[Table, str, Search]]:
    """What Figure 6 shows: HMPrivBayes with the middle number of clusters, and PrivBayes, of the tables that are so
    large that all degrees differ."""
    for table in plan.data:
        d = table.bits.shape[1]
        if d // plan.middle > DEGREES[-1]:
            for method, k in (("HMPrivBayes", plan.middle), ("PrivBayes", 1)):
                yield from ((table, method, Search(d, k, degree)) for degree in DEGREES)


def measured(plan: Plan) -> dict[str, Any]:
    """The seconds of every search that is run, and what the others would take, as JSON; nothing if not asked for."""
    if not plan.times:
        return {}
    rows, rates = [], {}
    for table, method, search in searches(plan):
        seconds, run = 0.0, search.candidates <= plan.most
        if run:
            seconds = _seconds(table, search, plan.seed)
            rates[table.name, method] = seconds / search.candidates
        else:
            seconds = rates[table.name, method] * search.candidates
        words = {"data": table.name, "method": method, "k": search.k, "degree": search.degree}
        rows.append(
            {**words, "candidates": search.candidates, "seconds": float(f"{seconds:.3g}"), "predicted": not run}
        )
    return {
        "epsilon": str(EPSILON),
        "machine": f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}",
        "note": "Seconds of wall time of this program, one process: coefficients, networks, noisy tables, rows. "
        "Predicted: as many times the longest run as it has candidate pairs.",
        "times": rows,
    }


def _seconds(table: Table, search: Search, seed: int) -> float:
    records, coins = ArrayTable((2,) * search.d, table.bits), generator(seed, search.k, search.degree)
    start = perf_counter()
    if search.k == 1:
        privbayes(records, _parts(BETA, 1 - BETA), search.degree, coins)
    else:
        coefficients(records, GRIDS)
        _, second, third = budget_shares(search.d, search.k)
        hmprivbayes(records, search.clusters, (second * EPSILON, third * EPSILON), search.degree, coins)
    return perf_counter() - start


def _parts(first: fmpq, second: fmpq) -> tuple[fmpq, fmpq]:
    whole = fmpq(EPSILON.numerator, EPSILON.denominator)
    return first * whole, second * whole


def time_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """For a terminal."""
    for one in found.get("times", ()):
        yield (
            f"{one['data']}, {one['method']}, k={one['k']}, l={one['degree']}: {one['candidates']} candidate pairs, "
            f"{one['seconds']:.3g} s{' (predicted)' if one['predicted'] else ''}"
        )
