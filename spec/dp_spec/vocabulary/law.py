"""Laws of mechanisms as terms of a small grammar: data that states the law, that the kernel enumerates at any size,
that the program is tied to and that the page shows.

A user holds a set s of items of X = X_sen + X_non, |X_sen| = K, |X_non| = N; an output is (y0, I): what is protected,
and the non-sensitive items that are shown as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dp_spec.vocabulary.term import Term, read, term, var

K, M, N, USERS = var("K"), var("m"), var("N"), var("n")
F, G = var("f"), var("g")
"""|X_sen|, set size, |X_non|, number of users, frequency of the item in question, total frequency of X_non."""
KAPPA1, KAPPA2, SQUARED = var("kappa1"), var("kappa2"), var("squared")
"""Sums over the other users of the share kappa of the public choices under which their item has the label of the item
in question, and of kappa^2, by n; the sum of f_y^2 over the other items."""
SEPARATING = var("separating")
"""A premise of a family: some two items have different labels under some choice."""

LawTerm = tuple[Any, ...]
"""A node (name, arguments...) of the grammar below."""

Entries = Mapping[str, Mapping[str, Term]]
"""Kind of input -> class of outputs -> probability of each output of the class."""


def row(entries: Entries) -> LawTerm:
    """One input, one output. Kinds: `sen`, `non` (an item), or `sen1`, `sen0`, `non1`, `non0` (an item by membership).

    Classes: `own` (the input itself), `other` (each sensitive label that is not the input), `any` (each sensitive
    label), `pad` (the input beside each sensitive label), or a literal output `0`, `1`.
    """
    return ("row", {kind: dict(classes) for kind, classes in entries.items()})


def item(own: Term, other: Term, kept: Term | None = None) -> LawTerm:
    """An item: itself or another sensitive one; a non-sensitive item is kept, or any sensitive one."""
    sensitive = {"own": own, "other": other}
    return row({"sen": sensitive} if kept is None else {"sen": sensitive, "non": {"own": kept, "other": other}})


def bits(held: Term, other: Term, kept: Term | None = None) -> LawTerm:
    """A bit for every item: 1 with these probabilities; for a non-sensitive item only if it is held."""
    sensitive = {"sen1": {"1": held, "0": 1 - held}, "sen0": {"1": other, "0": 1 - other}}
    if kept is None:
        return each("items", row(sensitive))
    return each("items", row(sensitive | {"non1": {"1": kept, "0": 1 - kept}, "non0": {"0": term(1)}}))


def each(over: Literal["held", "items"], of: LawTerm) -> LawTerm:
    """Independently for every held item, or for every item of X."""
    return ("each", over, of)


def drawn(of: LawTerm) -> LawTerm:
    """One held item, uniformly."""
    return ("drawn", of)


def pair(first: LawTerm, second: LawTerm) -> LawTerm:
    """Two independent laws side by side."""
    return ("pair", first, second)


def copies(number: Term, of: LawTerm) -> LawTerm:
    """Independent copies side by side."""
    return ("copies", number, of)


def mix(family: str, labels: Term, of: LawTerm) -> LawTerm:
    """A published choice made without the data maps the item to one of `labels` labels, a world of its own."""
    return ("mix", family, labels, of)


def thinned(chance: Term, of: LawTerm) -> LawTerm:
    """The report with this chance, else nothing; drawn without the data."""
    return ("thinned", chance, of)


def subset(size: Term, hit: Term, miss: Term) -> LawTerm:
    """A `size`-subset of X: its probability if it meets s, if it misses s."""
    return ("subset", size, hit, miss)


def interval(family: str, length: Term, weight: Term) -> LawTerm:
    """A point of the circle [0, 1): density weight / Omega on the arcs of the held items, constant elsewhere; arcs of
    the given length start at the items' hash values, which are published."""
    return ("hashed", family, ("interval", length, weight))


def dummies(kind: Literal["sen", "non"], of: LawTerm) -> LawTerm:
    """A set of at most m items is completed to m by the first of m dummy items of the kind, which join X."""
    return ("dummies", kind, of)


def push(by: str, of: LawTerm) -> LawTerm:
    """A function of the outcome."""
    return ("push", by, of)


PUSHES: Mapping[str, str] = {"sen": "bits"}
"""Views whose function has another name."""


