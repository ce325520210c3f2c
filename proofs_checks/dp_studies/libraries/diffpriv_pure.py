"""diffpriv-pure 0.1.0."""

from dp_studies.libraries.base import LN3, Library, Repair, exact, sampled

COUNT = {"values": (0, 1), "sensitivity": 1, "epsilon": LN3, "low": -4, "high": 5}


LIBRARY = Library(
    name="diffpriv-pure",
    adapter="diffpriv_pure.py",
    environment="further",
    protocols={
        "private_count": exact(
            "private_count",
            "Geometric",
            COUNT,
            {**COUNT, "epsilon": 1.0},
            {**COUNT, "epsilon": 37.0},
            repair=Repair(
                "the noise is the difference of two draws of the one-sided noise, each `floor(log(1 - u) / -epsilon)`, "
                "and the branches that return 0 for a large and for a tiny epsilon go",
                "private_count_repaired",
            ),
        ),
        "private_sum": sampled("private_sum", "Laplace", COUNT, {**COUNT, "epsilon": 1.0}),
    },
    notes=("it draws from the standard library's global generator", "noisy numbers are seen rounded, in a window"),
    without_oracle={"private_mean": "as private_sum, divided", "gaussian_noise": "the guarantee is not pure epsilon"},
)
