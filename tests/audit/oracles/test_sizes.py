"""Oracles of huge sizes are refused at once, or are made without listing anything; audits compare a bounded number."""

import pytest

from dp_audit.judge.bets.watches import family
from dp_audit.oracles import KINDS, oracle
from dp_audit.oracles.base import MAX_SIZE
from dp_audit.oracles.reference import MAX_INPUTS
from dp_spec.vocabulary.exceptions import DomainError

SMALL = {"epsilon": "1", "d": "3", "K": "2", "N": "1", "m": "1", "k": "1", "hash": "0,1/3,1/2"}
SIZES = [
    (name, size)
    for name, kind in KINDS.items()
    for size in ("d", "g", "m", "k", "K", "N", "t", "blocks", "buckets", "bits", "upper", "high")
    if size in kind.parameters
]


@pytest.mark.parametrize("huge", ["1000000000", "1" + "0" * 30, "7" * 5000, "1e9", "1e3000000"], ids=lambda h: h[:12])
@pytest.mark.parametrize(("name", "size"), SIZES)
def test_huge_sizes_are_refused(name: str, size: str, huge: str) -> None:
    parameters = {p: SMALL.get(p, "2") for p in KINDS[name].parameters if p not in KINDS[name].optional}
    with pytest.raises(DomainError) as error:
        oracle(name, {**parameters, size: huge})
    assert len(str(error.value)) < 1000


def test_audits_compare_a_bounded_number_of_inputs() -> None:
    large = oracle("GRR", {"d": MAX_SIZE, "epsilon": 1})
    with pytest.raises(DomainError, match=f"at most {MAX_INPUTS} inputs"):
        family(large)
    some = oracle("GRR", {"d": MAX_INPUTS + 1, "epsilon": 1})
    assert family(some, (0, MAX_INPUTS)).inputs == (0, MAX_INPUTS)


def test_programs_with_too_many_paths_are_refused() -> None:
    with pytest.raises(DomainError, match="random paths in all"):
        oracle("SuGRR", {"K": 1000, "N": 1, "m": 1, "epsilon": 1}).law(frozenset({0}))
