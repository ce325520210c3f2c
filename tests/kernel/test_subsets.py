"""Statements about laws on subsets that are false, undefined, about nothing, or misread: rejected, with the reason."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from dp_kernel.certificate.check import check
from dp_kernel.laws.grammar import World, output_law, valued
from dp_kernel.meter import Rejected
from dp_spec.frequency.grr import W
from dp_spec.frequency.privset import CHOSEN, D_PADDED, D_PLAIN, PADDED, PLAIN, estimator, held, omega, other
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.law import K, Law, M, dummies, each, subset
from dp_spec.vocabulary.statement import Chance, Domain, Not, Range, Ratio, Smallest, Statement, Unbiased
from dp_spec.vocabulary.term import Term, binomial, term
from independent.plain_privset import privset

COUNTING: Any = {"rule": "counting"}
CONTRIBUTIONS: Any = {"rule": "contributions"}


def law(hit: Term, miss: Term, size: Term = CHOSEN) -> Law:
    return replace(PLAIN, term=subset(size, hit, miss))


def chance(of: Law, event: Any, p: Term, sizes: Any = "exactm") -> Chance:
    return Chance(of, "vector", "sensitive", event, p, sizes)


def naturals(*names: str) -> Domain:
    return Domain({name: Range(1, integer=True) for name in names})


DOUBLED = law(W**2 / omega(K).substitute({"w": W**2}), 1 / omega(K).substitute({"w": W**2}))
FALSE: dict[str, tuple[Statement, str, Any, str]] = {
    "no law": (Ratio(law(W / omega(K), 2 / omega(K)), "vector", "ldp"), "proved", COUNTING, "do not sum to 1"),
    "negative": (
        Ratio(law(2 / (binomial(K, CHOSEN) - binomial(K - M, CHOSEN)), -1 / binomial(K - M, CHOSEN)), "vector", "ldp"),
        "proved",
        COUNTING,
        "not shown",
    ),
    "twice the budget": (Ratio(DOUBLED, "vector", "ldp"), "proved", COUNTING, "do not differ by"),
    "sets of other sizes": (Ratio(PLAIN, "vector", "ldp", sizes="atmost"), "proved", COUNTING, "sets of m items"),
    "completed, of one size": (Ratio(PADDED, "vector", "ldp"), "proved", COUNTING, "sets of at most m items"),
    "another constant": (
        Smallest(PLAIN, "vector", "ldp", constant=W**2),
        "proved",
        COUNTING,
        "do not differ by this constant",
    ),
    "chances exchanged": (chance(PLAIN, "held", other(D_PLAIN)), "proved", CONTRIBUTIONS, "another one"),
    "dummies forgotten": (chance(PADDED, "held", held(D_PLAIN), "atmost"), "proved", CONTRIBUTIONS, "may be negative"),
    "biased": (
        Unbiased(PADDED, "vector", "sensitive", estimator(D_PLAIN + 2 * M), "atmost"),
        "proved",
        CONTRIBUTIONS,
        "to differ from 0",
    ),
    "a subset for every item": (
        Ratio(replace(PLAIN, term=each("held", PLAIN.term)), "vector", "ldp"),
        "proved",
        COUNTING,
        "each held of such outcomes",
    ),
    "dummies that are not sensitive": (
        Ratio(replace(PLAIN, term=dummies("non", PLAIN.term)), "vector", "ldp", sizes="atmost"),
        "proved",
        COUNTING,
        "dummies of a kind",
    ),
    "k has no range": (Ratio(replace(PLAIN, integers={}), "vector", "ldp"), "proved", COUNTING, "unbound symbol k"),
    "k may be 0": (Ratio(replace(PLAIN, integers={"k": 0}), "vector", "ldp"), "proved", COUNTING, "an integer >= 1"),
    "too many items": (
        Smallest(PLAIN, "vector", "ldp", constant=W**2),
        "refuted",
        {"instance": {"m": 2, "K": 3, "N": 0, "k": 2, "w": "2"}, "exact": "2", "stated": "4"},
        "outside the domain",
    ),
    "integers that need not be": (
        Formula(Domain({"k": Range(1)}), (("le", term(0), binomial(CHOSEN, 1)),)),
        "proved",
        {"values": {"k": "1"}, "steps": [{}]},
        "k is an integer",
    ),
    "the numbers of subsets as free numbers": (
        Formula(naturals("k", "m"), (("le", binomial(CHOSEN + M, CHOSEN), 2 * binomial(CHOSEN + M, CHOSEN - 1)),)),
        "proved",
        {"values": {"k": "1", "m": "1"}, "steps": [{}]},
        "not shown",
    ),
    "a negation of what was only verified": (
        Not(Formula(naturals("m"), (("lt", term(0), M),))),
        "refuted",
        {"evidence": {"instances": [{"m": 1}], "steps": [{}]}},
        "other fields",
    ),
    "a negation proved by a proof": (
        Not(Formula(naturals("m"), (("lt", term(0), M),))),
        "proved",
        {"evidence": {"steps": [{}]}},
        "other fields",
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_rejected(name: str) -> None:
    statement, verdict, evidence, reason = FALSE[name]
    with pytest.raises((Rejected, ValueError, ArithmeticError, LookupError), match=reason):
        check(json.loads(json.dumps(statement.json())), verdict, evidence)


@pytest.mark.parametrize(("d", "m", "k"), [(3, 1, 1), (3, 2, 1), (4, 2, 2), (2, 2, 1)])
def test_the_law_is_that_of_the_mechanism(d: int, m: int, k: int) -> None:
    """Both readings, enumerated from the term and by brute force."""
    w = Fraction(3, 2)
    for stated, padded in ((PLAIN, False), (PADDED, True)):
        if not padded and k > d - m:
            continue
        numbers = valued(stated.json()["term"], {"K": w * 0 + d, "m": w * 0 + m, "k": w * 0 + k, "w": w, "N": w * 0})
        for s in [tuple(range(m)), tuple(range(d - m, d))] + ([()] if padded else []):
            found = output_law(numbers, s, m, World(d, 0))
            assert {frozenset(o): p for (o, _), p in found.items()} == privset(frozenset(s), d, m, k, w, padded)


def test_outputs_of_the_padded_reading_are_items_and_dummies() -> None:
    assert D_PADDED == K + M
