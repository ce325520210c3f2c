"""Where the best frequency oracle changes; the command, its JSON and its picture."""

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from flint import arb, fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from cases.commands import bad_command_test
from cases.faults import fault_test, in_module
from cases.refusals import refusal_test, refuses, refuses_each
from dp_checks.verdict import InternalDisagreementError
from dp_command import main
from dp_spec.frequency.single_item import LABELS_TIE, SUBSET_STEP, B, K
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.real import Real
from dp_studies.comparisons.frequency_oracles import crossings
from dp_studies.comparisons.frequency_oracles.candidates import NAMES, Place, Setting, best, curve
from dp_studies.comparisons.frequency_oracles.command import Question, document, read_frequency
from dp_studies.comparisons.frequency_oracles.crossings import (
    PREFERRED,
    Crossing,
    Piece,
    over_epsilon,
    over_items,
    real_roots,
)
from dp_studies.schemas import INTEGER, NATURAL, TEXT, by_name, lists, objects, one_of, optional

LOW, HIGH = Budget("1/10"), Budget(5)
CLASSICAL = ("GRR", "RAPPOR", "OUE", "OLH", "HadamardResponse")
CASES: dict[str, tuple[Setting, tuple[str, ...]]] = {
    "all": (Setting(16, fmpq(1, 16)), PREFERRED),
    "16 bits": (Setting(300, fmpq(1, 300), 16), PREFERRED),
    "20 bits": (Setting(64, fmpq(1, 64), 20), PREFERRED),
    "12 bits, nobody": (Setting(40, fmpq(0), 12), PREFERRED),
    "without subsets": (Setting(16, fmpq(1, 16)), CLASSICAL),
    "without subsets, nobody": (Setting(16, fmpq(0)), CLASSICAL),
    "one item is frequent": (Setting(12, fmpq(1, 2), 9), PREFERRED),
    "everybody": (Setting(12, fmpq(1)), PREFERRED),
    "sketches": (Setting(30, fmpq(1, 30), 18, 16), ("ClientCMS", "HCMS", "RAPPOR")),
}


def between(pieces: tuple[Piece, ...], low: float, high: float) -> Iterator[tuple[fmpq, tuple[str, ...]]]:
    """A few rational roots e^(eps/2) inside of every piece, also near its ends, with what is said to be best there."""
    edges = [_middle((arb(low) / 2).exp()), _middle((arb(high) / 2).exp())]
    for piece in pieces:
        left = edges[0] if piece.start is None else piece.start.high
        right = edges[1] if piece.end is None else piece.end.low
        for share in (fmpq(1, 10**9), fmpq(1, 7), fmpq(1, 2), fmpq(6, 7), 1 - fmpq(1, 10**9)):
            yield left + share * (right - left), piece.winners


def wrong_pieces(name: str) -> Iterator[str]:
    setting, names = CASES[name]
    for t, said in between(over_epsilon(setting, LOW, HIGH, names), 0.1, 5.0):
        winners = best(setting, Place(Budget.of_root(Real.lift(t), 2)), names)
        if winners != said:
            yield f"at {t}: {said}, but it is {winners}"


@pytest.mark.parametrize("name", CASES)
def test_pieces_have_the_best_mechanisms_of_their_places(name: str) -> None:
    assert list(wrong_pieces(name)) == []


@pytest.mark.parametrize("name", CASES)
def test_crossings_are_isolated_and_in_order(name: str) -> None:
    pieces = over_epsilon(CASES[name][0], LOW, HIGH, CASES[name][1])
    assert (pieces[0].start, pieces[-1].end) == (None, None)
    ends = [piece.end for piece in pieces[:-1]]
    assert [piece.start for piece in pieces[1:]] == ends
    assert all(one.winners != other.winners for one, other in pairwise(pieces))
    before = fmpq(1)
    for crossing in ends:
        assert crossing is not None
        assert before < crossing.low < crossing.high < crossing.low + fmpq(1, 2**100)
        inside = [r for r in real_roots(crossing.polynomial) if crossing.low < _middle(r) < crossing.high]
        assert len(inside) == 1
        before = crossing.high


def _middle(ball: arb) -> fmpq:
    mantissa, exponent = ball.mid().man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


@pytest.mark.parametrize("d", [3, 11, 16, 100])
def test_grr_is_better_than_unary_encoding_up_to_three_e_eps_and_two(d: int) -> None:
    """At f = 0; d = 11 at epsilon = ln 3, where all three are equal."""
    names = ("GRR", "OUE")
    pieces = over_epsilon(Setting(d, fmpq(0)), Budget("1/100"), HIGH, names)
    if d < 5:
        assert [piece.winners for piece in pieces] == [("GRR",)]
    else:
        assert [piece.winners for piece in pieces] == [("OUE",), ("GRR",)]
        crossing = pieces[0].end
        assert crossing is not None
        assert 3 * crossing.low**2 + 2 < d < 3 * crossing.high**2 + 2
    ranges = over_items(20, Budget("ln(3)"), fmpq(0), None, 1024, (*names, "OLH"))
    assert [(r.first, r.last, r.winners) for r in ranges] == [
        (2, 10, ("GRR",)),
        (11, 11, ("GRR", "OUE", "OLH")),
        (12, 20, ("OUE", "OLH")),
    ]


