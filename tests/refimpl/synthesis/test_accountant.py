"""What is claimed and certified by stage: the certified constants by hand, the ledger behind them, the inverse."""

from collections.abc import Sequence
from typing import Any

import pytest
from flint import fmpq

from cases.refusals import refusal_test, refuses, refuses_each
from dp_checks.ledger import load_ledger
from dp_refimpl.synthesis.accountant import (
    COMPUTED,
    Bound,
    NotCertifiedError,
    Plan,
    Stage,
    dpsc_plan,
    hmprivbayes_plan,
    ibayes_plan,
    jtree_plan,
    no_privacy_plan,
    noisy_conditionals_plan,
    privbayes_plan,
    rational_epsilon,
    scbn_plan,
    selection_plan,
)
from dp_refimpl.synthesis.privbayes import SCORES
from dp_refimpl.synthesis.tables import Relation
from dp_spec.synthesis import budgets
from dp_spec.vocabulary.term import term

PLANS = [
    *(
        hmprivbayes_plan(d, k, "fixed", draws)
        for d, k in ((1, 1), (2, 1), (3, 3), (52, 3))
        for draws in ("once", "twice")
    ),
    hmprivbayes_plan(52, 3, "data"),
    *(privbayes_plan(d, degree) for d, degree in ((1, 0), (3, 0), (52, 3))),
    *map(jtree_plan, (1, 2, 52)),
    scbn_plan(),
    no_privacy_plan(),
    *map(selection_plan, SCORES),
    *(dpsc_plan(52, draws) for draws in ("once", "twice")),
    ibayes_plan(),
    *(noisy_conditionals_plan(weights) for weights in ("fixed", "data")),
]
LEDGER = load_ledger()
HOLDS = ("proved", "verified")

SPENT: list[tuple[Plan, Relation, dict[str, tuple[Any, Any]]]] = [
    # budgets 52 attributes: 51 : 104/3 : 104/3, in parts of 361; 26 pairs at a time
    (
        hmprivbayes_plan(52),
        "ro",
        {"matrix": (153, 26 * 153), "networks": (257, 26 * 153 + 312), "joints": (361, 4602), "data": (361, 4602)},
    ),
    (hmprivbayes_plan(52, weights="data"), "ro", {"matrix": (153, 26 * 153), "networks": (257, 4290)}),
    (hmprivbayes_plan(52, draws="twice"), "ro", {"partition": (153, 52 * 153), "networks": (257, 52 * 153 + 312)}),
    (hmprivbayes_plan(52), "ar", {"matrix": (153, None), "joints": (361, None), "data": (361, None)}),
    (hmprivbayes_plan(3), "ro", {"matrix": (361 * 2 / fmpq(6), 361 * 2 / fmpq(6)), "data": (361, 361 * 7 / fmpq(3))}),
    (hmprivbayes_plan(1, 1), "ro", {"matrix": (0, 0), "data": (361, 361)}),
    (privbayes_plan(52, 3), "ro", {"networks": (361 * fmpq(3, 10), 361 * fmpq(3, 10)), "data": (361, 361)}),
    (privbayes_plan(52, 0), "ro", {"networks": (0, 0), "joints": (361, 361)}),
    (privbayes_plan(52, 3), "ar", {"networks": (361 * fmpq(3, 10), 361 * fmpq(3, 10)), "data": (361, None)}),
    (jtree_plan(3), "ro", {"graph": (361 / fmpq(2), 361 * 3 / fmpq(4)), "tables": (361, 361 * 5 / fmpq(4))}),
    (jtree_plan(3), "ar", {"graph": (361 / fmpq(2), None), "data": (361, None)}),
    (scbn_plan(), "ro", {"networks": (361 * 2 / fmpq(3), None), "data": (361, None)}),
    (no_privacy_plan(), "ro", {"data": (0, None)}),
    (selection_plan("I"), "ro", {"choice": (361, 361)}),
    (selection_plan("I"), "ar", {"choice": (361, None)}),
    (dpsc_plan(52), "ro", {"matrix": (361, 26 * 361), "partition": (361, 26 * 361)}),
    (dpsc_plan(5, "twice"), "ro", {"partition": (361, 4 * 361)}),
    (ibayes_plan(), "ro", {"networks": (361, 361)}),
    (ibayes_plan(), "ar", {"networks": (361, 361)}),
    (noisy_conditionals_plan(), "ro", {"joints": (361, 361), "conditionals": (361, 361)}),
    (noisy_conditionals_plan("data"), "ro", {"joints": (361, None)}),
]


@pytest.mark.parametrize(("plan", "relation", "spent"), SPENT, ids=lambda x: getattr(x, "method", ""))
def test_releases(plan: Plan, relation: Relation, spent: dict[str, tuple[Any, Any]]) -> None:
    losses = {release.name: (release.nominal, release.certified) for release in plan.account(361, relation).releases}
    assert {name: losses[name] for name in spent} == spent


