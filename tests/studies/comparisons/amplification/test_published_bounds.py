"""What the literature says of a setting: the numbers that other programs and the claims have."""

import json
from decimal import Decimal
from fractions import Fraction
from math import exp, log, sqrt

import pytest
from click.testing import CliRunner

from dp_studies.comparisons.amplification.command import amplify
from dp_studies.comparisons.amplification.published_bounds import BOUNDS, bounds
from dp_studies.comparisons.amplification.query import Setting

DELTA = Fraction(1, 10**6)


def said(setting: Setting) -> dict[str, tuple[bool, Decimal | None]]:
    return {row: (stated, epsilon) for row, stated, epsilon in bounds(setting, DELTA, 9)}


def test_closed_forms_in_floats() -> None:
    n, e0 = 10**6, 2.0
    ends = said(Setting("krr", n, "2", 8))
    near = 8 * sqrt(exp(e0) * log(4e6) / n) + 8 * exp(e0) / n
    clones = log(1 + (1 - exp(-e0)) / (1 + exp(-e0) / (1 + near)) * near)
    early = 12 * e0 * sqrt(log(1e6) / n)
    for row, stated, exact in (("feldman2021", True, clones), ("erlingsson2019", False, early)):
        holds, epsilon = ends[f"lit.{row}.closed"]
        assert holds == stated
        assert float(epsilon or 0) == pytest.approx(exact, rel=1e-8)


@pytest.mark.parametrize(
    ("epsilon0", "users", "holds"), [("1/2", 10**4, True), ("0.5001", 10**4, False), ("1/2", 999, False)]
)
def test_conditions_hold_where_they_are_attained(epsilon0: str, users: int, holds: bool) -> None:
    """Erlingsson et al. ask for epsilon0 <= 1/2 and 1000 users."""
    assert said(Setting("ldp", users, epsilon0))["lit.erlingsson2019.closed"][0] is holds


def test_a_bound_of_delta_is_met_and_not_by_less() -> None:
    ends = said(Setting("krr", 10**5, "1", 8))
    gamma, n = 8 / (exp(1) + 7), 10**5

    def hoeffding(eps: float) -> float:
        a, b = exp(eps) - 1, (1 - gamma) * 8 * (exp(eps) + 1)
        return b * b / (4 * a * gamma * n) * (1 - gamma * (1 - exp(-2 * a * a / b / b))) ** n

    _, epsilon = ends["lit.balle2019.hoeffding.krr"]
    assert epsilon is not None
    assert hoeffding(float(epsilon) * (1 + 1e-6)) < 1e-6 < hoeffding(float(epsilon) * (1 - 1e-6))


def test_rows_of_a_mechanism() -> None:
    assert set(said(Setting("ldp", 1000, "1"))) == set(BOUNDS["ldp"])
    for mechanism in ("krr", "olh"):
        assert set(said(Setting(mechanism, 1000, "1", 4))) == {*BOUNDS["ldp"], *BOUNDS[mechanism]}
    assert not said(Setting("krr", 1000, "1", 4, dummies=5))
    assert not said(Setting("dump", 1000, None, 4, dummies=5))


def test_few_users_have_no_amplification() -> None:
    assert set(said(Setting("krr", 2, "1", 4)).values()) == {(False, None)}


def test_the_command(tmp_path: object) -> None:
    """At the point of the ledger's counterexample a published bound is less than a data set shows."""
    options = ["--k", "5", "--n", "100", "--epsilon0", "ln(3/2)", "--delta", "1e-6", "--published"]
    done = CliRunner().invoke(amplify, [*options, "--out", str(tmp_path), "--json"], standalone_mode=False)
    (row,) = json.loads(done.output)["rows"]
    wrong = {bound["row"] for bound in row["published"] if bound["below"]}
    assert wrong == {"lit.wang2023.tight.krr"}
    text = CliRunner().invoke(amplify, [*options, "--out", str(tmp_path)], standalone_mode=False).output
    assert "less than a data set" in text