@dataclass(frozen=True)
class Law:
    """A symbolic law: e^epsilon = base^power > 1, and the term. `parameters` are variables strictly between 0 and 1.

    `families`: of a published choice of `mix` the chance that two different items share a label, the same for any
    two, or `SEPARATING`; nothing is assumed of a choice that is not named. `integers`: further sizes with their least
    values.
    """

    mechanism: str
    base: str
    power: Term
    term: LawTerm = field(hash=False)
    parameters: tuple[str, ...] = ()
    families: Mapping[str, Term] = field(default_factory=dict, hash=False)
    integers: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def root(self) -> Term:
        """The variable whose power is e^epsilon."""
        return var(self.base)

    @property
    def e_eps(self) -> Term:
        """e^epsilon."""
        return self.root**self.power

    @property
    def all_sensitive(self) -> bool:
        """Whether there are no non-sensitive items."""
        if self.unit == "subsets":
            return True
        if self.brought:
            before = Law(self.mechanism, self.base, self.power, self.term[-1])
            return self.brought != ("dummies", "non") and before.all_sensitive
        return (self.unit == "arcs" and self.term[0] != "push") or (self.unit != "arcs" and self.r is None)

    @property
    def unit(self) -> Literal["items", "bits", "arcs", "subsets", "sketches", "messages"]:
        """What a report is made of."""
        nodes = list(_nodes(self.term))
        if any(node[0] == "pair" for node in nodes):
            return "messages"
        if any(node[0] == "mix" for node in nodes):
            return "sketches"
        if any(node[0] == "hashed" for node in nodes):
            return "arcs"
        if any(node[0] == "subset" for node in nodes):
            return "subsets"
        return "bits" if any(node[:2] == ("each", "items") for node in nodes) else "items"

    @property
    def draw(self) -> Literal["all", "one", "each"]:
        """Whether the set is reported in one report, one drawn item, or every item in a report of its own."""
        if any(node[0] == "drawn" for node in _nodes(self.term)):
            return "one"
        return "each" if self.unit == "bits" and any(n[:2] == ("each", "held") for n in _nodes(self.term)) else "all"

    @property
    def p(self) -> Term:
        """The chance of a held item's own result (of its bit, of a point in its arc)."""
        if self.unit == "arcs":
            covered = M * self.q
            hit: Term = self.q * self.root / (covered * self.root + 1 - covered)
            return hit
        return self._entry(("sen", "own"), ("sen1", "1"))

    @property
    def q(self) -> Term:
        """The chance of another result, of another item's bit; the length of an arc."""
        if self.unit == "arcs":
            length: Term = next(node for node in _nodes(self.term) if node[0] == "interval")[1]
            return length
        return self._entry(("sen", "other"), ("sen0", "1"))

    @property
    def r(self) -> Term | None:
        """The chance that a non-sensitive item is shown; None without such items."""
        if self.unit == "arcs":
            return 1 - self.p if self.term[0] == "push" else None
        entries = self._row()
        if "pad" in entries.get("non", {}):
            chance: Term = entries["non"]["pad"] * K
            return chance
        return self._entry(("non", "own"), ("non1", "1")) if any(x.startswith("non") for x in entries) else None

    @property
    def view(self) -> str:
        """What is seen: the name under which `in_view` makes this law."""
        if self.unit == "arcs":
            name: str = next(node for node in _nodes(self.term) if node[0] == "hashed")[1]
            return name
        of = self.term[-1] if self.brought else self.term
        if of[0] != "push":
            return "vector"
        pushed: str = of[1]
        return {"bits": "sen", "vectors": "sen"}.get(pushed, pushed)

    @property
    def brought(self) -> LawTerm:
        """The outermost node that brings sets of other sizes to m items, without its law; () if there is none."""
        return self.term[:-1] if self.term[0] in ("dummies", "sampled", "filled") else ()

    def of(self, *node: str) -> "Law":
        """The law of sets of other sizes: ("dummies", kind), ("sampled",) or ("filled",) before what is seen here."""
        return replace(self, term=(*node, self.term))

    def in_view(self, view: str) -> "Law":
        """The law of what is seen of a report: `vector` all of it, the others a function of the outcome.

        A law that is seen in this view already is itself. `padded`: slots of shown items are filled with uniformly
        drawn sensitive ones. On arcs the view names the family of hash functions.
        """
        of = self.term
        if view == self.view and (of[0] in ("push", "hashed") or self.brought):
            return self
        if self.unit == "arcs":
            family = of[2] if of[0] == "push" else of
            hashed = ("hashed", view, family[2])
            of = push("emit", hashed) if of[0] == "push" else hashed
        elif view == "padded":
            kept, other = self._entry(("non", "own")), self.q
            padded = row({"sen": self._row()["sen"], "non": {"pad": kept / K, "other": other}})
            of = push("padded", each("held", padded))
        elif view not in ("vector", "subset"):
            of = push("vectors" if self.draw == "each" else PUSHES.get(view, view), of)
        return replace(self, term=of)

    def rebased(self, values: Mapping[str, Term], base: str, power: Term) -> "Law":
        """The same law written in another root: values put for variables, e^epsilon = base^power."""
        return Law(self.mechanism, base, power, _substituted(self.term, values), self.parameters)

    def json(self) -> dict[str, Any]:
        """The law as plain data."""
        premises = {name: chance.json() for name, chance in self.families.items()}
        more: dict[str, Any] = {"families": premises} if premises else {}
        more |= {"integers": dict(self.integers)} if self.integers else {}
        return more | {
            "mechanism": self.mechanism,
            "base": self.base,
            "power": self.power.json(),
            "parameters": list(self.parameters),
            "term": term_json(self.term),
        }

    def _row(self) -> Entries:
        entries: Entries = next(node for node in _nodes(self.term) if node[0] == "row")[1]
        return entries

    def _entry(self, *cells: tuple[str, str]) -> Term:
        entries = self._row()
        return next(entries[kind][name] for kind, name in cells if kind in entries)


