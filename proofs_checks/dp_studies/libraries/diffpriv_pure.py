"""diffpriv-pure 0.1.0: noise for a count, and for a sum of one value within the bounds 0 and 1."""

from dp_studies.libraries.base import LN3, Library, Repair, exact, sampled

COUNT: dict[str, object] = {"values": (0, 1), "sensitivity": 1, "epsilon": LN3, "low": -4, "high": 5}
REPRODUCE = (
    "from collections import Counter; from diffpriv_pure import *",
    "noisy = Counter(round(private_count({{input}}, {epsilon})) for _ in range(10000))",
    "print(sorted(noisy.items()))",
)
NOISE = "math.floor(math.log(1.0 - random.random()) / -epsilon)"
"""A draw of the library's own noise, floored instead of ceiled."""


LIBRARY = Library(
    name="diffpriv-pure",
    environment="further",
    adapter="diffpriv_pure.py",
    protocols={
        "private_count": exact(
            {"report": "window(private_count(item, epsilon))", "reproduce": REPRODUCE},
            "Geometric",
            COUNT,
            {**COUNT, "epsilon": 1.0},
            {**COUNT, "epsilon": 37.0},
            repair=Repair(
                "the noise is the difference of two draws of the one-sided noise, each `floor(log(1 - u) / -epsilon)`, "
                "and the branches that return 0 for a large and for a tiny epsilon go",
                {"report": f"window(item + {NOISE} - {NOISE})"},
            ),
        ),
        "private_sum": sampled(
            {"report": "window(round(private_sum([item], (0, 1), epsilon)))"},
            "Laplace",
            COUNT,
            {**COUNT, "epsilon": 1.0},
        ),
    },
    notes=("it draws from the standard library's global generator", "noisy numbers are seen rounded, in a window"),
    without_oracle={"private_mean": "as private_sum, divided", "gaussian_noise": "the guarantee is not pure epsilon"},
)
