"""The page of cards: theorems taken on trust, from their own words, with the claims that rest on each."""

from collections.abc import Mapping
from pathlib import Path

from dp_checks.cards import cards
from dp_checks.ledger import Entry
from dp_checks.pages.notation import table

LEAD = (
    "A card is a theorem that the kernel applies and does not derive: its premises, which a rule of at most 25 lines "
    "checks, a written proof, its source, and a test that tries to refute it by brute force. Every certificate names "
    "the cards that it rests on; `dp-refimpl cards` lists them. These are the places to read critically."
)


def page(ledger: Mapping[str, Entry], tree: Path) -> list[str]:
    """The page, with the proofs that stand in a checkout. Raises `CardError` where one is not the pinned one."""
    theorems = cards(ledger)
    rows = [[f"[{card.name}](#card-{card.name})", _prose(card.sentence), str(len(card.claims))] for card in theorems]
    lines = ["# Cards", "", LEAD, "", *table(["Card", "Theorem", "Claims"], rows)]
    for card in theorems:
        lines += [f"(card-{card.name})=", f"## Card {card.name}", "", _prose(card.sentence), ""]
        for title, text in {**card.sections, "Proof": card.proof(tree)}.items():
            lines += [f"**{title}.** {_prose(text.rstrip())}", ""]
        if card.in_coq:
            lines += [f"**Coq.** {card.in_coq.sentence} See [theorems](theorems.md).", ""]
        lines += ["**Claims.** " + (", ".join(f"`{i}`" for i in card.claims) or "none") + ".", ""]
    return lines


def _prose(text: str) -> str:
    """Plain text as Markdown: nothing in a formula is emphasis."""
    pieces = text.split("`")
    escaped = [piece.replace("*", r"\*").replace("_", r"\_").replace("|", r"\|") for piece in pieces[::2]]
    pieces[::2] = [piece.replace("<", "&lt;") for piece in escaped]
    return "`".join(pieces)
