"""Theorems that Coq proves: what its files state, which cards are among them, and which statements of the ledger.

The files and the record stand in a checkout, not in an installed package; nothing here runs Coq.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from dp_checks.ledger import Entry

FOLDER = Path("proofs_checks", "dp_coq")
KERNEL, WHOLLY = "by the kernel", "by the kernel, and by Coq as well"


class TheoremError(ValueError):
    """A file of Coq does not state what is named."""


@dataclass(frozen=True)
class Place:
    """A theorem, a lemma or a definition of Coq: a file below `dp_coq`, and its name there."""

    file: str
    name: str


@dataclass(frozen=True)
class InCoq:
    """What Coq proves of a card: the theorems, and what it leaves to the written proof (nothing: all is proved)."""

    theorems: tuple[Place, ...]
    left: str = ""

    @property
    def sentence(self) -> str:
        """What is proved, with names and files."""
        files = dict.fromkeys(place.file for place in self.theorems)
        listed = [", ".join(f"`{x.name}`" for x in self.theorems if x.file == file) + f" (`{file}`)" for file in files]
        named = "; ".join(listed)
        return f"In part a theorem of Coq, {named}; not {self.left}." if self.left else f"A theorem of Coq: {named}."


def places(file: str, *names: str) -> tuple[Place, ...]:
    """Several theorems of a file."""
    return tuple(Place(file, name) for name in names)


CARDS: Mapping[str, InCoq] = {
    "blanket": InCoq(
        (
            *places("theorems/Exchanges.v", "divergence_is_expected_gain"),
            *places("theorems/Blanket.v", "every_data_set", "more_messages"),
            *places("theorems/Messages.v", "response_bound", "gains_fall"),
            *places("theorems/Messages.v", "without_dummies", "without_other_labels"),
            *places("theorems/Halves.v", "sum_by_labels", "mean_by_halves", "mean_is_bounded"),
            *places("theorems/Hashing.v", "hashed_bound"),
            *places("theorems/Randomizers.v", "every_randomizer", "two_labels_are_worst"),
            *places("theorems/HarderPoints.v", "larger_epsilon", "larger_q"),
            *places("theorems/HarderPoints.v", "larger_q_of_hashes", "third_value"),
        )
    ),
    "counting": InCoq(
        (
            *places("theorems/Counting.v", "subsets_that_miss", "subsets_are_a_law"),
            *places("theorems/Counting.v", "chance_of_a_held_item", "chance_of_another_item"),
            *places("theorems/Counting.v", "subsets_ratio", "smallest_for_sets", "smallest_for_completed_sets"),
        )
    ),
    "matching": InCoq(places("theorems/Matching.v", "unordered_ratio", "unordered_reached", "one_item_reached")),
    "noise": InCoq(
        (
            *places("theorems/Laplace.v", "loss_bounds", "loss_is_reached"),
            *places("theorems/DiscreteLaplace.v", "chances_sum_to_1"),
            *places("theorems/DiscreteLaplace.v", "discrete_loss_bounds", "discrete_loss_is_reached"),
        ),
        "that densities on the real line have the same normalization, the distances on a tree, and the variance",
    ),
}
"""By the name of the card."""


def stated(tree: Path, place: Place) -> str:
    """The text of a statement or a definition, without its proof, from a checkout.

    Raises `TheoremError` where the file does not have it.
    """
    file = tree / FOLDER / place.file
    name = re.escape(place.name)
    theorem = rf"^[ \t]*(?:Theorem|Lemma) {name}\b(?:(?!\bProof\b).)*?\.(?=\s+Proof\b)"
    definition = rf"^[ \t]*(?:Definition|Fixpoint|Record|Notation) {name}\b.*?\.$"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    match = re.search(f"{theorem}|{definition}", text, re.DOTALL | re.MULTILINE)
    if match is None:
        raise TheoremError(f"{place.file} states no {place.name}: look for its name in {FOLDER}")
    return dedent(match.group())


def checkers(ledger: Mapping[str, Entry], tree: Path) -> dict[str, str]:
    """By whom each statement of the ledger is checked that is proved or refuted: by the kernel, and by Coq as well.

    Empty without a record. What is recorded of another statement than the ledger pins does not count.
    """
    file = tree / FOLDER / "theorems.json"
    if not file.is_file():
        return {}
    claims = json.loads(file.read_text(encoding="utf-8"))["claims"]
    return {
        name: _checked_by(claims[name]) if claims.get(name, {}).get("digest") == entry.digest else KERNEL
        for name, entry in ledger.items()
        if entry.digest and entry.verdict in ("proved", "refuted")
    }


def _checked_by(claim: Mapping[str, Mapping[str, str]]) -> str:
    proved, rest = len(claim["theorems"]), len(claim["kernel only"])
    if not proved:
        return KERNEL
    return f"{KERNEL}, and {proved} of {proved + rest} parts by Coq as well" if rest else WHOLLY


def coverage(by: Iterable[str]) -> str:
    """How many statements Coq proves or refutes as well, in a sentence."""
    count = Counter(text if text in (KERNEL, WHOLLY) else "in part" for text in by)
    total, whole, part = count.total(), count[WHOLLY], count["in part"]
    return f"Coq proves or refutes {whole:,} of the {total:,} statements that the kernel does, parts of {part:,} more"
