"""Search: which entries of the ledger, mechanisms and other named things have all words that are asked for.

Words are compared without capitals, hyphens, plural endings, and differences of British and American spelling; a word
is found by its beginning. What the field calls by several names is one table, `SYNONYMS`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from dp_checks.ledger import Entry, Ledger, default_path
from dp_checks.runtime.tex import terminal_text
from dp_checks.statements import path_beside
from dp_kernel.certificate.digest import laws
from dp_refimpl.mechanisms import RECORDS
from dp_refimpl.records import Record, always
from dp_refimpl.syntheses import SYNTHESES, Synthesis
from dp_spec.vocabulary.exceptions import DomainError, RefusedError
from dp_spec.vocabulary.names import require_name, suggestions
from dp_spec.vocabulary.source import paper_of

SYNONYMS: tuple[tuple[str, str], ...] = (
    ("GRR, k-RR, kRR, generalized randomized response, randomized response, direct encoding", "GRR"),
    ("SUE, symmetric unary encoding, basic RAPPOR", "SUE, RAPPOR"),
    ("OUE, optimized unary encoding", "OUE, unary encoding"),
    ("unary encoding, UE", "OUE, SUE, RAPPOR"),
    ("OLH, LH, local hashing, optimized local hashing", "OLH, local hashing"),
    ("subset selection, k-subset, SS, PrivSet", "SS"),
    ("HR, HM, Hadamard response, Hadamard mechanism", "HR, Hadamard response"),
    ("CMS, count-mean sketch, count sketch, Apple", "CMS, HCMS, count-mean sketch"),
    ("histogram encoding", "SHE, THE"),
    ("shuffle, shuffler, amplification, privacy blanket", "shuffled, amplify"),
    ("hockey-stick, privacy profile, privacy curve", "profile, δ_M(ε), divergence"),
    ("Laplace", "Lap"),
    ("geometric noise, discrete Laplace", "discrete Laplace"),
    ("variance, MSE, mean squared error", "var, MSE"),
    ("unbiased, unbiasedness, expectation, bias", "unbiasedness"),
    ("DP, differential privacy, differentially private, LDP, local differential privacy", "DP, LDP, privacy"),
    ("utility-optimized, ULDP, SULDP", "ULDP, SULDP"),
    ("epsilon, eps", "ε"),
    ("delta", "δ"),
    ("wavelet, Haar", "Privelet"),
    ("hierarchical, range tree", "tree"),
    ("synthetic data, data synthesis, Bayesian network", "synthetic, PrivBayes, HMPrivBayes"),
    ("mutual information", "MI"),
    ("set-valued, itemset", "set"),
    ("sketch, sketching", "CMS, HCMS"),
)
"""What people type, and what is found for it beside what they typed."""

ENGLISH = ("the", "she")
"""Names of mechanisms that are words as well: in a sentence only their capitals are the name."""
_SPELLINGS = (
    (re.compile(r"is(e|ed|er|es|ing|ation|ations)$"), r"iz\1"),
    (re.compile(r"our(s|ed|ing|hood)?$"), r"or\1"),
    (re.compile(r"(?<=[^su])s$"), ""),
)
_WORD = re.compile(r"[^\W_]+")
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z])")
NEVER = 1_000
"""The rank of what lacks a word."""


class Hit(NamedTuple):
    """Something with a name and a sentence, and what else is said of it in a few words; of a claim its verdict, too."""

    kind: str
    name: str
    sentence: str
    labels: str = ""
    verdict: str | None = None

    @property
    def word(self) -> str:
        """The verdict of a claim; what anything else is."""
        return self.verdict or self.kind


class NothingFoundError(RefusedError):
    """Words that nothing has; the message says what to try."""


class _Unit(NamedTuple):
    """What is asked for: a word that begins so (unless it is empty), or one of these phrases."""

    beginning: str
    phrases: tuple[tuple[str, ...], ...] = ()

    def __str__(self) -> str:
        return repr(" ".join(self.phrases[0]))

    def is_in(self, text: Sequence[str]) -> bool:
        if self.beginning and any(word.startswith(self.beginning) for word in text):
            return True
        return any(
            tuple(text[at : at + len(phrase)]) == phrase
            for phrase in self.phrases
            for at in range(len(text) - len(phrase) + 1)
        )


@cache
def words(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared."""
    stems = []
    for word in _WORD.findall(text.casefold()):
        for ending, other in _SPELLINGS:
            word = ending.sub(other, word)
        stems.append(word)
    return tuple(stems)


def search(asked: str, things: Iterable[Hit]) -> list[Hit]:
    """The things that have all words, those first that have them in their names, then in their labels.

    Of the readings of a row only those whose own name has one of them. Raises `DomainError` for text without a word,
    and `NothingFoundError` with what to try where nothing is found.
    """
    units, things = list(_units(words(asked))), list(things)
    if not units:
        raise DomainError("WORDS", asked, "words, for example: dp-refimpl search OUE variance")
    ranked = _ranked(units, things)
    if not ranked:
        raise NothingFoundError(_advice(units, things))
    return ranked


def _ranked(units: Sequence[_Unit], things: Sequence[Hit]) -> list[Hit]:
    ranked = [(_rank(units, thing), thing) for thing in things]
    return [thing for rank, thing in sorted(ranked, key=lambda pair: pair[0]) if rank < NEVER]


