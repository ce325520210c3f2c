"""Published choices of laws: which functions are listed, in the declared order, where programs are tied to laws and
counterexamples are sought."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from flint import fmpq

from dp_spec.vocabulary.law import SEPARATING, Law

At = dict[str, Any]
"""Sizes m, K, N, and what a law has besides: labels b, dummies c, the size k of subsets, and `functions`, the labels of
all items, function by function."""
MOST_ITEMS, MOST_LABELS, MOST_ROWS, MOST_DUMMIES = 3, 2, 2, 2


def choices(law: Law) -> list[str]:
    """The names of the published choices of a law, the outermost one first."""

    def named(of: Any) -> Iterator[str]:
        if isinstance(of, tuple):
            yield from [of[1]] if of[0] == "mix" else []
            for part in of:
                yield from named(part)

    return [*named(law.term)]


def families(law: Law, at: At) -> dict[str, list[list[Any]]]:
    """The choices as certificates list them, each with its probability."""
    functions = {name: _columns(at["b"]) if name == "coordinates" else at["functions"] for name in choices(law)}
    return {name: [[str(Fraction(1, len(of))), image] for image in of] for name, of in functions.items()}


def instances(law: Law) -> Iterator[At]:
    """Where the program of a law is compared with it, in the declared order."""
    yield from _INSTANCES[law.unit](law)


def with_premise(law: Law, values: Mapping[str, Any]) -> Iterator[At]:
    """Small instances at which the functions have the law's premise."""
    premise = law.families.get(choices(law)[0]) if choices(law) else None
    if law.unit == "messages" and choices(law):
        yield from _of_all_functions(law)
    elif law.unit != "sketches" or premise is None or law.mechanism == "hadamard-response":
        yield from instances(law)
    elif premise == SEPARATING:
        yield from (at for at in instances(law) if any(len(set(labels)) > 1 for labels in at["functions"]))
    else:
        yield from _with_chance(law, lambda b: premise.evaluate({**values, "b": b}))


def _of_all_functions(law: Law) -> Iterator[At]:
    """Any two items share a label with chance 1/b."""
    for b, d, c in product((2, 3), (1, 2), (0, 1)):
        yield _at(d, product(range(b), repeat=d), b=b, c=c)


def _with_chance(law: Law, chance: Callable[[int], Any]) -> Iterator[At]:
    """Chances of a shared label are those under all functions, or if these and constant ones are equally likely."""
    for d, b in product(range(1, MOST_ITEMS + 1), _labels(law)):
        every = [*product(range(b), repeat=d)]
        constant = [(label,) * d for label in range(b)] * (len(every) // b)
        for functions in (every, every + constant):
            pairs = combinations(range(d), 2)
            shared = {fmpq(sum(h[x] == h[y] for h in functions), len(functions)) for x, y in pairs}
            if shared <= {chance(b)}:
                yield _at(d, functions, b=b)
                break


# --- what is listed ---------------------------------------------------------------------------------------------------


def _listed(law: Law) -> Iterator[At]:
    """Up to 3 items, 2 labels, 2 functions: all lists of functions (all different, where a report shows which one it
    was), for one item or two, for up to 2 dummies (1, where every message has its own function); of Hadamard response
    all coordinates, for up to 4 items. Then some with more labels, so that entries of the law that are alike for two
    are told apart."""
    if law.mechanism == "hadamard-response":
        yield from (_at(d, _columns(d), b=2) for d in range(1, MOST_ITEMS + 2))
        return
    held, dummies = (1, 2) if law.term[0] == "each" else (1,), _dummies(law)
    alike = law.unit == "sketches" and law.mechanism != "local_hashing-olh"
    lists = combinations_with_replacement if alike else combinations
    for d, b in product(range(1, MOST_ITEMS + 1), _labels(law)):
        for number, m, more in product(range(1, MOST_ROWS + 1), held, dummies):
            for functions in lists(product(range(b), repeat=d), number):
                if m <= d:
                    yield _at(d, functions, m, b=b, **more)
    if law.unit == "messages":
        yield from (_at(2, [(0, label)], b=MOST_LABELS + 1, **dummies[-1]) for label in range(2))
    elif "b" in law.integers:
        yield from _wider(law, held[-1])


def _wider(law: Law, m: int) -> Iterator[At]:
    """3 labels (4 where a Hadamard matrix has to have that size), 2 or 3 items, functions up to the names of labels,
    one of them or (for one item) all."""
    b = 4 if law.mechanism == "hadamard-hcms" else 3
    for d in (2, 3):
        every = [h for h in product(range(d), repeat=d) if all(h[i] <= max(h[:i], default=-1) + 1 for i in range(d))]
        yield from (_at(d, functions, m, b=b) for functions in [*([h] for h in every), *([every] if m == 1 else [])])


def _messages(law: Law) -> Iterator[At]:
    if choices(law):
        yield from _listed(law)
    else:
        numbers = range(MOST_DUMMIES + 1) if "c" in law.integers else [0]
        yield from (_at(d, c=c) for d, c in product(range(1, MOST_ITEMS + 1), numbers))


def _subsets(law: Law) -> Iterator[At]:
    """Sizes of at most 4 items (3 and dummies)."""
    for d in range(1, 4 if law.brought else 5):
        for m in range(1, d + bool(law.brought)):
            yield from (_at(d, m=m, k=k) for k in range(1, (d if law.brought else d - m) + 1))


def _at(d: int, functions: Iterable[Iterable[int]] = (), m: int = 1, **more: int) -> At:
    """An instance."""
    listed = [list(image) for image in functions]
    return {"m": m, "K": d, "N": 0, **({"functions": listed} if listed else {}), **more}


def _dummies(law: Law) -> list[dict[str, int]]:
    """The numbers of dummies that are tried, where there are some."""
    if law.unit != "messages":
        return [{}]
    return [{"c": c} for c in range((MOST_DUMMIES if law.mechanism == "messages-shared" else 1) + 1)]


def _labels(law: Law) -> range:
    """The numbers of labels that are tried."""
    return range(law.integers.get("b", 1), (MOST_LABELS if "b" in law.integers else 1) + 1)


def _columns(d: int) -> list[list[int]]:
    """The labels of the items at the coordinates of the matrix: 0 for the sign 1."""
    size = 1 << (d - 1).bit_length()
    return [[(i & j).bit_count() % 2 for j in range(d)] for i in range(size)]


_INSTANCES: Mapping[str, Callable[[Law], Iterator[At]]] = {
    "messages": _messages,
    "sketches": _listed,
    "subsets": _subsets,
}
