"""Every card is complete, short, and needed; the command and the page say what it says."""

import ast
import inspect
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from click.testing import CliRunner

from dp_checks.cards import Card, CardError, cards
from dp_checks.ledger import load_ledger
from dp_checks.pages.cards import page
from dp_command import main
from dp_kernel import amplification
from dp_kernel import cards as trusted
from structure.tree import ROOT

CARDS = {card.name: card for card in cards(load_ledger())}
BESIDE = {module.name for module in iter_modules(amplification.__path__)}
"""Cards that only certificates of `dp-refimpl amplify` name."""
LIMIT = 25


def functions(card: Card) -> Iterator[ast.FunctionDef]:
    folder = amplification if card.name in BESIDE else trusted
    module = import_module(f"{folder.__name__}.{card.name}")
    yield from (node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.FunctionDef))


def length(function: ast.FunctionDef) -> int:
    """Lines of a function without its docstring."""
    first = function.body[0]
    documented = ast.get_docstring(function) is not None
    return (
        (function.end_lineno or 0)
        - function.lineno
        + 1
        - (first.end_lineno or 0) * documented
        + (first.lineno - 1) * documented
    )


@pytest.mark.parametrize("name", CARDS)
def test_a_card_has_all_its_sections(name: str) -> None:
    card = CARDS[name]
    assert {"Premises", "Proof", "Source", "Refuter"} <= card.sections.keys()
    assert all(card.sections.values())
    assert card.sentence.endswith(".")
    refuter = card.sections["Refuter"].split("`")[1]
    assert f"*{name}*" in (ROOT / refuter).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CARDS)
def test_its_proof_is_the_pinned_one(name: str, tmp_path: Path) -> None:
    proof = CARDS[name].proof(ROOT)
    assert len(proof.split()) > 50
    changed = tmp_path / "docs" / "cards" / f"{name}.txt"
    changed.parent.mkdir(parents=True)
    changed.write_text(f"{proof} ", encoding="utf-8")
    with pytest.raises(CardError, match=name):
        CARDS[name].proof(tmp_path)


@pytest.mark.parametrize("name", CARDS)
def test_its_rule_is_short(name: str) -> None:
    assert {f.name: length(f) for f in functions(CARDS[name]) if length(f) > LIMIT} == {}


@pytest.mark.parametrize("name", CARDS)
def test_claims_of_the_ledger_rest_on_it_or_on_none_that_is_beside_it(name: str) -> None:
    assert bool(CARDS[name].claims) == (name not in BESIDE)


def test_the_command_lists_all_cards() -> None:
    result = CliRunner().invoke(main, ["cards"])
    assert result.exit_code == 0
    for card in CARDS.values():
        assert f"{card.name}: {card.sentence}" in result.output
    document = json.loads(CliRunner().invoke(main, ["cards", "--json"]).output)
    assert {name: len(card["claims"]) for name, card in document.items()} == {
        n: len(c.claims) for n, c in CARDS.items()
    }


def test_the_page_has_all_cards() -> None:
    text = "\n".join(page(load_ledger(), ROOT))
    assert [name for name in CARDS if f"## Card {name}" not in text] == []
    assert all(i in text for card in CARDS.values() for i in card.claims)
