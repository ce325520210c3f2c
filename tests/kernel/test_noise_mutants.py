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


FAULTS: dict[tuple[Any, str], dict[str, tuple[str, str]]] = {
    (definitions, "_with_sum"): {
        "sums: nothing is taken off before the first": (
            "at(end).value(form) - at(start - 1).value(form)",
            "at(end).value(form) - at(start).value(form)",
        ),
        "sums: up to the last but one": ("(at(end).value(form)", "(at(end - 1).value(form)"),
        "sums: ends are any numbers": ("require_integer(whole, place)", "pass"),
        "sums: ends in any order": ("end - start + 1, place.ranges", "lift(0), place.ranges"),
        "sums: indices may have values": ("require(index not in place.values", "require(True"),
        "sums: forms are not compared": ('prove("eq", differences[0], here.value(term), here, {})', ""),
        "sums: nothing from below": ('prove("le", differences[0], here.value(term), here, {})', ""),
        "sums: nothing from above": ('prove("le", here.value(term), differences[1], here, {})', ""),
        "sums: exactly what is below": ("name: least + variable(above)", "name: least"),
        "sums: forms of all x at once": ("at(start - 1 + variable(fresh))", "at(start + variable(fresh))"),
    },
    (terms, "_along"): {
        "sums: names within sums": ("if not name.startswith('[\"')", ""),
    },
    (definitions, "by_induction"): {
        "induction: what is known of x": ("if y in place.ranges}", "}"),
        "induction: what is stated of x": ("if not any(name in v for v in variables_of(c))", ""),
        "induction: enclosures are the same at x + 1": ("require(all(", "require(True or all("),
        "induction: on real numbers": ("require(place.ranges[name].whole", "require(True"),
        "induction: any factor": ('prove("lt", 0, factor, here, {})', ""),
        "induction: no first step": ('prove(op, 0, gaps[0], first, step["first"])', ""),
        "induction: from the second": ("lift(place.ranges[name].low +", "lift(place.ranges[name].low + 1 +"),
        "induction: equations as inequalities": ('"eq" if op == "eq" else "le"', '"le"'),
    },
    (definitions, "with_lemmas"): {
        "lemmas: any": ('prove("le", 0, place.value(tree), place, step)', "pass"),
    },
    (relations, "bounded"): {
        "limits: constants that move": ("symbols(tree) <= fixed", "True"),
        "limits: of what is bounded": ("require(not any(symbols(tree)", "require(not any(set()"),
        "limits: constants of any sign": ('prove("lt", 0, constant, place, {})', ""),
    },
    (additive, "within"): {
        "quantities: all names": ("values={**own,", "values={**place.values,"),
    },
    (additive, "with_quantities"): {
        "quantities: enclosures are the same": ("[tree], forms, name)", "[tree], forms)"),
    },
    (additive, "require_row"): {
        "rows: heights called as variables": ("require(not symbols(outer)", "require(True or symbols(outer)"),
        "rows: heights above the root": ('and at.shows(last, "h")', ""),
        "rows: differences of leaves": ("at.shows(int(differ), first)", "at.shows(0, first)"),
        "rows: heights of any kind": ("require_integer(lift(whole), at)", "pass"),
        "rows: any number of children": ("require(branching == 2 if differ else", "require(True or"),
        "rows: integers of any kind": ('require(law["noise"] == "laplace" or', "require(True or"),
        "rows: any restoration": ("there.value(v)", "pass"),
        "rows: weights of any sign": (
            "require(is_nonnegative(there.value(weight)",
            "require(True or is_nonnegative(there.value(weight)",
        ),
        "rows: scales may vanish": (", strictly=True", ""),
    },
    (additive, "derived"): {
        "pairs: at any height": ('if which in ("pair", "contrast"):', "if False:"),
        "pairs: differences of one sign": ('["sub", total, put(', '["add", total, put('),
        "pairs: from above the ancestor": ('start = "k"\n', 'start = ["add", "k", 1]\n'),
        "pairs: all rows": ('if which == "pair" and not', "if False and not"),
        "pairs: rows that may be": ('require(at.shows(first, "k"),', "require(True,"),
        "ranges: differences as sums": ("if differ else here", "if False else here"),
        "ranges: halves once": ('["mul", b, spectra.in_ranges', '["mul", 1, spectra.in_ranges'),
        "counts: one child": ("if differ and b != 2 else", "if False else"),
        "counts: children of sums": ("if differ and b != 2 else", "if b != 2 else"),
        "contrasts: at any height": ('if which in ("pair", "contrast"):', 'if which == "pair":'),
    },
    (additive, "_blocks"): {
        "products: the variance": ("noise.times_variance(law, scale, product)", "product"),
    },
    (noise, "times_variance"): {
        "noise: the variance of one side": ('["mul", 2, ["pow"', '["mul", 1, ["pow"'),
        "noise: of any kind": ('require(law["noise"] == "laplace"', "require(True"),
    },
    (noise, "norm"): {
        "noise: exchanges as one": ('["mul", 2, each]', "each"),
        "noise: the root is exchanged": ('end = ["sub", "h", 1]', "end = last"),
        "noise: the root may be": ('require(at.shows("h", last)', "require(True"),
    },
    (spectra, "on_contrasts"): {
        "spectra: the last height is left out": (
            'last if leaves else ["sub", "s", 1]',
            'last if leaves else ["sub", "s", 2]',
        ),
        "spectra: gaps": ("require(at.shows(first, 1)", "require(True or at.shows(first, 1)"),
        "spectra: the root as another height": ('at.shows("h", first)', "False"),
    },
    (spectra, "on_constants"): {
        "spectra: differences at the root": ('if kind == "sums":', "if True:"),
    },
    (spectra, "inverse"): {
        "spectra: what has no inverse": ('["div", 0, node]', '["mul", 0, node]'),
        "spectra: what is 0 on constants": ('["div", 0, root]', '["mul", 0, root]'),
        "spectra: the root's share": ('("h", root)', '("h", 1)'),
        "spectra: the nodes' share": ('("s", node)', '("s", 1)'),
    },
    (spectra, "in_ranges"): {
        "spectra: squares in ranges": ('(2, ["neg", total])', "(2, total)"),
        "spectra: twelfths": ('["mul", n, total], 12]', '["mul", n, total], 6]'),
    },
    (polynomial, "bound_of"): {
        "ranges of powers: of what is below 1": ("base.low >= 1 and", ""),
        "ranges of powers: to any number": ("and exponent.low >= 0 and exponent.whole", ""),
        "ranges of powers: of one more": ("min(int(exponent.low), 64)", "min(int(exponent.low) + 1, 64)"),
    },
    (schema, "variable_range"): {
        "ranges: shares have a minimum": ('value["min"] == 0 and', ""),
    },
}
"""By module and function: what its text says, and what the mutant's says."""


MUTANTS = kernel.by_fault(FAULTS)


@pytest.mark.parametrize("fault", MUTANTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine(), false()  # certificates are made before the kernel is broken
    (module, name), written, wrong = MUTANTS[fault]
    original, broken = kernel.rewrite(module, name, written, wrong, monkeypatch)
    for kind, entry in KINDS.items():
        if entry.rule is original:
            monkeypatch.setitem(KINDS, kind, entry._replace(rule=broken))
    with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):  # nothing is derived at numbers
        assert next(misjudged(), None) is not None
