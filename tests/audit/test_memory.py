"""What a mechanism keeps for a value is kept from the first report of a client to the thousandth, or it is a fault."""

import random
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flint import ctx

from audit.targets import memories
from dp_audit.audit import audit_callable
from dp_audit.judge.examination import Examination
from dp_audit.judge.memoization import NAME, memory_rows
from dp_audit.observation.jobs import UnmodifiedJob
from dp_audit.options import Options
from dp_audit.oracles import oracle
from dp_audit.oracles.memoization import LASTING, Memoized
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.report.text import number
from dp_audit.report.words import hint, sentence
from dp_audit.run.unmodified_runs import run_unmodified_here
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import output_law
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.oracle_cases import BITS, same, total

FILE = Path(memories.__file__)
LONG: dict[str, Any] = {"d": 2, "eps_perm": 2.0, "eps_1": 1.0}
WIDE: dict[str, Any] = {"d": 20, "eps_perm": 1.0, "eps_1": 0.3}
BUCKETS: dict[str, Any] = {"d": 4, "buckets": 3, "bits": 2, "epsilon": 1.0}
FILTERS: dict[str, Any] = {"d": 2, "f": 0.5, "m": 3, "filters": [[[0], [1]], [[1], [2]]]}
PAIRS: dict[str, Any] = {"sizes": [2, 2], "eps_perm": 4.0, "eps_1": 2.0}
CORRECT: Sequence[tuple[str, str, Mapping[str, Any]]] = (
    *((name, "L-SUE", LONG) for name in ("LSUE", "DrawnAhead", "Seeded", "SeededArrays")),
    ("Seeded", "L-SUE", WIDE),
    ("LGRR", "L-GRR", {**LONG, "d": 3}),
    ("Buckets", "dBitFlipPM", BUCKETS),
    ("BucketsOfItems", "dBitFlipPM", BUCKETS),
    ("Cohorts", "RAPPOR", FILTERS),
    ("Attributes", "SPL-L-SUE", PAIRS),
    ("OneAttribute", "SMP-L-SUE", PAIRS),
)
FORGETFUL: Sequence[tuple[str, str, Mapping[str, Any], str]] = (
    ("Nothing", "L-SUE", LONG, "for every report"),
    ("Nothing", "L-SUE", WIDE, "for every report"),
    ("Changed", "L-SUE", LONG, "when another value came in between"),
    ("EveryThird", "L-SUE", LONG, "at report 3, 6, ..."),
    ("EveryTenth", "L-SUE", LONG, "at report 10, 20, ..."),
    ("EveryTenth", "L-SUE", WIDE, "at report 5, 10, ..."),  # where that is as likely
    ("AfterTen", "L-SUE", LONG, "after report 10, 20, ..."),
    ("AtTheHundredth", "L-SUE", LONG, "at report 100"),
    ("AtTheThousandth", "L-SUE", LONG, "after report 1000, 2000, ..."),
    ("LGRRNothing", "L-GRR", {**LONG, "d": 3}, "for every report"),
    ("BucketsNothing", "dBitFlipPM", BUCKETS, "for every report"),
    ("CohortsNothing", "RAPPOR", FILTERS, "for every report"),
    ("AttributesNothing", "SPL-L-SUE", PAIRS, "for every report"),
    ("AnotherAttribute", "SMP-L-SUE", PAIRS, "for every report"),
)


def sampled(name: str, mechanism: str, parameters: Mapping[str, Any], clients: int = 32) -> Row:
    """The row about reports of clients that are used again, with nothing replaced."""
    text = {key: str(value) if key == "f" else value for key, value in parameters.items()}
    reference = oracle(mechanism, text)
    phases = {"input_type": "int", "memory": {"clients": clients, "reports": 1026, "seconds": 60.0}}
    random.seed(7)
    job = UnmodifiedJob(FILE, name, parameters, reference.inputs[:4], phases, reference.inputs)
    run = run_unmodified_here(job, getattr(memories, name))
    assert run.complete
    assert not run.raised
    (row,) = memory_rows(Examination(run, reference))
    return row


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mechanism", "parameters"), CORRECT)
def test_correct_clients_are_not_accused(name: str, mechanism: str, parameters: Mapping[str, Any]) -> None:
    assert sampled(name, mechanism, parameters).verdict is Verdict.INFO


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mechanism", "parameters", "when"), FORGETFUL)
def test_forgetful_clients_are_found(name: str, mechanism: str, parameters: Mapping[str, Any], when: str) -> None:
    row = sampled(name, mechanism, parameters, 96 if name.startswith("AtThe") else 8)
    assert (row.verdict, row.check, row.witness["drawn anew"]) == (Verdict.FAULT, NAME, when)
    assert row.headed.startswith(("odds 10^", "certain: "))
    assert "keep it as long as the client lives" in hint(row)


