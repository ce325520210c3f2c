"""What the mechanisms and their parameters are, in words, with values that can be typed: for `audit oracles NAME`."""

import shlex
from collections.abc import Iterator, Mapping

from flint import arb

from dp_audit.exact_numbers import PRECISIONS, short
from dp_audit.observation.values import show
from dp_audit.oracles import KINDS
from dp_audit.oracles.base import Oracle, OracleKind
from dp_audit.oracles.client_parameters import client_values
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision


def example(kind: OracleKind) -> dict[str, str]:
    """Return values of the parameters that are needed, as text."""
    return {p: kind.described(p)[1] for p in kind.parameters if p not in kind.optional}


def explained(name: str) -> str:
    """Return all of it, in lines: the law, the report, the parameters, a command that audits an implementation, and
    what that one hands to it and compares its estimates with."""
    kind = KINDS[name]
    needed = example(kind)
    lines = [f"{name}: {kind.law}", f"report: {kind.report}", "parameters:"]
    for parameter in kind.parameters:
        means, _ = kind.described(parameter)
        also = " (optional)" if parameter in kind.optional else f', as "{needed[parameter]}"'
        lines.append(f"  {parameter}: {means}{also}")
    options = " ".join(f"--param {shlex.quote(f'{p}={value}')}" for p, value in needed.items())
    return "\n".join(
        (*lines, f"$ dp-refimpl audit python FILE.py:NAME --oracle {name} {options}", *_in_use(kind, needed))
    )


def _in_use(kind: OracleKind, parameters: Mapping[str, object]) -> Iterator[str]:
    """Yield what is handed to code, the budget by which it is judged, and what the estimator makes of a report."""
    reference = kind.make(**{p: kind.parameters[p](p, value) for p, value in parameters.items()})
    first, last = (_with_lists(item) for item in (reference.inputs[0], reference.inputs[-1]))
    yield f"inputs: {len(reference.inputs)}, the first is {first!r}, the last {last!r}"
    arguments = ", ".join(f"{p}={value!r}" for p, value in client_values(kind, parameters).items())
    yield f"handed to what has arguments for them: {arguments}"
    with precision(PRECISIONS[0]):
        yield f"judged by epsilon = {short(arb(reference.privacy()).log())}"
        report = next(iter(reference.law(reference.inputs[0])))
        estimates = reference.estimate([report])
        if estimates is not None:
            yield f"estimates from one report {show(report)}: {', '.join(map(short, estimates))}"
            yield from _shares(reference)


def _with_lists(item: Item) -> object:
    """Return an input as code is given it: tuples are lists."""
    return [_with_lists(part) for part in item] if isinstance(item, tuple) else item


def _shares(reference: Oracle) -> Iterator[str]:
    """Yield the estimator, where it depends on the share of the reports that support an item only."""
    reports = list(dict.fromkeys(y for x in reference.inputs for y in reference.law(x)))
    estimates_of = [(y, [arb(e) for e in reference.estimate([y]) or ()]) for y in reports]
    every = [e for _, estimates in estimates_of for e in estimates]
    low, high = min(every, key=float), max(every, key=float)
    if low.overlaps(high) or not all(e.overlaps(low) or e.overlaps(high) for e in every):
        return
    q, p = low / (low - high), (1 - low) / (high - low)
    yield f"that is (s - q) / (p - q), s the share of the reports that support an item, p = {short(p)}, q = {short(q)}"
    report, supported = next(
        (y, places) for y, e in estimates_of if (places := [i for i, x in enumerate(e) if x.overlaps(high)])
    )
    yield f"the report {show(report)} supports those in places {', '.join(map(str, supported))} (the first is 0)"
