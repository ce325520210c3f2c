"""Cards: the theorems that the kernel takes on trust, each a module whose docstring is its schema and its source, and
pins its written proof."""

import hashlib
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import click

from dp_checks.ledger import Entry
from dp_checks.theorems import CARDS, InCoq
from dp_kernel import amplification
from dp_kernel import cards as trusted

PINNED = re.compile(r"`(\S+)`, SHA-256 ([0-9a-f]{64})\.")
SECTION = re.compile(r"\*\*([A-Z][a-z]+)\.\*\*\s+")


class CardError(ValueError):
    """A written proof is not the one that its card pins."""


@dataclass(frozen=True)
class Card:
    """A card: what it says in a sentence, the sections of its text, and the ids of the ledger that rest on it; what
    Coq proves of it."""

    name: str
    sentence: str
    sections: Mapping[str, str]
    claims: tuple[str, ...]
    in_coq: InCoq | None = None

    def proof(self, tree: Path) -> str:
        """The written proof, from the documentation in a checkout. Raises `CardError` unless it is the pinned one."""
        match = PINNED.fullmatch(self.sections["Proof"])
        if match is None:
            raise CardError(f"card {self.name}: its proof is pinned by no digest")
        place, pinned = match.groups()
        content = (tree / place).read_bytes()
        if (here := hashlib.sha256(content).hexdigest()) != pinned:
            raise CardError(f"{place} has the SHA-256 {here}, not the one that the card pins: read it again")
        return content.decode()

    @property
    def source(self) -> str:
        """Where the theorem is from."""
        return " ".join(self.sections["Source"].split())


def cards(ledger: Mapping[str, Entry]) -> tuple[Card, ...]:
    """Every card of the kernel, by name; last those that only certificates of `dp-refimpl amplify` name."""
    folders = (trusted, amplification)
    return tuple(
        _card(folder.__name__, module.name, ledger) for folder in folders for module in iter_modules(folder.__path__)
    )


def described(card: Card) -> str:
    """A card in two lines, or three, for a terminal."""
    number = len(card.claims)
    claims = "1 claim rests" if number == 1 else f"{number} claims rest"
    name = click.style(card.name, bold=True)
    lines = [f"{name}: {card.sentence}", f"  {claims} on it. Source: {card.source}"]
    return "\n".join([*lines, *([f"  {card.in_coq.sentence}"] if card.in_coq else [])])


def card_json(card: Card) -> dict[str, object]:
    """A card for programs; `theorems` are those of Coq, all of it if nothing is `left`."""
    known: dict[str, object] = {"sentence": card.sentence, "source": card.source, "claims": list(card.claims)}
    if card.in_coq:
        named = [{"file": place.file, "name": place.name} for place in card.in_coq.theorems]
        known["coq"] = {"theorems": named, "left": card.in_coq.left}
    return known


def _card(folder: str, name: str, ledger: Mapping[str, Entry]) -> Card:
    text = inspect.cleandoc(import_module(f"{folder}.{name}").__doc__ or "")
    head, *parts = SECTION.split(text)
    titles, bodies = parts[::2], (body.strip() for body in parts[1::2])
    used = tuple(i for i, entry in ledger.items() if name in entry.evidence.get("cards", ()))
    sentence = " ".join(head.removeprefix(f"Card *{name}*.").split())
    return Card(name, sentence, dict(zip(titles, bodies, strict=True)), used, CARDS.get(name))
