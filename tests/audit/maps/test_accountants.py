"""Accountants: right numbers are never accused, wrong ones are found; enclosures hold what closed forms say."""

import json
import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flint import arb, fmpq

from audit.maps.accountant_cases import (
    DELTA,
    RIGHT,
    SIGMAS,
    WRONG,
    Accountant,
    gaussian_delta,
    gaussian_epsilon,
    laplace_delta,
    sampled_delta,
)
from dp_audit import Verdict, audit_accountant
from dp_audit.oracles.accounted_mechanisms import curve_of, settled
from dp_audit.oracles.privacy_curves import GaussianLoss, LaplaceLoss, OneAnswer, SampledGaussianLoss, Summed
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from mutants.rewriting import planted_test, read_faults


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.name)
def test_a_right_number_is_consistent(case: Accountant) -> None:
    audit = audit_accountant(case)
    row = audit.row("accountant")
    assert (row.verdict in (Verdict.CONSISTENT, Verdict.ROUNDING), audit.faults) == (True, ()), audit.text()
    assert case.tight or "too large" in row.detail


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.name)
def test_a_wrong_number_is_a_fault(case: Accountant) -> None:
    audit = audit_accountant(case)
    assert [row.check for row in audit.faults] == ["accountant"], audit.text()
    assert audit.row("accountant").witness["arguments"] in map(repr, case.calls)


def test_there_are_enough() -> None:
    assert min(len(RIGHT), len(WRONG)) >= 18


# --- enclosures -------------------------------------------------------------------------------------------------------

EPSILONS = (fmpq(0), fmpq(1, 4), fmpq(1), fmpq(5, 2))
WIDE = fmpq(1, 100)
"""Ends of an enclosure are within this of each other, relatively, where delta is above 10^-9."""


def wrong_sums() -> Iterator[str]:
    """Sums of losses whose enclosure does not have the number of a closed form, or is wide."""
    for times, shift in ((1, fmpq(1, 2)), (6, fmpq(1, 3))):
        with precision(192):
            summed, one = (
                Summed(GaussianLoss(arb(shift)), times),
                OneAnswer(GaussianLoss(arb(shift) * arb(times).sqrt())),
            )
        for epsilon in EPSILONS:
            (low, high), (least, most) = summed.delta(epsilon), one.delta(epsilon)
            if low > most or least > high or (high > fmpq(1, 10**9) and high - low > WIDE * high):
                yield f"{times} times {shift} at {epsilon}"
    if Summed(LaplaceLoss(fmpq(3, 2)), 3).delta(fmpq(9, 2))[1] > fmpq(1, 10**40):
        yield "three times the largest loss"
    for epsilon in EPSILONS:
        low, high = Summed(LaplaceLoss(fmpq(3, 2)), 1).delta(epsilon)
        true = laplace_delta(2 / 3, float(epsilon.p) / float(epsilon.q))
        if not float(arb(low)) <= true + 1e-12 or not true <= float(arb(high)) + 1e-12:
            yield f"Laplace at {epsilon}"


def wrong_losses() -> Iterator[str]:
    """Losses of one answer whose delta is not the one of floats."""
    for epsilon in EPSILONS:
        point = float(epsilon.p) / float(epsilon.q)
        for loss, true in (
            (GaussianLoss(arb(fmpq(1, 2))), gaussian_delta(2.0, point)),
            (LaplaceLoss(fmpq(3, 2)), laplace_delta(2 / 3, point)),
            (SampledGaussianLoss(fmpq(1), fmpq(1, 4), True), sampled_delta(1.0, 0.25, point, "remove")),
            (SampledGaussianLoss(fmpq(1), fmpq(1, 4), False), sampled_delta(1.0, 0.25, point, "add")),
        ):
            low, high = OneAnswer(loss).delta(epsilon)
            if not float(arb(low)) - 1e-9 <= true <= float(arb(high)) + 1e-9:
                yield f"{loss} at {epsilon}"


def misjudged() -> Iterator[str]:
    """Accountants that are accused and right, or believed and wrong."""
    curve_of.cache_clear()
    for case in RIGHT:
        row = audit_accountant(case).row("accountant")
        loose = case.tight and "too large" in row.detail and "at most 1 + " not in row.detail
        if row.verdict not in (Verdict.CONSISTENT, Verdict.ROUNDING) or loose:
            yield case.name
    for case in WRONG:
        if not audit_accountant(case).faults:
            yield case.name


