"""Faults planted in the kernel's rules for additive laws, sums, induction and limits: each accepts a false certificate,
rejects a real one, or derives another number than explicit matrices have."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest

from corpus.certificates import accepted_about, planted
from dp_kernel.cards import noise, spectra
from dp_kernel.certificate import schema
from dp_kernel.certificate.check import KINDS
from dp_kernel.formulas import definitions, relations, terms
from dp_kernel.laws import additive
from dp_kernel.numbers import polynomial
from independent.noise_cases import CASES, misderived
from mutants import kernel


@cache
def false() -> dict[str, Any]:
    return planted("additive", "sums")


@cache
def genuine() -> list[Any]:
    return [*accepted_about("additive").values()]


def misjudged() -> Iterator[str]:
    yield from kernel.misjudged(false(), genuine())
    for case in CASES:
        if case[1] < 3:
            yield from misderived(*case)


def test_nothing_is_misjudged() -> None:
    assert list(misjudged()) == []


FAULTS: dict[str, tuple[Any, str, str, str]] = {
    "sums: nothing is taken off before the first": (
        *(definitions, "_with_sum", "at(end).value(form) - at(start - 1).value(form)"),
        "at(end).value(form) - at(start).value(form)",
    ),
    "sums: up to the last but one": (definitions, "_with_sum", "(at(end).value(form)", "(at(end - 1).value(form)"),
    "sums: ends are any numbers": (definitions, "_with_sum", "require_integer(whole, place)", "pass"),
    "sums: ends in any order": (definitions, "_with_sum", "end - start + 1, place.ranges", "lift(0), place.ranges"),
    "sums: indices may have values": (definitions, "_with_sum", "require(index not in place.values", "require(True"),
    "sums: forms are not compared": (
        definitions,
        "_with_sum",
        'prove("eq", differences[0], here.value(term), here, {})',
        "",
    ),
    "sums: nothing from below": (
        definitions,
        "_with_sum",
        'prove("le", differences[0], here.value(term), here, {})',
        "",
    ),
    "sums: nothing from above": (
        definitions,
        "_with_sum",
        'prove("le", here.value(term), differences[1], here, {})',
        "",
    ),
    "sums: exactly what is below": (definitions, "_with_sum", "name: least + variable(above)", "name: least"),
    "sums: forms of all x at once": (
        *(definitions, "_with_sum", "at(start - 1 + variable(fresh))"),
        "at(start + variable(fresh))",
    ),
    "sums: names within sums": (terms, "_along", "if not name.startswith('[\"')", ""),
    "induction: what is known of x": (definitions, "by_induction", "if y in place.ranges}", "}"),
    "induction: what is stated of x": (
        definitions,
        "by_induction",
        "if not any(name in v for v in variables_of(c))",
        "",
    ),
    "induction: enclosures are the same at x + 1": (
        definitions,
        "by_induction",
        "require(all(",
        "require(True or all(",
    ),
    "induction: on real numbers": (definitions, "by_induction", "require(place.ranges[name].whole", "require(True"),
    "induction: any factor": (definitions, "by_induction", 'prove("lt", 0, factor, here, {})', ""),
    "induction: no first step": (definitions, "by_induction", 'prove(op, 0, gaps[0], first, step["first"])', ""),
    "induction: from the second": (
        *(definitions, "by_induction", "lift(place.ranges[name].low +"),
        "lift(place.ranges[name].low + 1 +",
    ),
    "induction: equations as inequalities": (definitions, "by_induction", '"eq" if op == "eq" else "le"', '"le"'),
    "lemmas: any": (definitions, "with_lemmas", 'prove("le", 0, place.value(tree), place, step)', "pass"),
    "limits: constants that move": (relations, "bounded", "symbols(tree) <= fixed", "True"),
    "limits: of what is bounded": (relations, "bounded", "require(not any(symbols(tree)", "require(not any(set()"),
    "limits: constants of any sign": (relations, "bounded", 'prove("lt", 0, constant, place, {})', ""),
    "quantities: all names": (additive, "within", "values={**own,", "values={**place.values,"),
    "quantities: enclosures are the same": (additive, "with_quantities", "[tree], forms, name)", "[tree], forms)"),
    "rows: heights called as variables": (
        additive,
        "require_row",
        "require(not symbols(outer)",
        "require(True or symbols(outer)",
    ),
    "rows: heights above the root": (additive, "require_row", 'and at.shows(last, "h")', ""),
    "rows: differences of leaves": (additive, "require_row", "at.shows(int(differ), first)", "at.shows(0, first)"),
    "rows: heights of any kind": (additive, "require_row", "require_integer(lift(whole), at)", "pass"),
    "rows: any number of children": (
        additive,
        "require_row",
        "require(branching == 2 if differ else",
        "require(True or",
    ),
    "rows: integers of any kind": (additive, "require_row", 'require(law["noise"] == "laplace" or', "require(True or"),
    "rows: any restoration": (additive, "require_row", "there.value(v)", "pass"),
    "rows: weights of any sign": (
        *(additive, "require_row", "require(is_nonnegative(there.value(weight)"),
        "require(True or is_nonnegative(there.value(weight)",
    ),
    "rows: scales may vanish": (additive, "require_row", ", strictly=True", ""),
    "pairs: at any height": (additive, "derived", 'if which in ("pair", "contrast"):', "if False:"),
    "pairs: differences of one sign": (additive, "derived", '["sub", total, put(', '["add", total, put('),
    "pairs: from above the ancestor": (additive, "derived", 'start = "k"\n', 'start = ["add", "k", 1]\n'),
    "pairs: all rows": (additive, "derived", 'if which == "pair" and not', "if False and not"),
    "pairs: rows that may be": (additive, "derived", 'require(at.shows(first, "k"),', "require(True,"),
    "ranges: differences as sums": (additive, "derived", "if differ else here", "if False else here"),
    "ranges: halves once": (additive, "derived", '["mul", b, spectra.in_ranges', '["mul", 1, spectra.in_ranges'),
    "counts: one child": (additive, "derived", "if differ and b != 2 else", "if False else"),
    "counts: children of sums": (additive, "derived", "if differ and b != 2 else", "if b != 2 else"),
    "contrasts: at any height": (additive, "derived", 'if which in ("pair", "contrast"):', 'if which == "pair":'),
    "products: the variance": (additive, "_blocks", "noise.times_variance(law, scale, product)", "product"),
    "noise: the variance of one side": (noise, "times_variance", '["mul", 2, ["pow"', '["mul", 1, ["pow"'),
    "noise: of any kind": (noise, "times_variance", 'require(law["noise"] == "laplace"', "require(True"),
    "noise: exchanges as one": (noise, "norm", '["mul", 2, each]', "each"),
    "noise: the root is exchanged": (noise, "norm", 'end = ["sub", "h", 1]', "end = last"),
    "noise: the root may be": (noise, "norm", 'require(at.shows("h", last)', "require(True"),
    "spectra: the last height is left out": (
        *(spectra, "on_contrasts", 'last if leaves else ["sub", "s", 1]'),
        'last if leaves else ["sub", "s", 2]',
    ),
    "spectra: gaps": (spectra, "on_contrasts", "require(at.shows(first, 1)", "require(True or at.shows(first, 1)"),
    "spectra: the root as another height": (spectra, "on_contrasts", 'at.shows("h", first)', "False"),
    "spectra: differences at the root": (spectra, "on_constants", 'if kind == "sums":', "if True:"),
    "spectra: what has no inverse": (spectra, "inverse", '["div", 0, node]', '["mul", 0, node]'),
    "spectra: what is 0 on constants": (spectra, "inverse", '["div", 0, root]', '["mul", 0, root]'),
    "spectra: the root's share": (spectra, "inverse", '("h", root)', '("h", 1)'),
    "spectra: the nodes' share": (spectra, "inverse", '("s", node)', '("s", 1)'),
    "spectra: squares in ranges": (spectra, "in_ranges", '(2, ["neg", found])', "(2, found)"),
    "spectra: twelfths": (spectra, "in_ranges", '["mul", n, found], 12]', '["mul", n, found], 6]'),
    "ranges of powers: of what is below 1": (polynomial, "bound_of", "base.low >= 1 and", ""),
    "ranges of powers: to any number": (polynomial, "bound_of", "and exponent.low >= 0 and exponent.whole", ""),
    "ranges of powers: of one more": (
        polynomial,
        "bound_of",
        "min(int(exponent.low), 64)",
        "min(int(exponent.low) + 1, 64)",
    ),
    "ranges: shares have a minimum": (schema, "range", 'value["min"] == 0 and', ""),
}
"""Module, function, what its text says, and what the mutant's says."""


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine(), false()  # certificates are made before the kernel is broken
    module, name, written, wrong = FAULTS[fault]
    original, broken = kernel.rewrite(module, name, written, wrong, monkeypatch)
    for kind, found in KINDS.items():
        if found.rule is original:
            monkeypatch.setitem(KINDS, kind, found._replace(rule=broken))
    with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):  # nothing is derived at numbers
        assert next(misjudged(), None) is not None
