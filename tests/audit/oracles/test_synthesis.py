"""Oracles of synthetic tables: implementations written for this agree with them, planted bugs do not."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from flint import ctx, fmpq

from audit.targets.synthetic_tables import PROGRAMS, Bits, Nats, wrong
from cases.refusals import refusal_test, refuses
from dp_audit.audit import audit_callable
from dp_audit.judge.law import oracle_ratio
from dp_audit.options import Options
from dp_audit.oracles import oracle
from dp_audit.oracles.synthesis import cells, nearest
from dp_audit.outcome import Audit, Verdict
from dp_refimpl.enumeration import output_law
from dp_refimpl.fast.synthesis.network import ArrayGreedyBayes
from dp_refimpl.fast.synthesis.selection import MaximumArray
from dp_refimpl.syntheses import synthesis_of
from dp_refimpl.synthesis.privbayes import DEFAULT_SCORE, FixedDegree
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.scalar import at_most

Parameters = Mapping[str, Any]
ONE_MOVES = (((0, 0), (1, 1)), ((0, 0), (1, 0)))
ONE_OF_THREE = (((0, 0, 0), (1, 1, 0), (1, 0, 1)), ((0, 0, 0), (1, 1, 0), (0, 1, 1)))
BOTH_MOVE = (((0, 0), (1, 1)), ((0, 0), (0, 0)))
SELECTION: Parameters = {
    "sizes": (2, 2, 2, 2),
    "tables": (((0, 0, 0, 0), (1, 1, 0, 0)), ((0, 0, 0, 0), (1, 0, 1, 1))),
    "candidates": ((1, (0,)), (2, (0,)), (3, (0,))),
    "epsilon": 6.0,
}
FAR: Parameters = {
    **SELECTION,
    "tables": ((*[(0, 0, 0, 0)] * 6, (1, 1, 0, 0)), (*[(0, 0, 0, 0)] * 6, (0, 0, 0, 0))),
    "epsilon": 1.0,
}
"""One record makes an attribute a function of its parent, or constant as that is."""
JOINTS: Parameters = {
    "sizes": (2, 2),
    "tables": BOTH_MOVE,
    "network": ((0, ()), (1, ())),
    "degree": 0,
    "weights": (1, 3),
    "epsilon": 1.0,
}
CHAIN: Parameters = {**JOINTS, "tables": ONE_MOVES, "network": ((0, ()), (1, (0,))), "degree": 1}
ALONE: Parameters = {"sizes": (2,), "tables": (((0,), (1,)), ((0,), (0,))), "network": ((0, ()),), "weights": (1,)}
ADDED: Parameters = {**FAR, "tables": (FAR["tables"][0], FAR["tables"][0][:6])}
"""The record that is not like the others is there, or not."""
ROWS: Parameters = {**CHAIN, "release": "data"}
FILTERED: Parameters = {
    "sizes": (2, 2, 2),
    "tables": (((0, 0, 0), (1, 1, 1)), ((0, 0, 0), (1, 1, 0))),
    "epsilon": 6.0,
    "partition": ((0, 1, 2),),
    "degree": 1,
    "release": "networks",
    "matrix": ((0, 4, 1), (4, 0, 1), (1, 1, 0)),
    "eta": "1/2",
}
NETWORK: Parameters = {"sizes": (2, 2, 2), "tables": ONE_OF_THREE, "degree": 1, "score": "I", "epsilon": 1.0}
WHOLE: Parameters = {"sizes": (2, 2), "tables": BOTH_MOVE, "degree": 1, "beta": 0.25, "epsilon": 1.0}
CLUSTER: Parameters = {**WHOLE, "tables": ONE_MOVES, "partition": ((0, 1),)}
CLUSTERS: Parameters = {**WHOLE, "partition": ((0,), (1,))}
BRIEF = Options(reuse=False, unmodified=False)
RIGHT = {
    "TableSelection": (SELECTION, FAR, ADDED),
    "GreedyBayes": (NETWORK,),
    "NoisyJoints": (JOINTS, CHAIN),
    "PrivBayes": ({**WHOLE, "score": "I"},),
    "CalibratedHMPrivBayes": (CLUSTER, CLUSTERS),
    "NoisyJoints, rows": (ROWS,),
    "CalibratedHMPrivBayes, filter": (FILTERED,),
}
SLOW = ("PrivBayes", "CalibratedHMPrivBayes", "NoisyJoints, rows")
CASES = [
    pytest.param(name, parameters, id=f"{name}-{i}", marks=pytest.mark.slow if name in SLOW else ())
    for name, cases in RIGHT.items()
    for i, parameters in enumerate(cases)
]


def audited(made: Nats, name: str, parameters: Parameters) -> Audit:
    return audit_callable(partial(PROGRAMS[name], made=made), name.split(",")[0], parameters, options=BRIEF)


@pytest.mark.parametrize("made", [Nats(), Bits()], ids=["choice", "floats"])
@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_a_correct_implementation_conforms(made: Nats, name: str, parameters: Parameters) -> None:
    report = audited(made, name, parameters)
    assert report.verdict in (Verdict.CONFORMS, Verdict.ROUNDING), report.text()
    assert report.certified


@pytest.mark.parametrize(
    ("bug", "name", "parameters", "exceeds"),
    [
        ("without the second term", "TableSelection", SELECTION, True),
        ("mixed bases", "TableSelection", SELECTION, False),
        ("without the two", "TableSelection", SELECTION, True),
        ("normalized score", "TableSelection", FAR, False),
        ("noise of frequencies on counts", "NoisyJoints", JOINTS, True),
        pytest.param("one cell moves", "PrivBayes", {**WHOLE, "score": "I"}, True, marks=pytest.mark.slow),
        ("without the two", "TableSelection", ADDED, False),
        ("one row repeated", "NoisyJoints, rows", {**ROWS, **ALONE}, False),
        ("filter of one row", "CalibratedHMPrivBayes, filter", FILTERED, False),
        ("weights inverted", "NoisyJoints", JOINTS, False),
        ("whole budget for every table", "NoisyJoints", JOINTS, True),
        ("clamp before noise", "NoisyJoints", {**JOINTS, **ALONE}, False),
        ("parents first", "NoisyJoints", CHAIN, False),
        pytest.param("uniform root", "CalibratedHMPrivBayes", CLUSTER, False, marks=pytest.mark.slow),
        pytest.param("whole budget for every choice", "CalibratedHMPrivBayes", CLUSTER, False, marks=pytest.mark.slow),
        ("whole budget for every cluster", "CalibratedHMPrivBayes", CLUSTERS, True),
    ],
)
def test_a_planted_bug_is_caught_with_a_witness(bug: str, name: str, parameters: Parameters, exceeds: bool) -> None:
    report = audited(wrong(bug), name, parameters)
    law = report.row("law")
    assert law.verdict is Verdict.FAULT, report.text()
    assert law.witness
    assert (report.row("privacy").verdict is Verdict.FAULT) is exceeds
    assert bool(report.row("privacy").witness) >= exceeds


def test_what_shows_the_data_without_noise_is_caught() -> None:
    parameters = {"d": 2, "epsilon": 1.0}
    audit = audit_callable(lambda item: ["mean"] * (item == 1), "Public", parameters, options=BRIEF)
    assert {row.check for row in audit.faults} == {"law", "privacy"}
    assert "infinite" in audit.row("privacy").detail or "inf" in audit.row("privacy").figures["effective epsilon"]
    assert audit_callable(lambda item: [], "Public", parameters, options=BRIEF).faults == ()


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_a_law_keeps_its_bound(name: str, parameters: Parameters) -> None:
    with ctx.workprec(200):
        made = oracle(name.split(",")[0], parameters)
        ratio = oracle_ratio(made)
        assert ratio is not None
        assert at_most(ratio, made.privacy() + fmpq(1, 2**100))


def test_probabilities_of_a_report_are_seen_as_fractions() -> None:
    made = oracle("NoisyJoints", {**CHAIN, "release": "conditionals"})
    law = made.law(0)
    third = next(y for y in law if "1/3" in str(y))
    as_double = nearest_doubles(third)
    assert as_double != third
    assert made.view_of(as_double) == third
    assert nearest((fmpq(2, 5), "x"), 3) == (fmpq(1, 3), "x")


def nearest_doubles(report: Any) -> Any:
    if isinstance(report, tuple):
        return tuple(map(nearest_doubles, report))
    top, bottom = (int(report.p) / int(report.q)).as_integer_ratio()
    return fmpq(top, bottom)


def changed(name: str) -> Callable[[Parameters], object]:
    """The law of the first case of an oracle with some parameters changed."""
    return lambda more: oracle(name, {**RIGHT[name][0], **more}).law(0)


FILTER = changed("CalibratedHMPrivBayes")
SELECT, NOISE, WHOLLY = changed("TableSelection"), changed("NoisyJoints"), changed("PrivBayes")
test_bad_parameters_are_refused = refusal_test(
    refuses("tables", SELECT, {"tables": SELECTION["tables"][:1]}, says="two or more data sets"),
    refuses("tables", NOISE, {"tables": (((0, 0), (0, 0)), ((1, 1), (1, 1)))}, {"tables": (((0, 0),), ())}),
    refuses("tables", SELECT, {"tables": ADDED["tables"], "score": "F"}, says="replaced"),
    refuses("tables", SELECT, {"tables": (*ADDED["tables"], FAR["tables"][1])}, says="replaced"),
    refuses("tables", NOISE, {"tables": (((0, 0), (1, 1)), ((0, 0),))}, says="replaced"),
    refuses("eta", FILTER, {"eta": 0}, {"eta": 1}),
    refuses("matrix", FILTER, {"matrix": ((0,),)}, {"matrix": ((0, 1),)}),
    refuses("sizes, tables", NOISE, {"tables": (((0, 2),), ((0, 0),))}),
    refuses("tables", SELECT, {"tables": (((0, 0, 0, 0),), ((1, 1, 1, 1),))}, says="two or more records"),
    refuses(
        "candidates",
        SELECT,
        *({"sizes": (3, 3, 3, 3)}, {"score": "I-general"}, {"score": "H"}, {"candidates": ((1, ()),)}),
        *({"candidates": ((1,),)}, {"candidates": ()}),
    ),
    refuses("network", NOISE, {"network": ((1, (0,)), (0, ()))}),
    refuses("weights", NOISE, {"weights": (0, 1)}, {"weights": (1,)}),
    refuses("partition", changed("CalibratedHMPrivBayes"), {"partition": ((0,),)}),
    refuses("sizes", WHOLLY, {"sizes": (2, 3)}, {"score": "I-general"}, {"sizes": (3, 3), "score": "F"}),
    refuses("sizes", changed("CalibratedHMPrivBayes"), {"sizes": (2, 3)}),
    refuses("tables", WHOLLY, {"tables": (((0, 0),), ((0, 1),))}, says="two or more records"),
    refuses("beta", WHOLLY, {"beta": 0}, {"beta": 1}),
    refuses("degree", WHOLLY, {"degree": -1}),
    refuses("tables", WHOLLY, {"tables": ((*[(0, 0)] * 20, (0, 1)), ((0, 0),) * 21)}, says="random paths"),
    refuses("item", oracle("PrivBayes", WHOLE).law, True, 2, "0", None),
    refuses("item", oracle("Public", {"d": 2, "epsilon": 1.0}).law, True, 2, "0", None),
)


def test_the_oracle_of_privbayes_is_the_program_of_that_name() -> None:
    """With nothing said but sizes, data and budget both have the same law: of `dp-refimpl table`, and of an audit."""
    program = synthesis_of("privbayes").exact
    made = program(sizes=(2, 2), n=2, epsilon="1")
    tables = [CountTable.of_records((2, 2), records) for records in ONE_MOVES]
    stated = oracle("PrivBayes", {"sizes": (2, 2), "tables": ONE_MOVES, "epsilon": 1.0, "degree": 1})
    for item, table in enumerate(tables):
        drawn = output_law(partial(made.randomize, table), made.one)
        law = {(network, cells(joints)): p for (network, joints), p in drawn.items()}
        probabilities = stated.law(item)
        assert law.keys() == probabilities.keys()
        assert all(float(probabilities[y]) == pytest.approx(float(p), rel=1e-12) for y, p in law.items())
    network: Any = oracle("GreedyBayes", {"sizes": (2, 2), "tables": ONE_MOVES, "epsilon": 1.0, "degree": 1})
    assert network.score == ArrayGreedyBayes(MaximumArray(), FixedDegree(1)).score == DEFAULT_SCORE