@pytest.mark.parametrize("plan", PLANS, ids=lambda p: p.method)
@pytest.mark.parametrize("relation", ["ro", "ar"])
def test_what_is_certified_rests_on_statements_that_hold(plan: Plan, relation: Relation) -> None:
    ledger, account = LEDGER, plan.account("1/3", relation)
    for spent in (*account.stages, *account.releases):
        verdicts = {claim: ledger[claim].verdict for claim in spent.claims}
        assert spent.certified is None or (verdicts and set(verdicts.values()) <= set(HOLDS)), verdicts


@pytest.mark.parametrize(
    ("plan", "claims"),
    [
        (
            hmprivbayes_plan(3),
            ("003.thm1.dp@transcript.fixed.ro.corrected", "003.thm1.dp@synth.geometric.ro.corrected"),
        ),
        (privbayes_plan(3, 1), ("003.base.privbayes.dp",)),
        (jtree_plan(3), ("003.base.jtree.dp@ro.corrected",)),
    ],
    ids=lambda x: getattr(x, "method", ""),
)
def test_what_all_stages_lose_is_one_statement(plan: Plan, claims: tuple[str, ...]) -> None:
    assert plan.account(1).transcript.claims == (*claims, COMPUTED)


def test_the_networks_alone_are_private_where_a_record_is_added() -> None:
    """Given the partition and the filter, which tell of the number of records."""
    networks = hmprivbayes_plan(52).account(361, "ar").stages[1]
    assert [networks.nominal, networks.certified] == [104, 312]


@pytest.mark.parametrize("plan", PLANS, ids=lambda p: p.method)
def test_calibrated_is_the_inverse(plan: Plan) -> None:
    if plan.account(1).transcript.certified is None:
        with pytest.raises(NotCertifiedError, match=plan.method):
            plan.calibrated(1)
    else:
        nominal = plan.calibrated("0.2")
        assert plan.account(nominal).transcript.certified == fmpq(1, 5)
        assert sum(plan.budgets(nominal), fmpq(0)) == nominal
    if plan.method != "IBayes":
        with pytest.raises(NotCertifiedError, match="ar"):
            plan.calibrated(1, "ar")


@pytest.mark.parametrize(("d", "k"), [(1, 1), (2, 1), (5, 2), (52, 3), (175, 5)])
def test_budgets_and_what_is_certified_are_those_of_the_specification(d: int, k: int) -> None:
    at = {"n": 7, "d": d, "k": k, "eps": fmpq(2)}
    plan, parts = hmprivbayes_plan(d, k), (budgets.SEGMENTATION, budgets.NETWORKS, budgets.JOINTS)
    assert plan.budgets(2) == tuple(budgets.share(part).evaluate(at) for part in parts)
    certified = budgets.composed(term(d // 2)) / budgets.WHOLE * budgets.EPS
    assert plan.account(2).transcript.certified == certified.evaluate(at)


def test_epsilons() -> None:
    assert [rational_epsilon(epsilon) for epsilon in ("0.1", 0.5, 2, 0)] == [fmpq(1, 10), fmpq(1, 2), 2, 0]


def plan_of(shares: Sequence[fmpq | int]) -> Plan:
    bound = Bound(None, ())
    return Plan("", tuple(Stage("", fmpq(share), bound, bound) for share in shares), ())


test_refusals = refusal_test(
    refuses("epsilon", hmprivbayes_plan(3).account, -1, 0, "ln(1)", "ln(3)", None, float("inf")),
    refuses("epsilon", hmprivbayes_plan(3).calibrated, 0),
    refuses("stages", plan_of, (1, 1), (2, -1), (fmpq(1, 3), fmpq(1, 3))),
    refuses("relation", lambda relation: hmprivbayes_plan(3).account(1, relation), "ldp", None),
    refuses_each("d|k", hmprivbayes_plan, (0, 1), (3, 0), (3, 4), (True, 1), (3, 1.0)),
    refuses("weights", lambda weights: hmprivbayes_plan(3, 3, weights), "printed"),
    refuses("draws", lambda draws: hmprivbayes_plan(3, 3, "fixed", draws), "thrice"),
    refuses("score", selection_plan, "H", None),
    refuses_each("d|draws", dpsc_plan, (1,), (2.0,), (3, "thrice")),
    refuses("weights", noisy_conditionals_plan, "printed"),
    refuses_each("d|degree|beta", privbayes_plan, (0, 0), (3, 3), (3, -1), (3, True), (3, 1, fmpq(1)), (3, 1, 0.3)),
    refuses_each("d|part", jtree_plan, (0,), (1.0,), (3, fmpq(0))),
)
