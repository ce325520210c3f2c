"""smartnoise-sql 1.0.10."""

from pathlib import Path
from runpy import run_path

from snsql.sql._mechanisms import Laplace  # type: ignore[import-not-found]

Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
