"""What released libraries answer about trees and noise; runs in their environments, without anything of ours.

    python child.py ENVIRONMENT <REQUEST >ANSWER

Both are JSON. Of the request, `central` answers `consistent` (branching, noisy nodes), `trees` (branching, data),
`choices` (sizes) and `noise` (epsilon as a float, sensitivity); `marginals` answers `totals` and `low` (branching, the
noisy counts of all nodes by level: the leaves are the cells of a table of h attributes of b values each, level d of the
tree the marginal on the first d of them); `tumult` answers `laws` (scale, at: integers) with P[Z = z] as `mass` and
P[Z <= z] as `below`. The answer has the same lists with what was `found`, and `versions`.
"""

import json
import sys
import warnings
from importlib import import_module
from importlib.metadata import version
from typing import Any


def central(request: dict[str, Any]) -> dict[str, Any]:
    """Trees of opendp, variances of diffprivlib."""
    opendp: Any = import_module("opendp.prelude")
    trees: Any = import_module("opendp.transformations")
    mechanisms: Any = import_module("diffprivlib.mechanisms")
    opendp.enable_features("contrib")

    def expand(branching: int, data: list[int]) -> dict[str, Any]:
        domain = opendp.vector_domain(opendp.atom_domain(T=int))
        made = trees.make_b_ary_tree(domain, opendp.l1_distance(T=int), len(data), branching)
        return {"found": [int(x) for x in made(data)], "bounds": [int(made.map(1)), int(made.map(2))]}

    def variances(epsilon: float, sensitivity: int) -> dict[str, float]:
        listed = {"geometric": mechanisms.Geometric, "laplace": mechanisms.Laplace}
        made = {name: one(epsilon=epsilon, sensitivity=sensitivity) for name, one in listed.items()}
        return {name: float(one.variance(0)) for name, one in made.items()}

    def restore(branching: int, noisy: list[int]) -> list[float]:
        return [float(x) for x in trees.make_consistent_b_ary_tree(branching, TIA=int, TOA=float)(noisy)]

    return {
        "versions": {name: version(name) for name in ("opendp", "diffprivlib")},
        "consistent": [{**one, "found": restore(one["branching"], one["noisy"])} for one in request["consistent"]],
        "trees": [{**one, **expand(one["branching"], one["data"])} for one in request["trees"]],
        "choices": [{"size": n, "found": int(trees.choose_branching_factor(n))} for n in request["choices"]],
        "noise": [{**one, **variances(one["epsilon"], one["sensitivity"])} for one in request["noise"]],
    }


def marginals(request: dict[str, Any]) -> dict[str, Any]:
    """Totals of mbi from noisy marginals of equal noise."""
    warnings.simplefilter("ignore")
    mbi: Any = import_module("mbi")
    numpy: Any = import_module("numpy")
    total: Any = import_module("mbi.estimation").minimum_variance_unbiased_total

    def marginal(depth: int, counts: list[int]) -> Any:
        return mbi.LinearMeasurement(numpy.array(counts, float), tuple(f"d{i}" for i in range(depth)), stddev=1.0)

    def estimate(levels: list[list[int]]) -> Any:
        return total([marginal(d, counts) for d, counts in enumerate(levels)])

    answers = {name: [{**one, "found": estimate(one["levels"])} for one in request[name]] for name in ("totals", "low")}
    return {"versions": {"mbi": version("mbi")}, **answers}


def tumult(request: dict[str, Any]) -> dict[str, Any]:
    """The two-sided geometric law of tmlt-core."""
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
    json.dump(
        {"central": central, "marginals": marginals, "tumult": tumult}[sys.argv[1]](json.load(sys.stdin)), sys.stdout
    )
