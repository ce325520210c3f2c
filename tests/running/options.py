"""Options of audits, and of their sampling, from keywords of both."""

from dataclasses import fields
from typing import Any

from dp_audit.judge.bets.sequential import Sampling
from dp_audit.options import Options


def settings(**arguments: Any) -> tuple[Options, Sampling]:
    """The options and the sampling that have these fields."""
    sampled = {field.name for field in fields(Sampling)}
    options = {name: value for name, value in arguments.items() if name not in sampled}
    return Options(**options), Sampling(**{name: value for name, value in arguments.items() if name in sampled})
