"""Which terms of laws have a meaning, and what their reports look like. Trusted: what has none is not translated."""

from typing import Any

from dp_coq.expressions import Outside

BITS = ("0", "1")
ROWS: dict[str, tuple[str, ...]] = {
    "sen": ("own", "other", "any"),
    "non": ("own", "other", "any"),
    "*": ("any",),
} | dict.fromkeys(("sen1", "sen0", "non1", "non0"), BITS)
"""The classes of outputs of a row, by its kinds of inputs."""
TABLES = {
    frozenset({"sen"}): "label",
    frozenset({"sen", "non"}): "label",
    frozenset({"*"}): "label",
    frozenset({"sen1", "sen0"}): "bit",
    frozenset({"sen1", "sen0", "non1", "non0"}): "bit",
}
"""The kinds of inputs that a table has rows for, and what it shows."""
BESIDE = {"label": "labels", "labels": "labels", "bits": "tuple", "tuple": "tuple"}
SHAPES = {
    "each items": {"bit": "bits"},
    "each held": {"label": "slots", "bits": "vectors"},
    "drawn": {"label": "drawn label", "bits": "drawn bits"},
    "pair": BESIDE,
    "copies": BESIDE,
    "thinned": dict.fromkeys(BESIDE, "tuple"),
    "push multiset": {"slots": "seen"},
    "push set": {"slots": "seen"},
    "push position": {"slots": "seen"},
    "push one": {"label": "seen", "drawn label": "seen"},
    "push bits": {"bits": "seen", "drawn bits": "seen"},
    "push vectors": {"vectors": "seen"},
    "push sorted": {"labels": "seen"},
}
"""What outcomes look like, by what those of the law inside look like; what is `seen` is the last of all."""


def laws_in(term: Any) -> list[Any]:
    """The laws that a law is made of."""
    return [part for part in term[1:] if isinstance(part, list) and part[0] in LAWS]


def is_of_one_item(term: Any) -> bool:
    """Whether a law is about one item."""
    return bool(term[0] == "row" or (term[0] in ("push", "copies", "pair", "thinned") and any_of(term)))


def any_of(term: Any) -> bool:
    return any(is_of_one_item(part) for part in laws_in(term))


def all_sensitive(term: Any) -> bool:
    """Whether a law has no items that are not sensitive."""
    kinds = term[1] if term[0] == "row" else ()
    return not any(kind.startswith("non") for kind in kinds) and all(all_sensitive(part) for part in laws_in(term))


def shape(term: Any) -> str:
    """What an outcome looks like. Raises `Outside` for a term without a meaning, or that is not covered."""
    word = " ".join(term[:2]) if term[0] in ("each", "push") else term[0]
    if word == "row":
        if any(not {*ROWS.get(kind, ())}.issuperset(cells) for kind, cells in term[1].items()):
            raise Outside("labels beside an item")
        return TABLES.get(frozenset(term[1]), "")
    if word not in SHAPES:
        raise Outside(f"laws with {term[0]}")
    if word == "push sorted" and not all_sensitive(term):
        raise Outside("reports that do not say which items are shown")
    inner = {SHAPES[word].get(shape(part), "") for part in laws_in(term)}
    if not inner or "" in inner:
        raise Outside("a term without a meaning")
    return inner.pop() if len(inner) == 1 else "tuple"


LAWS = ("row", *(word.split()[0] for word in SHAPES))
