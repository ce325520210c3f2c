"""ldp-hierarchical-mechanism 0.1.3."""

from dp_studies.libraries.base import LN3, Library, Repair, Texts, evaluated, exact

IMPORT = "from hierarchical_mechanism_LDP.mechanism import Private_TreeBary"


def _texts(protocol: str, **more: object) -> Texts:
    """A tree is made anew for every report; estimates are the counts of its leaves."""
    call = f"Private_TreeBary({{d}}, {{d}}, {{epsilon}}, '{protocol}')"
    tree = evaluated(call)
    return {
        "client": "None",
        "report": f"reported({tree}, item)",
        "server": f"Level({tree}.servers[0])",
        "aggregate": "server.aggregate(report)",
        "estimate": f"list(computed({tree}, server).attributes[1])",
        "reproduce": (
            f"from collections import Counter; {IMPORT}",
            f"client = {call}.clients[0]",
            "print(Counter(str(client.privatise({{input}})) for _ in range(10000)))",
        ),
        "reproduce_estimate": (
            IMPORT,
            f"tree = {call}",
            "tree.update_tree([1] * 1000); tree.compute_attributes(); print(tree.attributes)",
        ),
        **more,
    }


DIRECT = _texts("direct_encoding")
UNARY = _texts(
    "unary_encoding",
    canonical="[int(report[i - 1]) for i in range(d)]",
    aggregate="server.aggregate(np.array(report))",
)
"""Indices count from 0, the bits of pure-ldp from 1: the first interval has the last bit."""
MADE = "(lambda tree: consistent(tree, tree.attributes[1]))(computed(Private_TreeBary(d, d, epsilon), server))"
CONSISTENT: Texts = {
    **UNARY,
    "estimate": MADE,
    "reproduce_estimate": (
        IMPORT,
        "tree = Private_TreeBary({d}, {d}, {epsilon}); tree.update_tree([1] * 1000)",
        "tree.compute_attributes(); tree.post_process(delete_attributes=False); print(tree.attributes)",
    ),
}

LIBRARY = Library(
    name="ldp-hierarchical-mechanism",
    environment="further",
    adapter="ldp_hierarchical_mechanism.py",
    protocols={
        "Private_TreeBary, direct_encoding": exact(
            DIRECT,
            "GRR",
            {"d": 3, "epsilon": LN3},
            {"d": 4, "epsilon": 1.0},
            unit="counts",
            repair=Repair(
                "`client.privatise(interval_index + 1)` and `server.estimate(j + 1)`: items of pure-ldp are 1 .. d",
                {
                    "report": "reported(counted_from_one(Private_TreeBary(d, d, epsilon, 'direct_encoding')), item)",
                    "estimate": "[server.server.estimate(item + 1, suppress_warnings=True) for item in range(d)]",
                },
            ),
        ),
        "Private_TreeBary, unary_encoding": exact(
            UNARY, "OUE", {"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0}, unit="counts"
        ),
        "Private_TreeBary, unary_encoding, consistent": exact(
            CONSISTENT,
            "OUE",
            {"d": 2, "epsilon": LN3},
            consistent=True,
            notes=("estimates after post_process, at which the root is 1: frequencies",),
            repair=Repair(
                "`get_absolute_frequency(server, j) / self.N` in `compute_attributes`: counts of the leaves are "
                "averaged with a root that is the frequency 1",
                {"estimate": MADE.replace("tree.attributes[1]", "tree.attributes[1] / tree.N")},
            ),
        ),
    },
    notes=(
        "trees of one level: deeper ones compose reports of their levels, epsilon each, as get_privacy says",
        "its frequency oracles are those of pure-ldp 1.2.0; interval i has bit i - 1 of unary encodings, "
        "the first one the last",
    ),
    without_oracle={
        "local_hashing, hadamard_response": "as in pure-ldp, whose hash functions of the index it uses",
        "get_privacy with shuffle": "an amplified (epsilon, delta)",
    },
)
