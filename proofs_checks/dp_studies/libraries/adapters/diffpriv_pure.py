"""diffpriv-pure 0.1.0."""

import math
import random
from pathlib import Path
from runpy import run_path

from diffpriv_pure import private_count, private_sum  # type: ignore[import-not-found]

Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
