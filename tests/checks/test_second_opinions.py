"""Every verdict of the ledger before the brute force of the attack, which imports nothing of the project: at the
witness of a refutation, and at small points of what is said to hold.

A claim that it knows is decided twice, by the kernel and there, and needs no third test of its own.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from attack.ledger import opinion
from dp_checks.certify import all_statements
from dp_checks.ledger import load_ledger

LISTED = tomllib.loads(Path(__file__).with_name("second_opinions.toml").read_text(encoding="ascii"))
UNKNOWN, HUGE, LONG, UNDEFINED = (frozenset(LISTED[name]) for name in ("unknown", "huge", "long", "undefined"))
LEDGER = load_ledger()
STATEMENTS = {i: x for i, x in all_statements().items() if LEDGER[i].verdict in ("proved", "verified", "refuted")}
QUICK = [claim for claim in STATEMENTS if claim not in LONG | HUGE]


def section(claim: str) -> str:
    """The source and the place in it."""
    return ".".join(claim.split(".")[:2])


def opinions(claims: Iterable[str], verdict: str = "") -> Mapping[str, str]:
    """Why verdicts, or another verdict in their place, are wrong; of what is not known and is not listed so, this."""
    reasons = {}
    for claim in claims:
        entry = LEDGER[claim]
        body = json.loads(json.dumps(STATEMENTS[claim].json()))
        why, is_known = opinion(body, verdict or entry.verdict, entry.evidence.get("witness", {}))
        if why or (not verdict and is_known == (claim in UNKNOWN)):
            reasons[claim] = why or ("known" if is_known else "unknown")
    return reasons


@pytest.mark.parametrize("of", sorted(set(map(section, QUICK))))
def test_the_brute_force_contradicts_no_verdict(of: str) -> None:
    reasons = opinions(claim for claim in QUICK if section(claim) == of)
    assert reasons.keys() == {claim for claim in UNDEFINED if section(claim) == of}, reasons


@pytest.mark.slow
@pytest.mark.parametrize("claim", sorted(LONG))
def test_the_brute_force_contradicts_no_verdict_that_takes_long(claim: str) -> None:
    assert opinions([claim]) == {}


def test_what_is_refuted_cannot_be_said_to_hold() -> None:
    """Most counterexamples are small: two thirds of what source 000 has refuted are false at these points."""
    refuted = [i for i in QUICK if i.startswith("000.") and LEDGER[i].verdict == "refuted" and i not in UNKNOWN]
    assert 3 * len(opinions(refuted, "proved")) > 2 * len(refuted)


def test_what_is_listed_is_in_the_ledger() -> None:
    assert STATEMENTS.keys() >= UNKNOWN | HUGE | LONG | UNDEFINED
