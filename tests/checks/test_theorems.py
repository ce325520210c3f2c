"""What pages and commands say of Coq is what its files state and what the record says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dp_checks.ledger import load_ledger
from dp_checks.pages.theorems import SECTIONS, page
from dp_checks.theorems import CARDS, FOLDER, KERNEL, WHOLLY, Place, TheoremError, checkers, coverage, stated
from dp_command import main
from structure.tree import ROOT

LEDGER = load_ledger()
RECORD = json.loads((ROOT / FOLDER / "theorems.json").read_text(encoding="utf-8"))["claims"]
PLACES = [place for theorems in SECTIONS.values() for each in theorems for place in (*each.places, *each.definitions)]


def checkout(folder: Path, file: str, text: str) -> Path:
    path = folder / FOLDER / file
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return folder


def test_every_statement_of_the_page_stands_in_its_file() -> None:
    text = "\n".join(page(LEDGER, ROOT))
    for place in PLACES:
        assert stated(ROOT, place) in text
    for place in (place for card in CARDS.values() for place in card.theorems):
        assert stated(ROOT, place).split()[:2] == ["Theorem", place.name]


def test_a_statement_ends_where_its_proof_begins(tmp_path: Path) -> None:
    one, other = "Lemma one x :\n  x = x.", "Theorem other_one : 1.5 = 1.5."
    text = f"(* one *)\n{one}\nProof. auto. Qed.\n{other} Proof. auto. Qed.\nDefinition three := 3.\n"
    tree = checkout(tmp_path, "a.v", text)
    assert [stated(tree, Place("a.v", name)) for name in ("one", "other_one")] == [one, other]
    assert stated(tree, Place("a.v", "three")) == "Definition three := 3."


@pytest.mark.parametrize(("file", "name"), [("a.v", "other"), ("a.v", "on"), ("b.v", "one"), ("a.v", "said")])
def test_what_no_file_states_is_an_error(file: str, name: str, tmp_path: Path) -> None:
    tree = checkout(tmp_path, "a.v", "Lemma one : 1 = 1.\nProof. auto. Qed.\n(* Lemma said : 1 = 2. *)\n")
    with pytest.raises(TheoremError, match=f"{file} states no {name}"):
        stated(tree, Place(file, name))


def test_the_page_fails_where_a_theorem_is_missing(tmp_path: Path) -> None:
    with pytest.raises(TheoremError, match="check_sound"):
        page(LEDGER, tmp_path)


def test_who_checks_a_statement_is_what_the_record_says() -> None:
    by = checkers(LEDGER, ROOT)
    assert all((text == WHOLLY) == (not RECORD[i]["kernel only"]) for i, text in by.items())
    assert all((text == KERNEL) == (not RECORD[i]["theorems"]) for i, text in by.items())
    assert by.keys() == {i for i, e in LEDGER.items() if e.digest and e.verdict in ("proved", "refuted")}
    assert coverage([WHOLLY, KERNEL, f"{KERNEL}, and 1 of 2 parts"]) == (
        "Coq proves or refutes 1 of the 3 statements that the kernel does, parts of 1 more"
    )


def test_a_record_of_another_statement_does_not_count(tmp_path: Path) -> None:
    name = next(i for i, text in checkers(LEDGER, ROOT).items() if text == WHOLLY)
    other = {name: replace(LEDGER[name], data={**LEDGER[name].data, "digest": "0" * 64})}
    assert checkers(other, ROOT) == {name: KERNEL}
    assert checkers(other, tmp_path) == {}


def test_the_command_names_the_theorems_of_a_card() -> None:
    output = CliRunner().invoke(main, ["cards"]).output
    document = json.loads(CliRunner().invoke(main, ["cards", "--json"]).output)
    assert {name for name, card in document.items() if "coq" in card} == CARDS.keys()
    for card in CARDS.values():
        assert card.sentence in output
