"""python-dp 1.1.5: noise on integers. It is compiled, apart from its `ml` mechanisms, which draw in compiled code."""

from collections.abc import Mapping
from typing import Any

from dp_studies.libraries.base import Audited, Library, Repair, sampled

WINDOW: dict[str, object] = {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "low": -4, "high": 5}
COUNT: dict[str, object] = {"values": (3, 4), "sensitivity": 1, "epsilon": 1.0, "low": -2, "high": 9}
SUM: dict[str, object] = {"values": (3, 5), "sensitivity": 2, "epsilon": 1.0, "low": -3, "high": 11}
MECHANISM = "LaplaceMechanism(epsilon, sensitivity)"
BUDGET = "set_epsilon(epsilon).set_sensitivity(sensitivity)"


def _noisy(client: str, noisy: str, *parameters: Mapping[str, object], law: str = "Laplace", **more: Any) -> Audited:
    """A number, rounded, if it is in the window."""
    return sampled({"client": client, "report": f"window(round({noisy}))"}, law, *parameters, **more)


LIBRARY = Library(
    name="python-dp",
    environment="further",
    adapter="python_dp.py",
    protocols={
        "LaplaceMechanism.add_noise, integers": _noisy(
            MECHANISM, "client.add_noise(item)", WINDOW, {**WINDOW, "epsilon": 3.0}
        ),
        "LaplaceMechanism.add_noise, floats": _noisy(MECHANISM, "client.add_noise(float(item))", WINDOW),
        "Count": _noisy("Count(epsilon=epsilon, dtype='int')", "client.quick_result([1] * item)", COUNT),
        "BoundedSum": _noisy(
            "BoundedSum(epsilon=epsilon, lower_bound=0, upper_bound=sensitivity, dtype='int')",
            "client.quick_result([1] * item)",
            SUM,
        ),
        "ml.mechanisms.Geometric": _noisy(
            f"Geometric().{BUDGET}.set_probability(1 - exp(-epsilon / sensitivity))",
            "client.randomise(item)",
            WINDOW,
            law="Geometric",
            repair=Repair(
                "the sample needs the other side: `value + dist.sample() - dist.sample()` with "
                "`lambda_ = epsilon / sensitivity`, instead of one sample of a one-sided distribution",
                {"report": "window(round(item + client.randomise(0) - client.randomise(0)))"},
                (
                    "from math import exp; from pydp.ml.mechanisms.geometric import Geometric",
                    "mechanism = Geometric().set_epsilon(1.0).set_sensitivity(1).set_probability(1 - exp(-1))",
                    "print(min(mechanism.randomise(0) for _ in range(10000)))  # never below the true value",
                ),
            ),
        ),
        "ml.mechanisms.Laplace": _noisy(
            f"Laplace().{BUDGET}",
            "client.randomise(item)",
            WINDOW,
            repair=Repair(
                "`sample = dist.sample()`: the distribution has no argument scale any more",
                {
                    "client": "LaplaceDistribution(epsilon=epsilon, sensitivity=sensitivity)",
                    "report": "window(round(item - client.sample()))",
                },
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
