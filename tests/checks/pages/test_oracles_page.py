"""The page of the frequency oracles: all of them, with the numbers of their programs."""

from typing import Any

import pytest
from flint import fmpq

from dp_checks.certify import all_claims
from dp_checks.ledger import load_ledger
from dp_checks.pages import oracles
from dp_checks.pages.site import pages
from dp_checks.programs import program_class
from dp_refimpl import MECHANISMS, exact_channel
from dp_refimpl.frequency.local_hashing import LocalHashing
from dp_spec.frequency import unary
from dp_spec.vocabulary.term import Term
from structure.tree import ROOT

LEFT = {"GRR", "GRRSplit", "GRRSample", "RAPPOR", "RAPPORSet", "RAPPORSample", "URR", "URAP", "PrivSet"}
LEFT |= {"SuGRR", "SuGRRSample", "SuRAP", "SuRAPSample", "Wheel", "SuWheel"}
"""Mechanisms with a page of their own."""
PAGE = "\n".join(oracles.page(all_claims(), load_ledger()))
WITH_CHANCES = [entry for entry in oracles.EXHIBITS if entry.formulas[0][0] == oracles.OWN]


def values(example: Any) -> dict[str, fmpq]:
    """What the variables of formulas are in an example."""
    budget = example.budget
    at = {"w": budget.exp(), "D": fmpq(len(example.domain.items))}
    at |= {"k": fmpq(example.k)} if hasattr(example, "k") else {}
    at |= {"b": fmpq(example.g)} if hasattr(example, "g") else {}
    if hasattr(example, "theta"):
        at |= {"h": budget.root**2, "a": 1 / budget.root}  # theta = 1/2
    return at


def test_every_mechanism_without_another_page_is_on_it() -> None:
    programs = {cls.__name__ for one in oracles.EXHIBITS for cls in (one.program, *one.others)}
    programs |= {program_class(one.law.mechanism).__name__ for one in oracles.further(all_claims())}
    assert programs - {"Sampled"} == MECHANISMS.keys() - LEFT
    assert all(f".{name}>`" in PAGE for name in programs)


@pytest.mark.parametrize("entry", WITH_CHANCES, ids=lambda s: s.title)
def test_printed_chances_are_those_of_the_program(entry: oracles.Exhibit) -> None:
    own, other = (term for _, term in entry.formulas[:2])
    target, at = entry.example, values(entry.example)
    chance = target.chance if isinstance(target, LocalHashing) else target.q
    assert (own.evaluate(at), other.evaluate(at)) == (target.p, chance)


@pytest.mark.parametrize("entry", oracles.EXHIBITS, ids=lambda s: s.title)
def test_the_example_is_the_enumerated_program(entry: oracles.Exhibit) -> None:
    lines = oracles.section(entry)
    rows = [line for line in lines[lines.index("### Exact example") :] if line.startswith("| $")]
    if entry.example is None:
        assert len(rows) >= 5
        return
    channel = exact_channel(entry.example)
    assert len(rows) == len({y for row in channel.rows.values() for y in row})
    assert len(set(rows)) == len(rows)


@pytest.mark.slow
def test_the_page_is_generated_and_listed() -> None:
    texts = pages(all_claims(), load_ledger(), ROOT)
    assert texts[f"specification/{oracles.NAME}.md"].rstrip() == PAGE.rstrip()
    assert f"\n{oracles.NAME}\n" in texts["specification/index.md"]


def test_formulas_are_folded_by_name() -> None:
    p, q = Term("p"), Term("q")
    chances = {unary.P: "p", unary.Q: "q"}
    assert oracles._folded(unary.P - unary.Q, chances) == p - q
