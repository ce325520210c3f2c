"""python-dp 1.1.5."""

from dp_studies.libraries.base import Library, Repair, sampled

WINDOW = {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "low": -4, "high": 5}
COUNT = {"values": (3, 4), "sensitivity": 1, "epsilon": 1.0, "low": -2, "high": 9}
SUM = {"values": (3, 5), "sensitivity": 2, "epsilon": 1.0, "low": -3, "high": 11}


LIBRARY = Library(
    name="python-dp",
    adapter="python_dp.py",
    environment="further",
    protocols={
        "LaplaceMechanism.add_noise, integers": sampled("add_noise", "Laplace", WINDOW, {**WINDOW, "epsilon": 3.0}),
        "LaplaceMechanism.add_noise, floats": sampled("add_noise_float", "Laplace", WINDOW),
        "Count": sampled("count", "Laplace", COUNT),
        "BoundedSum": sampled("bounded_sum", "Laplace", SUM),
        "ml.mechanisms.Geometric": sampled(
            "geometric",
            "Geometric",
            WINDOW,
            repair=Repair(
                "the sample needs the other side: `value + dist.sample() - dist.sample()` with "
                "`lambda_ = epsilon / sensitivity`, instead of one sample of a one-sided distribution",
                "geometric_repaired",
                (
                    "from math import exp; from pydp.ml.mechanisms.geometric import Geometric",
                    "mechanism = Geometric().set_epsilon(1.0).set_sensitivity(1).set_probability(1 - exp(-1))",
                    "print(min(mechanism.randomise(0) for _ in range(10000)))  # never below the true value",
                ),
            ),
        ),
        "ml.mechanisms.Laplace": sampled(
            "laplace",
            "Laplace",
            WINDOW,
            repair=Repair(
                "`sample = dist.sample()`: the distribution has no argument scale any more",
                "laplace_repaired",
                (
                    "from pydp.ml.mechanisms.laplace import Laplace",
                    "mechanism = Laplace().set_epsilon(1.0).set_sensitivity(1)",
                    "mechanism.randomise(0)",
                ),
            ),
        ),
    },
    notes=("compiled: tested statistically, with nothing intercepted", "noisy numbers are seen rounded, in a window"),
    without_oracle={
        "BoundedMean, BoundedVariance, Percentile": "quotients and searches of noisy numbers: no closed form here",
        "GaussianMechanism, partition selection": "the guarantee is not pure epsilon",
    },
)
