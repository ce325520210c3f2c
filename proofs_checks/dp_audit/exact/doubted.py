"""Exceptions that code raises only where its draws are replaced: they say nothing about it, so that samples decide."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from dp_audit.exact.target import Law, TargetLaws
from dp_audit.findings import UnmodeledRandomness
from dp_audit.plain.plan import Observe, some_inputs
from dp_audit.plain.run import PlainJob
from dp_audit.plain.seen import raised
from dp_spec.vocabulary.items import Item

LEAST = Fraction(1, 1024)
"""A rarer exception is believed: it takes too many reports to see that it never comes."""
NATS = 21
"""An exception of probability p is missed by NATS / p reports with probability < e^-NATS."""


def without_doubted(
    laws: TargetLaws,
    observe: Observe,
    adapter: Path,
    protocol: str,
    handed: Mapping[str, Any],
    input_type: str,
    everything: tuple[Item, ...],
) -> TargetLaws:
    """The laws without those whose exceptions do not come, where they should, when the code is run as it is."""
    chances = {law.inputs[0]: chance for law in laws.laws if (chance := _chance(law)) > LEAST}
    if not chances:
        return laws
    inputs = some_inputs(tuple(chances))
    count = ceil(NATS / min(chances[x] for x in inputs))
    plain = observe(PlainJob(adapter, protocol, handed, inputs, {"input_type": input_type, "fresh": count}, everything))
    if not plain.complete or any(raised(plain.reports[code]) for draws in plain.draws for code in draws.codes):
        return laws
    doubted = tuple(_doubted(law) if law.inputs[0] in chances else law for law in laws.laws)
    return replace(laws, laws=doubted, reuse=())


def _chance(law: Law) -> Fraction:
    """Probability of an exception."""
    return sum((Fraction(int(e.probability.p), int(e.probability.q)) for e in law.entries if e.raised), Fraction(0))


def _doubted(law: Law) -> Law:
    text = next(entry.raised for entry in law.entries if entry.raised)
    return replace(law, entries=(), refused=UnmodeledRandomness(f"{text}, raised only where draws are replaced"))