CHANGES = crossings._changes
FAULTS: dict[str, tuple[str, Any]] = {
    "labels change one too late": ("LABELS_TIE", LABELS_TIE.substitute({"b": B + 1})),
    "subsets change one too late": ("SUBSET_STEP", SUBSET_STEP.substitute({"k": K + 1})),
    "balls are believed too early": ("_stays_above", lambda difference, low, high: True),
    "no crossings": ("_crossings", lambda curves, low, high, cuts=(): []),
    "the first root only": ("real_roots", lambda p: real_roots(p)[:1]),
    "the middle of everything": ("_lowest", lambda curves, t: [min(curves, key=lambda c: c.error(fmpq(5)))]),
    "ties are forgotten": ("named", lambda winners: tuple(sorted(winners))[:1]),
    "parameters of the start": (
        "_changes",
        lambda name, setting, low, high: list(CHANGES(name, setting, low, high))[:1],
    ),
}


test_a_fault_in_the_crossings_is_caught = fault_test(
    lambda: chain.from_iterable(map(wrong_pieces, CASES)),
    in_module(crossings, FAULTS),
    (InternalDisagreementError, ValueError),  # two roots in one interval; none where there is one
)


@pytest.mark.slow
@given(
    f=st.fractions(0, 1, max_denominator=5),
    bits=st.one_of(st.none(), st.integers(4, 20)),
    root=st.fractions(Fraction(9, 8), 4, max_denominator=8),
)
def test_ranges_of_items_are_decided_one_by_one(f: Fraction, bits: int | None, root: Fraction) -> None:
    frequency = fmpq(f.numerator, f.denominator)
    budget = Budget.of_root(Real.lift(fmpq(root.numerator, root.denominator)), 2)
    ranges = over_items(20, budget, frequency, bits, 8)
    listed = [(d, r.winners) for r in ranges for d in range(r.first, r.last + 1)]
    assert [d for d, _ in listed] == list(range(2, 21))
    for d, winners in listed:
        assert set(winners) == set(best(Setting(d, frequency, bits, 8), Place(budget), PREFERRED))
    if bits is not None:
        assert listed[-1][1] != () or bits < 5


def test_double_roots_change_nothing() -> None:
    """At f = 0 OUE and OLH touch at every integer e^eps + 1."""
    pieces = over_epsilon(Setting(50, fmpq(0)), LOW, HIGH, ("OUE", "OLH"))
    assert [piece.winners for piece in pieces] == [("OUE",)]
    assert len(real_roots(fmpq_poly([1, -2, 1]))) == 1


@pytest.mark.parametrize(
    ("low", "high", "winners"),
    [
        ("1/10", "ln(3)", [("SubsetSelection",)]),
        ("ln(3)", "3", [("GRR", "SubsetSelection")]),
        ("1/10", "3", [("SubsetSelection",), ("GRR", "SubsetSelection")]),
    ],
)
def test_a_range_may_end_where_a_parameter_changes(low: str, high: str, winners: list[Any]) -> None:
    """Of 7 items, at f = 0, subsets of one and of two are equal at e^eps = 3."""
    pieces = over_epsilon(Setting(7, fmpq(0)), Budget(low), Budget(high), ("GRR", "SubsetSelection"))
    assert [piece.winners for piece in pieces] == winners


