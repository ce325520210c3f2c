"""ldp-hierarchical-mechanism 0.1.3."""

from dp_studies.libraries.base import LN3, Library, Repair, exact

LIBRARY = Library(
    name="ldp-hierarchical-mechanism",
    adapter="ldp_hierarchical_mechanism.py",
    environment="further",
    protocols={
        "Private_TreeBary, direct_encoding": exact(
            "direct_encoding",
            "GRR",
            {"d": 3, "epsilon": LN3},
            {"d": 4, "epsilon": 1.0},
            unit="counts",
            repair=Repair(
                "`client.privatise(interval_index + 1)` and `server.estimate(j + 1)`: items of pure-ldp are 1 .. d",
                "direct_encoding_repaired",
            ),
        ),
        "Private_TreeBary, unary_encoding": exact(
            "unary_encoding", "OUE", {"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0}, unit="counts"
        ),
        "Private_TreeBary, unary_encoding, consistent": exact(
            "unary_encoding_consistent",
            "OUE",
            {"d": 2, "epsilon": LN3},
            consistent=True,
            notes=("estimates after post_process, at which the root is 1: frequencies",),
            repair=Repair(
                "`get_absolute_frequency(server, j) / self.N` in `compute_attributes`: counts of the leaves are "
                "averaged with a root that is the frequency 1",
                "unary_encoding_consistent_repaired",
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
