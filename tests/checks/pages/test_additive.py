"""Additive laws and their quantities as a reader sees them: in words, with the symbols of a tree, as tables."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, get_args

import pytest

from dp_checks import matrix_programs
from dp_checks.certificate import certificate
from dp_checks.check.decision import decide
from dp_checks.commands.explain import closed
from dp_checks.pages import additive, codemap
from dp_checks.pages.evidence import EVIDENCE
from dp_checks.pages.exhibits import ADDITIVE, MATRIX
from dp_checks.pages.notation import fraction
from dp_checks.pages.site import KINDS
from dp_checks.pages.statements import formal, in_one_line
from dp_checks.pages.topics import topic_of
from dp_checks.pages.witness import one_line, witness
from dp_checks.replay import replay
from dp_refimpl.matrix.mechanism import restoration, strategy
from dp_refimpl.matrix.parameters import Neighbors
from dp_spec.matrix import mechanisms
from dp_spec.matrix.mechanisms import EPS, PRIVELET, H
from dp_spec.vocabulary.additive import Additive, Of, Quantity
from dp_spec.vocabulary.error_statements import Bounded, Formula, Limit
from dp_spec.vocabulary.source import document, sources
from dp_spec.vocabulary.statement import All, Domain, Not, Range, Statement
from dp_spec.vocabulary.term import Term, summed, term, var

HEIGHTS = Domain({"h": Range(1, integer=True)})
BUDGETS = Domain({"h": Range(1, integer=True), "eps": Range(strict=True)})
LOSS, ENTRY = var("loss"), var("entry")
DIAGONAL = {"entry": Quantity(PRIVELET, ("coefficient", "diagonal"))}
CLOSED = Formula(BUDGETS, (("eq", ENTRY, (1 + 2 / (term(2) ** H) ** 2) / 3),), quantities=DIAGONAL)
REPLACED = Formula(BUDGETS, (("le", LOSS, EPS),), quantities={"loss": Quantity(PRIVELET, ("loss", "replace"))})
RATIONAL = (2 * H + 1) / (H + 1)


def quantities() -> Iterator[Quantity]:
    for what in get_args(Of):
        for which in ("addremove", "replace") if what in ("loss", "sensitivity") else ("pair", "diagonal", "ranges"):
            yield Quantity(PRIVELET, (what, which))


def text(statement: Statement) -> str:
    return "\n".join(formal(statement))


def test_every_quantity_is_another_in_words() -> None:
    phrases = [additive.quantity(q) for q in quantities()]
    assert len(set(phrases)) == len(phrases) == 19
    assert all("{}" not in words and "privelet" in words for words in phrases)
    assert phrases[0] == ("privacy loss between neighbors that add or remove a record, of [`privelet`](#law-privelet)")
    pair = additive.quantity(Quantity(PRIVELET, ("coefficient", "pair")))
    assert pair.startswith("entry of $BB^T$ for two counts whose lowest common ancestor has height $k$, of ")


def test_a_law_with_other_noise_or_none_of_ours_is_no_link() -> None:
    assert additive.name(replace(PRIVELET, noise="discrete")) == "`privelet` with discrete noise"
    assert additive.name(replace(PRIVELET, restored=None)) == "`privelet`"


@pytest.mark.parametrize("kind", [Formula, Bounded, Limit])
def test_statements_name_their_quantities_and_what_is_put(kind: type) -> None:
    entry = Quantity(PRIVELET, ("coefficient", "pair"), {"k": H, "h": H + 1, "eps": term(1)})
    made: dict[type, Statement] = {
        Formula: Formula(HEIGHTS, (("le", ENTRY, term(1)),), quantities={"entry": entry}),
        Bounded: Bounded(HEIGHTS, ((ENTRY, term(1)),), quantities={"entry": entry}),
        Limit: Limit(HEIGHTS, "h", ENTRY, term(0), quantities={"entry": entry}),
    }
    page = text(made[kind])
    row = rf"| $\mathrm{{entry}}$ | {additive.quantity(entry)} | $k:=h$, $h:=h + 1$, $\epsilon:=1$ |"
    assert row in page
    assert r"for all $h\ge 1\text{ integer}$" in page
    assert r"e^{\epsilon/2}" not in page
    assert "statement of type" not in page


def test_h_is_a_root_where_it_is_no_integer() -> None:
    real = Formula(Domain({"h": Range(1, True)}), (("lt", term(1), H),))
    assert r"for all $e^{\epsilon/2}>1$" in text(real)
    added = Formula(HEIGHTS, (("eq", summed("t", 1, H, var("t")), var("t")),))
    assert r"\sum_{t=1}^{h} t = e^{\epsilon/2m}" in text(added)
    whole = Formula(Domain({"h": Range(1, integer=True)}, (H - 2,)), (("le", term(1), H),))
    assert r"for all $h\ge 1\text{ integer}$, $h\ge 2$" in text(whole)


def test_a_counterexample_has_the_values_of_the_quantities() -> None:
    outcome = decide(REPLACED)
    assert outcome.verdict == "refuted"
    line = one_line(REPLACED, outcome.evidence.data)
    assert line == r"$h=2$, $\epsilon=1/2$: $\mathrm{loss} \le \epsilon$ fails, $2/3$ against $1/2$"
    assert witness(REPLACED, outcome.evidence.data)[0] == f"{line}."


def test_parts_and_what_is_denied_have_their_quantities_in_a_line() -> None:
    for compound in (All((REPLACED,)), Not(REPLACED)):
        assert additive.quantity(Quantity(PRIVELET, ("loss", "replace"))) in text(compound)
        assert "| ---" not in text(compound)
    page = text(All((REPLACED,) * 4))
    phrase = additive.quantity(Quantity(PRIVELET, ("loss", "replace")))
    assert page.count(rf"(\mathrm{{loss}}$: {phrase})".replace(r"(\m", r"($\m")) == 4
    assert "$$" not in page


def test_a_statement_in_a_line_has_no_table() -> None:
    phrase = additive.quantity(Quantity(PRIVELET, ("coefficient", "diagonal")))
    names = rf" ($\mathrm{{entry}}$: {phrase})"
    made: list[tuple[Statement, str]] = [
        (Formula(HEIGHTS, (("le", ENTRY, H),), quantities=DIAGONAL), r"$\mathrm{entry} \le h$"),
        (
            Bounded(HEIGHTS, ((ENTRY, H),), quantities=DIAGONAL),
            r"$\mathrm{entry} \le C\, h$ for a constant $C>0$, one number for everything",
        ),
        (Limit(HEIGHTS, "h", ENTRY, None, quantities=DIAGONAL), r"$\mathrm{entry} \to \infty$ as $h$ grows"),
    ]
    for statement, head in made:
        line = rf"{head}, for all $h\ge 1\text{{ integer}}${names}"
        assert in_one_line(statement) == line
        assert in_one_line(All((statement, statement))) == f"{line}; {line}"
    assert in_one_line(Limit(HEIGHTS, "h", RATIONAL, term(2))).endswith(r"$\frac{2 \, h + 1}{h + 1} \to 2$")


LIMITS: list[tuple[Term, Term | None, str, str]] = [
    (RATIONAL, term(2), "proved", r"\to 2"),
    (
        RATIONAL,
        term(1),
        "refuted",
        r"as $h$ grows, it stays more than $1/16$ away from $1$, along $h=L$",
    ),
    (H**2 / (H + 1), None, "proved", r"\to \infty"),
    (H**2 / (H + 1), term(3), "refuted", r"as $h$ grows, it stays more than $1/1$ away from $3$, along $h=L + 20$"),
    (RATIONAL, None, "refuted", r"as $h$ grows, it stays below $16$, along $h=L$"),
]


@pytest.mark.parametrize(("tends", "value", "verdict", "sentence"), LIMITS)
def test_limits_are_told(tends: Term, value: Term | None, verdict: str, sentence: str) -> None:
    statement = Limit(HEIGHTS, "h", tends, value)
    outcome = decide(statement)
    assert (outcome.verdict, outcome.evidence.kind) == (verdict, "limit")
    assert "['" not in outcome.evidence.scope
    assert "limit" in EVIDENCE
    assert text(statement).startswith(r"As $h$ grows, for all $h\ge 1\text{ integer}$:")
    page = text(statement) if verdict == "proved" else one_line(statement, outcome.evidence.data)
    assert sentence in page
    if verdict == "refuted":
        assert witness(statement, outcome.evidence.data) == [f"A{sentence[1:]}.", ""]


def test_what_stays_fixed_in_a_limit_is_said() -> None:
    statement = Limit(BUDGETS, "h", ENTRY, term(1) / 3, quantities=DIAGONAL)
    assert "As $h$ grows, at fixed values of all other variables, for all" in text(statement)
    outcome = decide(statement)
    assert outcome.verdict == "proved"
    assert outcome.evidence.scope.startswith("the distance is at most 2 / h; ")


def test_how_sums_are_closed_is_said() -> None:
    outcome = decide(CLOSED)
    assert outcome.verdict == "proved"
    assert list(closed(outcome.evidence.data)) == [
        "1 sum closed by telescoping: a form whose differences are the terms"
    ]
    step = {"induct": "h", "factor": 1, "first": {}, "next": {}}
    both: Any = {"sums": [[0, 1, 1], [0, 1, 2]], "steps": [{}, step], "lemmas": [[0, step], [0, {}]]}
    lines = [
        "1 sum closed by telescoping: a form whose differences are the terms",
        "1 sum enclosed by telescoping: forms whose differences bound the terms",
        "relation 2 by induction on h",
        "lemma 1 by induction on h",
    ]
    assert list(closed(both)) == lines
    assert list(closed({"parts": [["proved", both], ["proved", {"evidence": both}]]})) == lines * 2


def test_the_tie_says_what_was_compared() -> None:
    outcome = decide(CLOSED)
    assert outcome.evidence.scope == "the whole domain; law = program's matrices on 5 trees"
    line = "privelet: queries, noise scales and restoration = the program's at 5 trees, as recorded"
    assert replay(certificate("001.x", CLOSED, outcome)) == [line]


# --- laws ---------------------------------------------------------------------------------------------------------


def test_every_law_is_on_one_page_with_its_own_anchor() -> None:
    stated = {id(law) for law in vars(mechanisms).values() if isinstance(law, Additive)}
    assert {id(law) for law, _ in ADDITIVE} == stated
    assert len(ADDITIVE) == len(stated)
    lines = [line for record in MATRIX for line in additive.sections(record.program)]
    anchors = re.findall(r"^\((law-\S+)\)=$", "\n".join(lines), re.MULTILINE)
    assert len(set(anchors)) == len(anchors) == len(ADDITIVE)


@pytest.mark.parametrize("law", [law for law, _ in ADDITIVE], ids=lambda law: law.mechanism)
def test_symbols_of_a_law_are_explained(law: Additive) -> None:
    page = "\n".join(additive.rows(law))
    assert r"e^{\epsilon/2}" not in page
    assert "leaves have height $s=0$, the root has height $h$" in page
    assert ("b children" in page.replace("$", "")) == (law.branching == var("b"))
    assert ("estimate of a count" in page) == (law.restored is not None)
    assert "Laplace noise of scale $c$" in page


@pytest.mark.parametrize("change", ["weight", "scale", "last", "restored", "noise"])
def test_another_law_is_another_table(change: str) -> None:
    first, second = PRIVELET.rows
    mutants: dict[str, Additive] = {
        "weight": replace(PRIVELET, rows=(first, replace(second, weight=41 * second.weight))),
        "scale": replace(PRIVELET, rows=(replace(first, scale=41 * first.scale), second)),
        "last": replace(PRIVELET, rows=(first, replace(second, last=H - 1))),
        "restored": replace(PRIVELET, restored=(term(41), term(1))),
        "noise": replace(PRIVELET, noise="discrete"),
    }
    assert additive.rows(mutants[change]) != additive.rows(PRIVELET)


@pytest.mark.parametrize("law", [law for law, _ in ADDITIVE], ids=lambda law: law.mechanism)
def test_the_example_is_the_programs(law: Additive) -> None:
    """Every noisy answer of the program for four counts is a row, with its query, its scale and its parts."""
    name = law.mechanism
    target = matrix_programs.mechanism(name, 4, 2)
    neighbors = Neighbors.REPLACE if name.endswith("-replace") else Neighbors.ADD_REMOVE
    a, b = strategy(target), restoration(target)
    rows = [line for line in additive.example(law) if line.startswith("| $")]
    expected = []
    for i, scale in enumerate(target.scales(neighbors)):
        query = additive._form([Fraction(str(a[i, j])) for j in range(4)])
        back = ", ".join(fraction(b[j, i]) for j in range(4))
        parts = f" $({back})$ |" if law.restored is not None else ""
        expected.append(f"| ${query}$ | ${fraction(scale)}$ |{parts}")
    assert sorted(rows) == sorted(expected)


def test_a_linear_form_is_written_without_ones_and_zeros() -> None:
    assert additive._form([Fraction(1), Fraction(-1), Fraction(0), Fraction(-1, 2)]) == r"v_1-v_2-\tfrac{1}{2}\,v_4"
    assert additive._form([Fraction(0), Fraction(-2)]) == r"-2\,v_2"


def test_the_map_finds_the_programs_of_additive_laws() -> None:
    programs = list(codemap.parts(CLOSED))
    assert PRIVELET in programs
    assert codemap.named(PRIVELET) == "dp_spec.matrix.mechanisms:PRIVELET"
    assert matrix_programs.program_class(PRIVELET.mechanism).__name__ == "Privelet"


@pytest.mark.parametrize("source", sources())
def test_every_kind_of_claim_has_a_heading_and_every_claim_a_page(source: str) -> None:
    rows = document(source)["claims"]
    assert {row["kind"] for row in rows} <= set(KINDS)
    if source in ("001", "003"):
        assert {row["id"] for row in rows if topic_of(row["id"]).name == "other"} == set()
