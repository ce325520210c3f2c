"""nprr 0.1.4: its mechanisms for bits, categories and numbers in [0, 1], applied to one user.

confseq, which its confidence sequences use, is released as a source archive of C++ only: here its names are there, and
empty. `random_integers`, which numpy deprecates, is as it was.
"""

from __future__ import annotations

import sys
import warnings
from types import ModuleType
from typing import Any

import numpy as np

for _name, _part in {
    "betting_strategies": "lambda_predmix_eb",
    "boundaries": "beta_binomial_log_mixture",
    "betting": "cs_from_martingale",
    "conjmix_bounded": "rho2_opt",
}.items():
    _module = ModuleType(f"confseq.{_name}")
    setattr(_module, _part, None)
    sys.modules[f"confseq.{_name}"] = _module
sys.modules["confseq"] = ModuleType("confseq")

from nprr import mechanisms  # type: ignore[import-not-found] # noqa: E402


class warner_rr:
    """warner_rr: the bit itself with probability r, else a fair one."""

    code = "warner_rr(np.array([{{input}}]), {r})"

    def __init__(self, epsilon: float, r: float) -> None:
        self._r = r

    def client(self) -> Any:
        """Nothing: the library has functions."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The bit reported."""
        return int(mechanisms.warner_rr(np.array([item]), self._r)[0])

    @property
    def reproduce(self) -> list[str]:
        """How often each report comes out, in the library's own terms."""
        code = self.code.format(**{name[1:]: value for name, value in vars(self).items()})
        return [
            "import numpy as np; from collections import Counter; from nprr.mechanisms import *",
            f"reports = Counter(float({code}[0]) for _ in range(10000))",
            "print(sorted(reports.items()))",
        ]


class multinomial_rr(warner_rr):
    """multinomial_rr on the categories 0 .. d-1."""

    code = "multinomial_rr(np.array([{{input}}]), {d}, {r})"

    def __init__(self, d: int, epsilon: float, r: float) -> None:
        self._d, self._r = d, r
        warnings.simplefilter("ignore")

    def privatize(self, client: Any, item: Any) -> Any:
        """The category reported."""
        return int(mechanisms.multinomial_rr(np.array([item]), self._d, self._r)[0])


class nprr(multinomial_rr):
    """nprr with G = d - 1 steps, on the numbers item / G, which are not rounded."""

    code = "nprr(np.array([{{input}} / ({d} - 1)]), {r}, {d} - 1)"

    def privatize(self, client: Any, item: Any) -> Any:
        """The number reported, in steps."""
        steps = self._d - 1
        return round(float(mechanisms.nprr(np.array([item / steps]), self._r, steps)[0]) * steps)


class multinomial_rr_repaired(multinomial_rr):
    """With a category 0 .. d-1, drawn for every user."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The category reported."""
        x = np.array([item])
        assert all(np.isin(x, range(self._d)))
        randomized = np.random.binomial(1, 1 - self._r, len(x)) == 1
        return int(np.where(randomized, np.random.randint(self._d, size=len(x)), x)[0])


class nprr_repaired(nprr):
    """With a uniform step instead of a rounded beta variable, whose first and last steps are half as likely."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The number reported, in steps: x is a step, so that it is not rounded."""
        assert 0 <= item < self._d
        truthful = np.random.binomial(1, self._r, 1)[0]
        return item if truthful else int(np.random.randint(self._d))
