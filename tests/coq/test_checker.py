"""The checker, run by Coq where it is installed: it accepts what is true of the corpus and refuses every forgery."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coq.forgeries import CHANGES, OF_KINDS, forged
from coq.test_record import AXIOMS
from corpus.certificates import REJECTED, accepted, lines_of, small
from dp_checks.pages.theorems import SECTIONS
from dp_checks.theorems import CARDS, Place
from dp_coq.compiler import MISSING, Compiler, ProofError
from dp_coq.theorems import ASSUMED, HEAD, PROOF, Goal, decided, goals
from dp_kernel.meter import Rejected

INSTALLED = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


FORM = ["mul", 2, ["pow", 2, "i"]]
POWERS = ["sum", "i", 1, "x", ["pow", 2, "i"]]
SUM = {
    "id": "a sum of powers",
    "verdict": "proved",
    "statement": {
        "type": "formula",
        "domain": {
            "variables": {"x": {"min": 0, "strict": False, "integer": True, "unit": False}},
            "constraints": [],
        },
        "values": {},
        "of_data": False,
        "relations": [["eq", POWERS, ["sub", ["pow", 2, ["add", "x", 1]], 2]], ["le", "x", ["add", POWERS, "x"]]],
    },
    "evidence": {"values": {"x": "0"}, "steps": [{}, {}], "sums": [[POWERS, FORM, FORM]]},
}
LIKELY: list[Any] = ["div", "t", ["add", "t", 1]]
BITS = {"sen1": {"1": LIKELY, "0": ["sub", 1, LIKELY]}, "sen0": {"1": ["sub", 1, LIKELY], "0": LIKELY}}
CONSTANT = {
    "id": "the smallest constant of one exchange",
    "verdict": "proved",
    "statement": {
        "type": "smallest",
        "law": {
            "mechanism": "rappor",
            "base": "t",
            "power": ["mul", 2, "m"],
            "parameters": [],
            "term": ["push", "bits", ["each", "items", ["row", BITS]]],
        },
        "relation": "deniability",
        "counted": "all",
        "sizes": "exactm",
        "where": [["sub", ["sub", "K", "m"], 1]],
        "any_order": False,
        "constant": ["pow", "t", 2],
    },
    "evidence": {
        "rule": "product",
        "powers": {"ss": 2},
        "cases": {"ss": 1, "g": ["sub", "m", 1], "o": ["sub", ["sub", "K", "m"], 1]},
    },
}


def certificates() -> list[Any]:
    """The right ones of the corpus, by their own names; a sum with a symbolic end; the smallest constant of bits."""
    return [*({**small(name), "id": name} for name in accepted()), SUM, CONSTANT]


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    made = Compiler.of(tmp_path_factory.mktemp("coq"))
    made.compile_theory()
    return made


def test_the_corpus_has_every_forgery() -> None:
    every = {name for changes in (CHANGES, *OF_KINDS.values()) for name in changes}
    assert {name for name, _ in forged(certificates())} == every


@pytest.mark.campaign
@INSTALLED
def test_the_corpus_is_proved_and_no_forgery_is(compiler: Compiler) -> None:
    asked = [goal for certificate in certificates() for _, goal in goals(certificate) if isinstance(goal, Goal)]
    answers, axioms = decided(compiler, asked)
    assert sum(answers) >= 10
    assert axioms == set(AXIOMS)
    false = [goal for _, goal in forged(certificates())]
    assert not any(decided(compiler, false)[0])


@pytest.mark.campaign
@INSTALLED
def test_a_false_theorem_is_rejected_by_coq_itself(compiler: Compiler) -> None:
    _, false = next(forged(certificates()))
    theorem = false.theorem("false").replace(PROOF, PROOF.replace(" | exact None", ""))
    with pytest.raises(ProofError, match="rejects"):
        compiler.answers([HEAD + theorem])


@pytest.mark.campaign
@INSTALLED
def test_what_is_no_evidence_is_rejected_and_no_answer(compiler: Compiler) -> None:
    asked = [goal for certificate in certificates() for _, goal in goals(certificate) if isinstance(goal, Goal)]
    with pytest.raises(ProofError, match="rejects"):
        decided(compiler, [replace(asked[0], evidence=asked[0].statement)])


def assumptions(compiler: Compiler, places: list[Place]) -> set[str]:
    """The axioms that theorems of the theory rest on."""
    lines = []
    for place in places:
        module = place.file.removesuffix(".v").replace("/", ".")
        lines.append(f"From DP Require {module}.\nPrint Assumptions DP.{module}.{place.name}.\n")
    (text,) = compiler.answers(["".join(lines)])
    assert text.count("Axioms:") + text.count("Closed under the global context") == len(places)
    return {name for name in ASSUMED.findall(text) if name != "Axioms"}


@pytest.mark.campaign
@INSTALLED
def test_cards_and_the_page_assume_nothing_but_real_numbers(compiler: Compiler) -> None:
    cards = [place for card in CARDS.values() for place in card.theorems]
    assert assumptions(compiler, cards) == set(AXIOMS)
    page = [place for theorems in SECTIONS.values() for theorem in theorems for place in theorem.places]
    assert assumptions(compiler, page) == {*AXIOMS, *AXIOMS_OF_EXP}


AXIOMS_OF_EXP = ["ClassicalDedekindReals.sig_not_dec", "Classical_Prop.classic"]
"""What Coq's own exponential function and logarithm rest on besides: the proof that nothing both holds and fails says
that they are an exponential and a logarithm."""


TIES = "a true formula; the tables that tie a law to a program are no part of it"
DISAGREEMENTS = {
    "floats_as_values": "the double 0.1 is a rational number, at which 10 x = 1 is false; the kernel reads no floats",
    "all_with_an_unknown_verdict": "every part is true; the verdict on the whole is compared with the ledger's",
    "all_proved_called_verified": "the same",
    "identifier_that_prints_a_second_line": "a true statement under a name that the ledger has not",
    "variable_of_no_relation": "x <= x, of a y that nothing reads, too: true, and rejected as careless",
    "a_sum_over_sizes": "1 + 2 = 3, whatever the index is called",
    "formula refuted by numbers: 6": "the point has a coordinate more, of a name that the domain has not",
    "a_quotient_of_nothing_beside_what_fails": "x <= 4 fails at 5, beside a relation that is defined nowhere",
    "formula proved for errors, ties: 35": "a true formula, without a law to which a program could be tied",
    "formula refuted for errors: 14": "the point has a coordinate more, of a name that the domain has not",
    "error_of_no_relation": "f < f is false, whatever an error is that no relation names",
    "a_budget_with_a_pole": "the points at which a budget is spent are those at which it is defined",
    "formula refuted for noise: 11": "the same",
    "nothing_vanishes": "no relations are bounded, as all of none",
    "variable_of_no_bound": "x <= x for a y that grows and that nothing reads: true, and rejected as careless",
    "quantity_of_no_relation": "1 = 1 beside a quantity that nothing reads",
    "place_of_no_tree": "the diagonal is 2, whatever the law is said to be taken at beside its names",
    "variable_that_is_replaced": "the same of a tree of height 1, for all h of the domain",
    "booleans_as_sizes": "true is read as 1, where another constant is the smallest one; the kernel reads integers",
    "bounded proved for terms: 2": "a constant that may depend on w is one as w grows, too",
    "bounded proved for a limit: 10": "the same limit, for all n >= 1 instead of integers",
    "smallest proved for one draw: 7": "the constant is the smallest one, by another rule than is named",
    "smallest proved: 8": "the same constant; how many items neither set has is not read",
    "smallest proved: 9": "the same constant, by another rule than is named",
    **{f"ratio proved for bits: {n}": "the bound holds; other powers than are stated show it" for n in (5, 6, 7, 8)},
    **{f"smallest refuted: {n}": "the constant is another one than is stated, whatever is shown" for n in (2, 3, 4)},
    **{f"formula proved for errors, ties: {number}": TIES for number in range(1, 37) if number != 35},
}
"""What the kernel rejects though Coq proves it, and why it is no falsehood: by the ids of the corpus."""


def rejected_goals() -> dict[str, list[Goal]]:
    """What the kernel rejects and Coq is asked about: all parts of it, by the ids of the corpus."""
    found = {}
    for line in lines_of(REJECTED):
        try:
            listed = [goal for _, goal in goals({**line.certificate(), "id": line.id})]
        except (AttributeError, LookupError, Rejected, TypeError, ValueError, ZeroDivisionError):
            continue  # no certificate
        if listed and all(isinstance(goal, Goal) for goal in listed):
            found[line.id] = [goal for goal in listed if isinstance(goal, Goal)]
    return found


@pytest.mark.campaign
@INSTALLED
def test_what_the_two_checkers_judge_differently_is_explained(compiler: Compiler) -> None:
    asked = rejected_goals()
    every = [goal for listed in asked.values() for goal in listed]
    refused = {goal.claim for goal, yes in zip(every, decided(compiler, every)[0], strict=True) if not yes}
    assert len(refused) >= 50
    assert asked.keys() - refused == DISAGREEMENTS.keys()


def test_without_coq_it_is_said_what_to_install(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dp_coq", "--certificates", str(tmp_path)]
    path = str(Path(__file__).resolve().parents[2] / "proofs_checks")
    done = subprocess.run(command, env={"PATH": "", "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (2, "", MISSING)
