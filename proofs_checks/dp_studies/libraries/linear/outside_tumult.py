"""The two-sided geometric law of tmlt-core; runs in its environment, without anything of ours.

    python outside_tumult.py <REQUEST >ANSWER

Both are JSON: the request has `laws` (scale, at: integers), the answer the same list with P[Z = z] as `mass` and
P[Z <= z] as `below` for all of them, and `versions`.
"""

import json
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """All that was asked."""
    laws: Any = import_module("tmlt.core.utils.distributions")
    functions = {"mass": laws.double_sided_geometric_pmf, "below": laws.double_sided_geometric_cmf}
    return {
        "versions": {"tmlt-core": version("tmlt-core")},
        "laws": [
            {**one, **{name: [float(f(z, one["scale"])) for z in one["at"]] for name, f in functions.items()}}
            for one in request["laws"]
        ],
    }


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
