"""Statements about published choices: proved under every family, or rejected for want of a premise; programs that are
not the stated law are found."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from dp_checks.certificate import json_value
from dp_checks.check import decide, ties
from dp_checks.check.extremal_pairs import SINGLE
from dp_checks.verdict import InternalDisagreementError
from dp_kernel.certificate.check import check
from dp_refimpl.frequency import count_sketch as count_sketch_programs
from dp_refimpl.frequency.count_sketch import ClientCMS, Sampled
from dp_refimpl.frequency.hadamard import HCMS, hadamard_entry
from dp_refimpl.frequency.hash_families import PublicFunctions
from dp_spec.frequency.claims.count_sketch import FORMAL
from dp_spec.frequency.count_sketch import CLIENT, CMS, ESTIMATOR, PLAIN, RECORDS, UPLOADED, T
from dp_spec.frequency.hadamard import FIXED as HCMS_LAW
from dp_spec.frequency.local_hashing import OLH
from dp_spec.vocabulary.error_statements import Variance
from dp_spec.vocabulary.law import USERS, F, K, Law, M, bits, item, mix
from dp_spec.vocabulary.statement import Mse, Ratio, Smallest, Statement, Unbiased
from dp_spec.vocabulary.term import term, var
from running.programs import forget_programs

ONE = (1 - M,)
BOUND = {"rule": "product", "powers": {"ss": 2}}


def accepted(statement: Statement, evidence: Any) -> bool:
    try:
        check(json_value(statement.json()), "proved", json_value(evidence))
    except (ValueError, LookupError, ArithmeticError):
        return False
    return True


def test_the_bound_holds_under_every_family() -> None:
    statement = Ratio(CLIENT, "vector", "ldp", where=ONE)
    assert decide(statement).verdict == "proved"
    assert accepted(statement, BOUND)
    assert not accepted(statement, {"rule": "product", "powers": {"ss": 1}})


def test_half_the_budget_is_not_enough() -> None:
    half = replace(CLIENT, power=term(1))
    assert not any(
        accepted(Ratio(half, "vector", "ldp", where=ONE), {"rule": "product", "powers": {"ss": power}})
        for power in range(5)
    )


def test_what_needs_a_premise_is_rejected_without_one() -> None:
    """A family may map all items to one column: then the constant is 1, and nothing can be estimated."""
    tight = BOUND | {"cases": SINGLE}
    assert accepted(Smallest(CMS, "vector", "ldp", where=(*ONE, K - 2), constant=T**2), tight)
    assert not accepted(Smallest(CLIENT, "vector", "ldp", where=(*ONE, K - 2), constant=T**2), tight)
    blind = replace(CMS, families={})
    assert accepted(Unbiased(CMS, "vector", "sensitive", ESTIMATOR, where=ONE), {"rule": "contributions"})
    assert not accepted(Unbiased(blind, "vector", "sensitive", ESTIMATOR, where=ONE), {"rule": "contributions"})


class Constant:
    """A value where a property was."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __get__(self, instance: Any, owner: type) -> Any:
        return self.value(instance)


def whole_budget(client: Any) -> Any:
    return 1 / (client.budget.exp() + 1)


def first_row(family: Any, coins: Any, one: Any) -> int:
    return 0


def kept_signs(client: Any, item: Any, coins: Any) -> Any:
    row = client.rows.draw_row(coins, client.one)
    own = client.functions[row](item)
    flips = coins.choose_each([(1 - client.flip, client.flip)] * client.m)
    return tuple(
        sign if column != own else -sign if flip else sign
        for column, (sign, flip) in enumerate(zip([1 if c == own else -1 for c in range(client.m)], flips, strict=True))
    ), row


def shifted(client: Any, item: Any, coins: Any) -> Any:
    signs, row = ORIGINAL(client, item, coins)
    return (*signs[1:], *signs[:1]), row


def unsaid(client: Any, item: Any, coins: Any) -> Any:
    signs, _ = ORIGINAL(client, item, coins)
    return signs, 0


ORIGINAL = ClientCMS.randomize
FAULTS = {
    "flips with the whole budget": (ClientCMS, "flip", Constant(whole_budget)),
    "always the first row": (PublicFunctions, "draw_row", first_row),
    "only the own sign is flipped": (ClientCMS, "randomize", kept_signs),
    "columns are shifted": (ClientCMS, "randomize", shifted),
    "the row is not said": (ClientCMS, "randomize", unsaid),
}


@pytest.mark.usefixtures("other_programs")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_program_does_not_have_the_law(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[fault])
    with pytest.raises(InternalDisagreementError):
        ties.tie(CLIENT)


def always_sent(sampled: Any, item: Any, coins: Any) -> Any:
    return sampled.mechanism.randomize(item, coins)


def before_flipping(hcms: Any, item: Any, coins: Any) -> Any:
    _, row, coordinate = ORIGINAL_HCMS(hcms, item, coins)
    return hadamard_entry(coordinate, hcms.functions[row](item)), row, coordinate


def of_the_row(hcms: Any, item: Any, coins: Any) -> Any:
    """The column is the row's number, not the label's."""
    sign, row, coordinate = ORIGINAL_HCMS(hcms, item, coins)
    flipped = sign * hadamard_entry(coordinate, hcms.functions[row](item))
    return flipped * hadamard_entry(coordinate, row), row, coordinate


def no_coordinate(hcms: Any, item: Any, coins: Any) -> Any:
    sign, row, _ = ORIGINAL_HCMS(hcms, item, coins)
    return sign, row, 0


