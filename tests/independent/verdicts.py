"""What was decided without the project, beside a verdict of its ledger."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

from dp_checks.ledger import load_ledger

LEDGER = load_ledger()


def verdict(name: str) -> str:
    """What the ledger says of a row or a reading of source 003."""
    return LEDGER[f"003.{name}"].verdict


Fails = Iterator[dict[str, int]]
"""Where a claim fails, from the smallest case on: values of variables, by their names in its statement."""


def witness(entry: Any) -> Mapping[str, Fraction]:
    """The values of the variables of a refutation, and the part of the statement that fails."""
    evidence, part = entry.evidence.get("witness", {}), {}
    if "part" in evidence:
        part, evidence = {"part": Fraction(evidence["part"])}, evidence["evidence"]
    return {**part, **{name: Fraction(x) for name, x in evidence.get("values", {}).items()}}


def agrees(claim: str, fails: Fails) -> None:
    """Proved, or verified at the listed sizes, if it fails nowhere; refuted at the first failure."""
    entry, first = LEDGER[claim], next(fails, None)
    assert entry.verdict in (("proved", "verified") if first is None else ("refuted",))
    if first is not None:
        stated = witness(entry)
        assert {name: stated[name] for name in first} == first


def agreement_test(truth: Mapping[str, Callable[[], Fails]]) -> Callable[[str], None]:
    """The test that the ledger says of every claim what was decided without the project."""

    @pytest.mark.parametrize("claim", truth)
    def test(claim: str) -> None:
        agrees(claim, truth[claim]())

    return test


def fails(
    holds: Callable[..., bool], points: Callable[[], Iterable[tuple[Any, ...]]], *names: str
) -> Callable[[], Fails]:
    """The points at which it does not hold, in their order, by the names of the statement."""
    return lambda: (dict(zip(names, at, strict=False)) for at in points() if not holds(*at))


def heights(holds: Callable[[int], bool], of: range = range(6)) -> Callable[[], Fails]:
    return fails(holds, lambda: ((h,) for h in of), "h")


def once(holds: Callable[[], bool]) -> Callable[[], Fails]:
    return fails(holds, lambda: [()])