def test_two_parameters_may_change_at_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then there is one cut, after which both are changed."""
    setting, cut = Setting(16, fmpq(0)), Crossing(fmpq_poly([-2, 1]), fmpq(19, 10), fmpq(21, 10))

    def changes(name: str, setting: Setting, low: Any, high: Any) -> list[Any]:
        return [(cut, curve(name, 3, setting)), (cut, curve(name, 2, setting))]

    monkeypatch.setattr(crossings, "_changes", changes)
    first, second = crossings._stretches(setting, LOW, HIGH, ("OLH", "SubsetSelection"))
    assert [c.parameter for c in first.curves] == [3, 3]
    assert [c.parameter for c in second.curves] == [2, 2]
    assert first.end == second.start == cut


SIXTEEN = Setting(16, fmpq(0))
NO_NAMES: list[Any] = [(), ("OLH-nearest",), ("GRR", "OLH-nearest"), ("XYZ",)]
test_bad_ranges = refusal_test(
    refuses_each("", partial(over_epsilon, SIXTEEN), (HIGH, LOW), (LOW, LOW), (Budget(0), LOW), says="epsilon"),
    refuses("", lambda: over_epsilon(Setting(100, fmpq(0), 6), LOW, HIGH), says="bits"),
    refuses("", lambda: over_epsilon(Setting(10**6, fmpq(0)), LOW, HIGH), says="d = 1000000"),
    refuses("", lambda names: over_epsilon(SIXTEEN, LOW, HIGH, names), *NO_NAMES, says="mechanism"),
    refuses("", lambda names: over_items(9, LOW, None, names=names), *NO_NAMES, says="mechanism"),
    refuses("", lambda last: over_items(last, LOW, None), 1, 10**7, True, 2.5, says="d"),
)


# --- the command ------------------------------------------------------------------------------------------------------

_NAMES = lists(one_of(NAMES))
_DECIMAL = {"type": "string", "pattern": r"^\d+(\.\d+)?(e[+-]?\d+)?$"}
_MECHANISM = {
    "b": {**NATURAL, "minimum": 2},
    "k": NATURAL,
    "bits": NATURAL,
    "variance": _DECIMAL,
    "times": _DECIMAL,
}
_PIECE = {
    "best": _NAMES,
    "until": optional(_DECIMAL),
    "polynomial": lists({"type": "string", "pattern": r"^-?\d+$"}),
}
_PIECES = optional(lists(objects(_PIECE, missing=["polynomial"])))
SCHEMA = objects(
    {
        "format": {"const": "dp-refimpl frequency-oracles 1"},
        "note": TEXT,
        "d": INTEGER,
        "n": INTEGER,
        "epsilon": TEXT,
        "frequency": {"type": "string", "pattern": r"^\d+(/\d+)?$"},
        "bits": optional(INTEGER),
        "columns": INTEGER,
        "best": lists(one_of(NAMES), minItems=1),
        "mechanisms": by_name(objects(_MECHANISM, missing=["b", "k"]), propertyNames=one_of(NAMES)),
        "too_long": _NAMES,
        "over_epsilon": objects({"from": TEXT, "to": TEXT, "pieces": _PIECES, "reason": TEXT}, missing=["reason"]),
        "over_d": objects(
            {"to": INTEGER, "ranges": lists(objects({"first": NATURAL, "last": NATURAL, "best": _NAMES}))}
        ),
    }
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["frequency-oracles", *arguments])


def test_the_document_and_the_text() -> None:
    arguments = ("--d", "64", "--n", "1000", "--epsilon", "1", "--bits", "20", "--most-items", "30")
    page = json.loads(run(*arguments, "--json").output)
    jsonschema.validate(page, SCHEMA)
    assert page == document(Setting(64, fmpq(1, 64), 20), Question(1000, "1", (), ("1/10", "8"), 30, None))
    assert page["best"] == ["OLH"]
    assert {"RAPPOR", "OUE"} == set(page["too_long"])
    assert next(iter(page["mechanisms"])) in ("OLH", "OLH-nearest")
    text = run(*arguments).output
    assert "OLH has the smallest variance" in text
    assert "at most 20 bits" in text
    assert "too many" in text
    assert "GRR = SubsetSelection" in text
    one, many = (json.loads(run("--d", "8", "--n", n, "--most-items", "9", "--json").output) for n in ("1", "1000"))
    assert float(one["mechanisms"]["GRR"]["variance"]) == pytest.approx(
        1000 * float(many["mechanisms"]["GRR"]["variance"])
    )


@pytest.mark.parametrize(("alias", "name"), [("sue", "RAPPOR"), ("SS", "SubsetSelection"), ("CMS", "ClientCMS")])
def test_names_of_the_literature_are_known(alias: str, name: str) -> None:
    options = "--items", "4", "--json", "--mechanism"
    assert json.loads(run(*options, alias).stdout)["mechanisms"].keys() == {name}


def test_what_is_not_sought_is_said(tmp_path: Path) -> None:
    done = run("--d", "500000", "--most-items", "4")
    assert "not sought" in done.output
    page = json.loads(run("--d", "500000", "--most-items", "4", "--json").output)
    jsonschema.validate(page, SCHEMA)
    assert page["over_epsilon"]["pieces"] is None
    assert "sizes" in page["over_epsilon"]["reason"]


test_bad_arguments_end_in_one_line = bad_command_test(
    "frequency-oracles --d 8",
    [
        ("--epsilon 0", "--epsilon = '0': allowed is a number > 0"),
        ("--range 1 nan", "--range = 'nan'"),
        ("--range 3 1", "--range = '3 1': allowed is two epsilons, the smaller one first"),
        ("--most-items 1", "--most-items = 1"),
        ("--mechanism GRR --mechanism OUE --mechanism GRR", "each of them once"),
        ("--frequency 1/0", "frequency"),
        ("--frequency 1e-3", "frequency"),
        ("--mechanism OLH-nearest", "mechanism"),
        ("--items 1", "d = 1"),
    ],
)
"""Beside the bad inputs of `first_contact`."""


def test_frequencies_as_written() -> None:
    assert [read_frequency(text, 8) for text in ("1/d", "0", "0.25", "3/8", "1")] == [
        fmpq(1, 8),
        fmpq(0),
        fmpq(1, 4),
        fmpq(3, 8),
        fmpq(1),
    ]