def audited(name: str, **parameters: Any) -> Audit:
    return audit_callable(
        getattr(memories, name), "L-SUE", LONG | parameters, options=Options(users=(), unmodified=False, seconds=None)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Nothing", "nothing is kept of a value: every report spends epsilon = 1 anew, 3 reports 3, where all"),
        ("AtTheThird", "3 reports on one value spend epsilon = "),
        ("Changed", "nothing is kept of a value that comes again after another one: every report spends"),
    ],
)
def test_the_budget_that_is_spent_is_exact(name: str, said: str) -> None:
    audit = audited(name)
    row = audit.row("reused client")
    assert (row.verdict, row.detail[: len(said)]) == (Verdict.FAULT, said), audit.text()
    assert "reused client: " in sentence(audit)
    assert number(row.figures[LASTING]) == pytest.approx(2.0)
    if name == "AtTheThird":
        own, allowed = (number(row.figures[key]) for key in ("epsilon of 3 reports", "of the mechanism"))
        assert own == pytest.approx(spent(2) + 1.0)  # two reports of one round 1, and one of another
        assert allowed == pytest.approx(spent(3))
        assert allowed < own
    else:
        assert number(row.figures["epsilon of 3 reports"]) == pytest.approx(3.0)
    assert "every report from what is kept" in hint(row)


def spent(reports: int) -> float:
    """The budget of so many reports of L-SUE on one value, by the program."""
    with ctx.workprec(BITS):
        reference = oracle("L-SUE", LONG)
        assert isinstance(reference, Memoized)
        laws = [enumerated(reference, (x,) * reports) for x in (0, 1)]
        return float(max((a[y] / b[y] for a, b in (laws, laws[::-1]) for y in a), key=float).log())


def enumerated(reference: Any, items: Sequence[int]) -> Mapping[Any, Any]:
    """The law of several reports, by enumeration of both rounds."""
    program = reference.program()

    def reports(coins: Coins) -> Any:
        kept = {item: program.keep(item, coins) for item in dict.fromkeys(items)}
        return tuple(program.report(kept[item], coins) for item in items)

    return output_law(reports, program.p * 0 + 1)


@pytest.mark.parametrize("mechanism", ["L-SUE", "L-OSUE", "L-GRR"])
@pytest.mark.parametrize("items", [(0, 0), (0, 1), (0, 1, 0)])
def test_joint_laws_are_those_of_the_program(mechanism: str, items: tuple[int, ...]) -> None:
    with ctx.workprec(BITS):
        reference: Any = oracle(mechanism, LONG)
        law, expected = reference.joint_law(items), enumerated(reference, items)
        assert law.keys() == expected.keys()
        assert all(same(p, expected[y]) for y, p in law.items())


@pytest.mark.parametrize(
    ("mechanism", "parameters"),
    [
        ("L-SUE", LONG),
        ("L-GRR", {**LONG, "d": 3}),
        ("L-LH", {**LONG, "d": 3, "g": 2, "hash": [0, 1, 0]}),
        ("dBitFlipPM", BUCKETS),
        ("RAPPOR", {**FILTERS, "f": "1/2"}),
        ("SPL-L-SUE", PAIRS),
        ("SMP-L-SUE", PAIRS),
        ("SPL-dBitFlipPM", {"sizes": [2, 2], "buckets": [2, 2], "bits": 1, "epsilon": 1.0}),
    ],
)
def test_what_is_watched_is_part_of_the_joint_law(mechanism: str, parameters: Mapping[str, Any]) -> None:
    """The symbols of two reports have the law that the joint law of these has; one report has the mechanism's."""
    with ctx.workprec(BITS):
        reference: Any = oracle(mechanism, dict(parameters))
        for x in reference.inputs[:2]:
            chain, joint = reference.chain(x), reference.joint_law((x, x))
            for pair in product(range(len(chain.symbols)), repeat=2):
                probability = total(p for ys, p in joint.items() if tuple(map(chain.symbol, ys)) == pair)
                both = total(p * g[pair[0]] * g[pair[1]] for p, g in zip(chain.kept, chain.emissions, strict=True))
                assert same(probability, both)
            for y, p in reference.law(x).items():
                assert same(total(q for ys, q in joint.items() if ys[0] == y), p)
        assert compare(reference.lasting_privacy(), 1) is Ordering.GREATER