def counting(cells: Callable[[int, int, Any], Iterable[int]]) -> Callable[..., Any]:
    """A sketch of one record that adds 1 to these cells of row i: of the item, in its column by the functions."""

    def sketch(records: Any, functions: Any) -> Any:
        [item] = records
        of = [list(cells(i, item, functions)) for i in range(len(functions))]
        return tuple(tuple(map(of[i].count, range(functions[0].labels))) for i in range(len(functions)))

    return sketch


COUNTS: Mapping[str, Callable[[int, int, Any], Iterable[int]]] = {
    "records are counted twice": lambda i, x, h: [h[i](x)] * 2,
    "records are counted in the first row alone": lambda i, x, h: [h[0](x)] * (i == 0),
    "all rows have the first function": lambda i, x, h: [h[0](x)],
    "columns are shifted by one": lambda i, x, h: [(h[i](x) + 1) % h[i].labels],
    "every column counts": lambda i, x, h: range(h[i].labels),
}
ORIGINAL_HCMS = HCMS.randomize
OTHER_FAULTS = {
    **{fault: (PLAIN, count_sketch_programs, "plain_sketch", counting(cells)) for fault, cells in COUNTS.items()},
    "every report is sent": (UPLOADED, Sampled, "randomize", always_sent),
    "signs are not flipped": (HCMS_LAW, HCMS, "randomize", before_flipping),
    "the row's column": (HCMS_LAW, HCMS, "randomize", of_the_row),
    "no coordinate": (HCMS_LAW, HCMS, "randomize", no_coordinate),
    "half the budget": (HCMS_LAW, HCMS, "p", Constant(lambda h: h.budget.exp() / (h.budget.exp() + 2))),
    "the first row, of several records": (RECORDS, PublicFunctions, "draw_row", first_row),
}


@cache
def is_tied(law: Law) -> bool:
    """Whether the program has the law, without a fault: asked once for all faults of a program."""
    return bool(ties.tie(law))


@pytest.mark.usefixtures("other_programs")
@pytest.mark.parametrize("fault", OTHER_FAULTS)
def test_a_wrong_neighbor_does_not_have_its_law(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    law, owner, name, changed = OTHER_FAULTS[fault]
    assert is_tied(law)
    forget_programs()
    monkeypatch.setattr(owner, name, changed)
    with pytest.raises(InternalDisagreementError):
        ties.tie(law)


# --- estimates --------------------------------------------------------------------------------------------------------


def wrong(statement: Any) -> Iterator[Statement]:
    """The same with another formula, or another estimator."""
    if isinstance(statement, Mse):
        assert statement.formula is not None
        yield from (
            replace(statement, formula=f) for f in (statement.formula * 2, statement.formula + F * (1 - F) / USERS)
        )
    slope, offset = statement.estimator.slope, statement.estimator.offset
    yield replace(statement, estimator=replace(statement.estimator, slope=slope * 2))
    if not isinstance(statement, Variance):  # an offset moves the mean alone
        yield replace(statement, estimator=replace(statement.estimator, offset=offset + 1 / term(7)))


ESTIMATES = (
    "agg.unbiased@random",
    "agg.unbiased@fixed.corrected",
    "agg.unbiased@cw0.corrected",
    "sample.estimate@all-scaled",
    "supp.var.fixed",
    "supp.var.random@threewise",
    "eval.d.var@fixed.corrected",
    "base.hcms.unbiased@random",
    "base.hcms.var",
)


@pytest.mark.parametrize("name", ESTIMATES)
def test_another_formula_is_refuted_by_the_program(name: str) -> None:
    """Mostly by a witness, which the kernel checks; in any case it is not proved."""
    statement: Any = FORMAL[f"004.{name}"]
    assert [decide(other).verdict for other in wrong(statement)] == ["refuted"] * len([*wrong(statement)])


def test_independence_is_a_premise() -> None:
    """Two values decide the mean and not the variance; different rows are not independent."""
    verdicts = {name: decide(FORMAL[f"004.supp.var.random@{name}"]).verdict for name in ("pairwise", "distinct")}
    assert verdicts == {"pairwise": "refuted", "distinct": "refuted"}
    threewise: Any = FORMAL["004.supp.var.random@threewise"]
    for name in verdicts:
        assert not accepted(replace(threewise, independence=name), {"rule": "total"})


@pytest.mark.usefixtures("other_programs")
@pytest.mark.parametrize(
    "law",
    [
        replace(CLIENT, term=mix("rows", CLIENT.term[2], bits(1 / (T + 1), T / (T + 1)))),
        replace(CLIENT, term=mix("rows", CLIENT.term[2], bits(T**2 / (T**2 + 1), 1 / (T**2 + 1)))),
        replace(CLIENT, term=mix("rows", CLIENT.term[2], bits(term(1) / 2, 1 / (T + 1)))),
    ],
    ids=["signs", "budget", "optimized"],
)
def test_a_wrong_law_is_not_the_programs(law: Law) -> None:
    with pytest.raises(InternalDisagreementError):
        ties.tie(law)


def test_two_labels_do_not_stand_for_more() -> None:
    """1 / (w + 1) is the chance of another label for two of them, and of no other number."""
    w = var("w")
    wrong_law = replace(OLH, term=mix("hash", OLH.term[2], item(w / (w + 1), 1 / (w + 1))))
    with pytest.raises(InternalDisagreementError, match="'b': 3"):
        ties.tie(wrong_law)
