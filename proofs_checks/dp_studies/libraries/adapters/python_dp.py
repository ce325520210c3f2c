"""python-dp 1.1.5."""

from math import exp
from pathlib import Path
from runpy import run_path

from pydp.algorithms.laplacian import BoundedSum, Count  # type: ignore[import-not-found]
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism  # type: ignore[import-not-found]
from pydp.ml.mechanisms.geometric import Geometric  # type: ignore[import-not-found]
from pydp.ml.mechanisms.laplace import Laplace, LaplaceDistribution  # type: ignore[import-not-found]

Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