def _advice(units: Sequence[_Unit], things: Sequence[Hit]) -> str:
    """What to try where nothing has all words."""
    unknown = [unit for unit in units if not _ranked([unit], things)]
    if not unknown:
        fewer = {unit: len(_ranked([u for u in units if u is not unit], things)) for unit in units}
        best = max(fewer, key=lambda unit: fewer[unit])
        tried = f"without {best} {fewer[best]} are found" if fewer[best] else "try one of them"
        return f"nothing has all these words: {tried}"
    there = {word for thing in things for word in words(f"{thing.name} {thing.labels} {thing.sentence}")}
    near = [word for unit in unknown for word in suggestions(str(unit), (word for word in there if len(word) > 2))]
    tried = f"did you mean {' or '.join(near)}?" if near else "try a mechanism (dp-refimpl list names them) or a kind"
    return f"nothing has {' or '.join(map(str, unknown))}: {tried}"


def _units(asked: Sequence[str]) -> Iterator[_Unit]:
    """The longest phrases of the table first, and single words."""
    synonyms, at = _known(), 0
    while at < len(asked):
        length = next((n for n in range(len(asked) - at, 0, -1) if tuple(asked[at : at + n]) in synonyms), 0)
        phrase = tuple(asked[at : at + max(length, 1)])
        yield _Unit(phrase[0] if len(phrase) == 1 else "", (phrase, *synonyms.get(phrase, ())))
        at += len(phrase)


@cache
def _known() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """What is found for a phrase of the table, itself included."""
    synonyms: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for typed, meant in SYNONYMS:
        phrases = tuple(words(phrase) for phrase in f"{typed}, {meant}".split(", "))
        synonyms |= {words(phrase): (*synonyms.get(words(phrase), ()), *phrases) for phrase in typed.split(", ")}
    return synonyms


def _rank(units: Sequence[_Unit], thing: Hit) -> int:
    """The sum over the words of 0 (in the name), 1 (in the labels) or 2 (in the sentence)."""
    reading = thing.name.partition("@")[2]
    if reading and not any(unit.is_in(words(reading)) for unit in units):
        return NEVER
    name = words(f"{thing.name} {_PARTS.sub(' ', thing.name)}")
    fields = (name, words(thing.labels), words(thing.sentence))
    return sum(next((rank for rank, text in enumerate(fields) if unit.is_in(text)), NEVER) for unit in units)


def claims(ledger: Mapping[str, Entry]) -> Iterator[Hit]:
    """The entries of the ledger."""
    for entry in ledger.values():
        data = entry.data
        labels = f"{data['kind']} {terminal_text(data['place'])} {paper_of(entry.id).short}"
        yield Hit("claim", entry.id, entry.sentence, labels, entry.verdict)


def mechanisms() -> Iterator[Hit]:
    """The mechanisms of users and those on tables."""
    for record in _records():
        yield Hit("mechanism", record.name, record.law, " ".join((*names_of(record)[1:], record.report)))


def _records() -> Iterator[Record]:
    yield from RECORDS.values()
    yield from SYNTHESES.values()


def names_of(record: Record) -> tuple[str, ...]:
    """The name of a mechanism, other names of the literature, and the name of its oracle, if it has one of its own."""
    own: tuple[str, ...] = getattr(record, "oracles", None) or ()
    return tuple(dict.fromkeys((record.name, *record.aliases, *(own if len(own) == 1 else ()))))


def about(mechanism: str, ledger: Ledger) -> set[str]:
    """The ids of the entries about a mechanism: with its law, or, without a law, with one of its names; and those that
    its oracle rests on.

    Raises `DomainError` with suggestions for an unknown name.
    """
    named: dict[str, Record] = {}
    for record in _records():
        named |= {name: record for name in names_of(record) if name not in named}
    record = named[require_name("--mechanism", mechanism, named)]
    own = set(getattr(record, "laws", ()))
    same = {words(phrase) for phrase in names_of(record)} | {words(_PARTS.sub(" ", record.name))}
    for typed, _ in SYNONYMS:
        phrases = {words(phrase) for phrase in typed.split(", ")}
        same |= phrases if phrases & same else set()
    english = [name for name in names_of(record) if name.casefold() in ENGLISH]
    unit, stated = _Unit("", tuple(same - set(map(words, english)))), _laws(ledger)
    claims = record.claims if isinstance(record, Synthesis) else getattr(record, "claims", always())({})
    rests_on = set(claims)

    def is_about(entry: Entry) -> bool:
        if {entry.id, entry.data.get("row")} & rests_on or stated[entry.id] & own:
            return True
        text = f"{entry.id} {entry.data['place']} {entry.sentence}"
        if own and stated[entry.id]:
            return False
        return unit.is_in(words(text)) or any(re.search(rf"\b{name}\b", text) for name in english)

    return {i for i, entry in ledger.items() if is_about(entry)}


def _laws(ledger: Ledger) -> dict[str, set[str]]:
    """The names of the laws in the statement of every entry; of a row with readings, in those of its readings."""
    own = _stated_laws(path_beside(default_path()))
    return {
        i: own.get(i, set()).union(*(own.get(reading, set()) for reading in e.data.get("readings", ())))
        for i, e in ledger.items()
    }


@cache
def _stated_laws(statements: Path) -> dict[str, set[str]]:
    """The names of the laws in every formal statement, by its id."""
    read = json.loads(statements.read_text(encoding="utf-8"))
    return {i: {str(law["mechanism"]) for law in laws(statement)} for i, statement in read.items()}