test_planted_faults_are_found = planted_test(
    read_faults("accountants.toml"), {"sums": wrong_sums, "losses": wrong_losses, "accountants": misjudged}
)


@pytest.mark.parametrize(
    ("parameters", "chances"),
    [
        ({"truth": fmpq(3, 4)}, ((3, 1), (1, 3))),
        ({"truth": fmpq(1, 2), "categories": 5}, ((4, 1), (1, 4), (1, 1), (1, 1), (1, 1))),
        ({"truth": fmpq(3, 4), "leak": fmpq(1, 5)}, ((3, 1), (1, 3), (1, 0), (0, 1))),
    ],
)
def test_a_response_many_times_is_that_of_all_lists_of_answers(
    parameters: dict[str, Any], chances: tuple[tuple[int, int], ...]
) -> None:
    call = {**parameters, "times": 3, "epsilon": fmpq(1)}
    low, high = curve_of("randomized-response", settled("randomized-response", "delta", call)[0]).delta(fmpq(1))
    lists = [[math.prod(pair[k] for pair in answers) for k in (0, 1)] for answers in product(chances, repeat=3)]
    true = sum(max(p - math.e * q, 0) for p, q in lists) / sum(p for p, _ in chances) ** 3
    assert float(arb(low)) - 1e-12 <= true <= float(arb(high)) + 1e-12


@pytest.mark.parametrize("scale", [10.0**-300, 10.0**300])
def test_sums_of_losses_of_any_size_have_a_curve(scale: float) -> None:
    call: dict[str, Any] = {"scale": fmpq(*scale.as_integer_ratio()), "times": 3, "epsilon": fmpq(1)}
    low, high = curve_of("Laplace", settled("Laplace", "delta", call)[0]).delta(fmpq(1))
    assert 0 <= low <= (scale < 1) <= high <= 1


def test_errors_are_told_in_units_of_the_last_place() -> None:
    detail = (
        audit_accountant(
            Accountant(
                "", "Gaussian", "Renyi", lambda sigma, order: math.nextafter(order / 2, 9), ({"sigma": 1, "order": 3},)
            )
        )
        .row("accountant")
        .detail
    )
    assert "too large by a factor of at most 1 + 1.48" in detail
    assert "at most 1 units of the last place" in detail
    below = Accountant(
        "", "Gaussian", "Renyi", lambda sigma, order: math.nextafter(order / 2, 0), ({"sigma": 1, "order": 3},)
    )
    assert audit_accountant(below).row("accountant").verdict is Verdict.ROUNDING


def test_a_call_that_raises_is_a_warning() -> None:
    def function(sigma: float, delta: float) -> float:
        if sigma > 10:
            raise ValueError("too large")
        return gaussian_epsilon(sigma, delta)

    audit = audit_accountant(Accountant("", "Gaussian", "epsilon", function, SIGMAS))
    assert audit.row("calls").verdict is Verdict.WARNING
    assert audit.row("accountant").verdict is Verdict.CONSISTENT


def test_what_is_nearer_than_known_is_undecided() -> None:
    parameters, at = settled(
        "sampled-Gaussian", "delta", {"sigma": 1, "rate": fmpq(1, 100), "times": 20, "epsilon": fmpq(1, 2)}
    )
    low, high = curve_of("sampled-Gaussian", parameters).delta(at)
    near = (low + high) / 2
    between = Fraction(int(near.p), int(near.q))
    call = {"sigma": 1, "rate": Fraction(1, 100), "times": 20, "epsilon": Fraction(1, 2)}
    row = audit_accountant(Accountant("", "sampled-Gaussian", "delta", lambda **_: between, (call,))).row("accountant")
    assert (row.verdict, "nearer to the true delta" in row.detail) == (Verdict.UNDECIDED, True)


