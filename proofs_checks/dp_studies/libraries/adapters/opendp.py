"""opendp 0.16.0."""

from math import exp
from pathlib import Path
from runpy import run_path

import opendp.prelude as dp  # type: ignore[import-not-found]

dp.enable_features("contrib")

Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
