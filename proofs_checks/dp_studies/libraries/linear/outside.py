"""Trees and noise variances of opendp and diffprivlib; runs in their environment, without anything of ours.

    python outside.py <REQUEST >ANSWER

Both are JSON: the request has `consistent` (branching, noisy nodes), `trees` (branching, data), `choices` (sizes) and
`noise` (epsilon as a float, sensitivity). The answer has the same lists with what was `found`, and `versions`.
"""

import json
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """All that was asked."""
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


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