@pytest.mark.parametrize(
    ("mechanism", "number", "call", "words"),
    [
        ("Gausian", "epsilon", {"sigma": 1, "delta": DELTA}, "did you mean Gaussian"),
        ("Gaussian", "epsilom", {"sigma": 1, "delta": DELTA}, "did you mean epsilon"),
        ("Gaussian", "epsilon", {"sigma": 1}, "sigma, sensitivity, times of Gaussian, and delta"),
        ("Gaussian", "epsilon", {"sigma": 1, "delta": DELTA, "rate": 1}, "and delta"),
        ("Gaussian", "epsilon", {"sigma": 0, "delta": DELTA}, "a number > 0"),
        ("Gaussian", "epsilon", {"sigma": 1, "delta": 1}, "delta"),
        ("Gaussian", "epsilon", {"sigma": "1", "delta": DELTA}, "a number"),
        ("Gaussian", "delta", {"sigma": 1, "epsilon": -1}, "epsilon"),
        ("Gaussian", "delta", {"sigma": 1, "epsilon": 1, "times": 1.5}, "an integer"),
        ("Gaussian", "delta", {"sigma": [1], "epsilon": 1}, "exact numbers"),
        ("sampled-Gaussian", "delta", {"sigma": 1, "rate": 2, "epsilon": 1}, "rate"),
        ("sampled-Gaussian", "delta", {"sigma": 1, "rate": 1, "epsilon": 1, "relation": "change"}, "relation"),
        ("sampled-Gaussian", "Renyi", {"sigma": 1, "rate": 1, "order": 1.5}, "an integer"),
        ("sampled-Gaussian", "Renyi", {"sigma": 1, "rate": 0.5, "order": 10**9}, "up to 10,000"),
        ("Laplace", "Renyi", {"scale": 1, "order": 1e300}, "order"),
        ("randomized-response", "delta", {"truth": 0.7, "times": 10_000, "epsilon": 1}, "fewer answers"),
        ("zero-concentrated", "Renyi", {"rho": 1, "order": 2}, "epsilon or delta"),
        ("randomized-response", "delta", {"truth": 0.5, "categories": 1, "epsilon": 1}, "at least 2"),
        (
            "randomized-response",
            "delta",
            {"truth": 0.5, "leak": 1, "epsilon": 1},
            "leak = 1: allowed is a number >= 0 and < 1",
        ),
        ("randomized-response", "Renyi", {"truth": 0.5, "leak": 0.1, "order": 2}, "no finite divergence"),
    ],
)
def test_parameters_that_a_mechanism_has_not_are_refused(mechanism: str, number: str, call: Any, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        audit_accountant(Accountant("", mechanism, number, lambda **_: 1, (call,)))


@pytest.mark.parametrize("limit", [0, -3, 2.5, True, None])
def test_a_limit_is_an_integer(limit: Any) -> None:
    with pytest.raises(DomainError, match="limit"):
        audit_accountant(RIGHT[0], limit=limit)


def test_a_target_says_all_that_is_needed() -> None:
    with pytest.raises(DomainError, match="it lacks function, calls, mechanism, number"):
        audit_accountant(len)
    row = audit_accountant(Accountant("", "Gaussian", "epsilon", lambda: 1, ())).rows[0]
    assert (row.check, row.verdict) == ("calls", Verdict.UNDECIDED)


# --- files ------------------------------------------------------------------------------------------------------------

FILE = """
from math import log, sqrt

class classical:
    mechanism, number = "Gaussian", "epsilon"
    calls = [{"sigma": sigma, "delta": 1e-5} for sigma in (5, {sigma})]
    def function(self, sigma, delta): return sqrt(2 * log(1.25 / delta)) / sigma
"""


@pytest.mark.parametrize(("sigma", "status"), [("10", 0), ("0.02", 1)])
def test_a_file_is_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str], sigma: str, status: int) -> None:
    file, out = tmp_path / "accountants.py", tmp_path / "audit.json"
    file.write_text(FILE.replace("{sigma}", sigma))
    result = CliRunner().invoke(main, ["audit", "accountant", f"{file}:classical", "--json", str(out)])
    assert result.exit_code == status, result.output
    row = json.loads(out.read_text())["audits"][0]["rows"][0]
    assert (row["verdict"] == "fault") == bool(status)
    if status:
        exec("\n".join(row["reproduction"]), {})
        assert float(capsys.readouterr().out) == pytest.approx(242.25, abs=0.1)
