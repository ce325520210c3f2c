"""nprr 0.1.4. confseq is released as a source archive of C++ only: here its names are there, and empty."""

import sys
import types
import warnings
from pathlib import Path
from runpy import run_path

import numpy as np

warnings.simplefilter("ignore")  # numpy deprecates random_integers
sys.modules["confseq"] = types.ModuleType("confseq")
for name, part in {
    "betting_strategies": "lambda_predmix_eb",
    "boundaries": "beta_binomial_log_mixture",
    "betting": "cs_from_martingale",
    "conjmix_bounded": "rho2_opt",
}.items():
    sys.modules["confseq." + name] = module = types.ModuleType(name)
    setattr(module, part, None)

from nprr import mechanisms  # type: ignore[import-not-found] # noqa: E402

Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
