"""Totals of mbi from noisy marginals of equal noise; runs in its environment, without anything of ours.

    python outside_marginals.py <REQUEST >ANSWER

Both are JSON: the request has `totals` and `low` (branching, the noisy counts of all nodes by level), the answer the
same lists with what was `found`, and `versions`. The leaves are the cells of a table of h attributes of b values each,
level d of the tree the marginal on the first d of them.
"""

import json
import sys
import warnings
from importlib import import_module
from importlib.metadata import version
from typing import Any


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """All that was asked."""
    warnings.simplefilter("ignore")
    mbi: Any = import_module("mbi")
    numpy: Any = import_module("numpy")
    total: Any = import_module("mbi.estimation").minimum_variance_unbiased_total

    def marginal(depth: int, counts: list[int]) -> Any:
        return mbi.LinearMeasurement(numpy.array(counts, float), tuple(f"d{i}" for i in range(depth)), stddev=1.0)

    return {
        "versions": {"mbi": version("mbi")},
        **{
            name: [
                {**one, "found": total([marginal(d, counts) for d, counts in enumerate(one["levels"])])}
                for one in request[name]
            ]
            for name in ("totals", "low")
        },
    }


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