def _nodes(node: Any) -> Any:
    if isinstance(node, tuple):
        yield node
        for child in node[1:]:
            yield from _nodes(child)


def _substituted(node: Any, values: Mapping[str, Term]) -> Any:
    if isinstance(node, Term):
        return node.substitute(values)
    if isinstance(node, dict):
        return {name: _substituted(child, values) for name, child in node.items()}
    return tuple(_substituted(child, values) for child in node) if isinstance(node, tuple) else node


def term_json(node: Any) -> Any:
    """A term of the grammar as plain data."""
    if isinstance(node, Term):
        return node.json()
    if isinstance(node, dict):
        return {name: term_json(child) for name, child in node.items()}
    return [term_json(child) for child in node] if isinstance(node, tuple) else node


def read_law(data: Mapping[str, Any]) -> Law:
    """The law that `Law.json` writes. Raises `DomainError` for expressions that are none."""
    fixed = (data["mechanism"], data["base"], read(data["power"]))
    term_of, more = _read_term(data["term"]), data.get("integers", {})
    return Law(*fixed, term_of, tuple(data["parameters"]), integers=more)


_NODES = frozenset(
    {
        "row",
        "each",
        "drawn",
        "pair",
        "copies",
        "mix",
        "thinned",
        "subset",
        "hashed",
        "interval",
        "dummies",
        "sampled",
        "filled",
    }
    | {"push"}
)
_NAMED = {"each": 1, "mix": 1, "hashed": 1, "dummies": 1, "push": 1}
"""How many of a node's arguments are names."""


def _read_term(node: Any) -> Any:
    name, *arguments = node
    if name == "row":
        return ("row", {kind: {c: read(tree) for c, tree in cells.items()} for kind, cells in arguments[0].items()})
    names = arguments[: _NAMED.get(name, 0)]
    rest = arguments[len(names) :]
    return (name, *names, *(_read_term(x) if isinstance(x, list) and x[0] in _NODES else read(x) for x in rest))


@dataclass(frozen=True)
class Estimator:
    """f_x estimated by (F_x / n - offset - per_invertible * T / n) / slope, T the number of invertible data sent."""

    slope: Term
    offset: Term
    per_invertible: Term | None = None

    def shifted(self, dummies: str) -> "Estimator":
        """The estimator on a domain that m dummy items of a kind have joined."""
        larger = {"K": K + M} if dummies == "sen" else {"N": N + M}
        parts = (self.slope, self.offset, self.per_invertible)
        return Estimator(*(None if part is None else part.substitute(larger) for part in parts))  # type: ignore[arg-type]
