"""Every oracle's law is the plain one, a law, within its bound; events are events of that law."""

from collections.abc import Hashable

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_audit.oracles import KINDS, Oracle, additive, bloom, forms, hadamard, mechanism, oracle
from independent.catalogue_cases import SMALL
from independent.oracle_cases import CASES, Case, law_faults, report_forms, same, total

pytestmark = pytest.mark.usefixtures("precise")

OURS = {"SS", "LH", "FLH", "LH-ideal", "HM", "HR", "THE", "UE", "CMS", "HCMS", "PCS", "RAPPOR"}


def test_every_oracle_is_registered_and_has_cases() -> None:
    assert {case.name for case in CASES} == OURS
    assert set(KINDS) >= OURS


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_law_is_the_plain_one_and_within_its_bound(case: Case) -> None:
    assert law_faults(case, case.oracle()) == set()


PAIRS: tuple[Hashable, ...] = (
    (None, frozenset([99])),
    ((), ()),
    ((9,), frozenset()),
    (frozenset([9]), frozenset()),
)
"""No report of the catalogue."""


@pytest.fixture(params=[*CASES, *SMALL], ids=str)
def marginal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Oracle:
    """An oracle whose law has too many outputs to be listed."""
    for module in (additive, bloom, forms, hadamard, mechanism):
        monkeypatch.setattr(module, "LISTED", 0)
    subject: Oracle = request.param.oracle()
    return subject


def test_marginal_events_have_the_probabilities_of_the_law(marginal: Oracle) -> None:
    for x in marginal.inputs:
        law, events = marginal.law(x), marginal.events(x)
        assert len({event.name for event in events}) == len(events)
        for event in events:
            assert same(total(p for y, p in law.items() if event.holds(y)), event.probability), event.name


def test_what_is_no_report_is_impossible_and_in_no_event(marginal: Oracle) -> None:
    reports = {y for x in marginal.inputs for y in marginal.law(x)}
    for form in {*report_forms(), *PAIRS} - reports:
        assert not marginal.possible(form)
        assert not any(event.holds(form) for event in marginal.events(marginal.inputs[0]))


LARGE: list[tuple[str, dict[str, object], object]] = [
    ("SS", {"d": 1000, "epsilon": 1.0, "k": 269}, frozenset(range(269))),
    ("SS", {"d": 10_000, "epsilon": 5.0, "k": 67}, frozenset(range(67))),
    ("LH", {"d": 10_000, "g": 4, "epsilon": 1.0, "hash": [x % 4 for x in range(10_000)]}, 3),
    ("FLH", {"d": 50, "g": 300, "epsilon": 5.0, "hashes": [list(range(50)), [0] * 50]}, (0, 1)),
    ("LH-ideal", {"d": 50, "g": 4, "epsilon": 1.0}, (3, (3,) * 50)),
    ("HM", {"d": 1000, "epsilon": 1.0, "t": 2}, ((1023, -1), (0, 1))),
    ("HR", {"d": 1000, "epsilon": 3.0}, 1023),
    ("THE", {"d": 1000, "epsilon": 1.0}, (1,) * 1000),
    ("UE", {"d": 1000, "p": "1/2", "q": "1/3"}, (1,) * 1000),
    ("CMS", {"d": 2, "epsilon": 1.0, "m": 1024, "hashes": [[0, 1023]] * 3}, ((1,) * 1024, 2)),
    ("HCMS", {"d": 2, "epsilon": 1.0, "m": 1024, "hashes": [[0, 1023]] * 3}, (-1, 2, 1023)),
    ("PCS", {"d": 2, "epsilon": 1.0, "m": 1024, "hashes": [[0, 1023]], "signs": [[0, 1]]}, ((1,) * 1024, 0)),
    ("RAPPOR", {"d": 2, "f": "1/2", "m": 128, "filters": [[[0, 1], [2, 3]]] * 8}, ((1,) * 128, 7)),
]


@pytest.mark.parametrize(
    ("name", "parameters", "report"), LARGE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_large_alphabets_need_no_listed_law(name: str, parameters: dict[str, object], report: object) -> None:
    subject = oracle(name, parameters)
    events = subject.events(1)
    assert subject.possible(report)
    assert any(event.holds(report) for event in events)
    assert len(events) <= 20_000


@given(st.integers(2, 30), st.integers(1, 29), st.integers(2, 50))
def test_subset_selection_has_the_papers_probabilities(d: int, k: int, w: int) -> None:
    if k >= d:
        return
    subject = oracle("SS", {"d": d, "epsilon": f"ln({w})", "k": k})
    p = fmpq(k * w, k * w + d - k)
    events = {event.name: event.probability for event in subject.events(0)}
    assert events["item 0"] == p
    assert events["item 1"] == p * fmpq(k - 1, d - 1) + (1 - p) * fmpq(k, d - 1)
