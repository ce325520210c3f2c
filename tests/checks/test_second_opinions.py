"""Every verdict of the ledger before the brute force of the attack, which imports nothing of the project: at the
witness of a refutation, and at small points of what is said to hold.

A claim that it knows is decided twice, by the kernel and there, and needs no third test of its own.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from attack.ledger import opinion
from dp_checks.certify import all_statements
from dp_checks.ledger import load_ledger

Json = dict[str, Any]
LISTED = tomllib.loads(Path(__file__).with_name("second_opinions.toml").read_text(encoding="ascii"))
UNKNOWN, HUGE, LONG, UNDEFINED = (frozenset(LISTED[name]) for name in ("unknown", "huge", "long", "undefined"))
LEDGER = load_ledger()
STATEMENTS = {i: x for i, x in all_statements().items() if LEDGER[i].verdict in ("proved", "verified", "refuted")}
QUICK = [claim for claim in STATEMENTS if claim not in LONG | HUGE]


def section(claim: str) -> str:
    """The source and the place in it."""
    return ".".join(claim.split(".")[:2])


def read(claim: str) -> Json:
    """A formal statement as it is read from a file."""
    body: Json = json.loads(json.dumps(STATEMENTS[claim].json()))
    return body


def opinions(claims: Iterable[str], verdict: str = "") -> Mapping[str, str]:
    """Why verdicts, or another verdict in their place, are wrong; of what is not known and is not listed so, this."""
    reasons = {}
    for claim in claims:
        entry = LEDGER[claim]
        why, is_known = opinion(read(claim), verdict or entry.verdict, entry.evidence.get("witness", {}))
        if why or (not verdict and is_known == (claim in UNKNOWN)):
            reasons[claim] = why or ("known" if is_known else "unknown")
    return reasons


SECTIONS = sorted(set(map(section, QUICK)))
LONGEST = {"002.base", "002.budget", "002.def3"}


@pytest.mark.parametrize("of", [pytest.param(of, marks=pytest.mark.slow) if of in LONGEST else of for of in SECTIONS])
def test_the_brute_force_contradicts_no_verdict(of: str) -> None:
    reasons = opinions(claim for claim in QUICK if section(claim) == of)
    assert reasons.keys() == {claim for claim in UNDEFINED if section(claim) == of}, reasons


@pytest.mark.campaign
@pytest.mark.parametrize("claim", sorted(LONG))
def test_the_brute_force_contradicts_no_verdict_that_takes_long(claim: str) -> None:
    assert opinions([claim]) == {}


def test_what_is_refuted_cannot_be_said_to_hold() -> None:
    """Most counterexamples are small: two thirds of what source 000 has refuted are false at these points."""
    refuted = [i for i in QUICK if i.startswith("000.") and LEDGER[i].verdict == "refuted" and i not in UNKNOWN]
    assert 3 * len(opinions(refuted, "proved")) > 2 * len(refuted)


def otherwise(statement: Json) -> Json:
    """The same with another formula. Raises `LookupError` where the first thing that is said is no equation."""

    def wrong(formula: Any) -> Any:
        return ["mul", 2, ["add", formula, 1]]

    match statement:
        case {"parts": [first, *rest]}:
            return statement | {"parts": [otherwise(first), *rest]}
        case {"formula": formula}:
            return statement | {"formula": wrong(formula)}
        case {"relations": [["eq", left, right], *rest]}:
            return statement | {"relations": [["eq", left, wrong(right)], *rest]}
    raise LookupError("no equation")


@pytest.mark.parametrize("source", ["000", "003"])
def test_another_formula_is_contradicted(source: str) -> None:
    believed, number = [], 0
    for claim in QUICK:
        if claim.startswith(source) and LEDGER[claim].verdict != "refuted" and claim not in UNKNOWN:
            with suppress(LookupError):
                planted = otherwise(read(claim))
                number += 1
                believed += [claim] if not opinion(planted, "proved", {})[0] else []
    assert believed == []
    assert number > 15


def test_what_is_listed_is_in_the_ledger() -> None:
    assert STATEMENTS.keys() >= UNKNOWN | HUGE | LONG | UNDEFINED
