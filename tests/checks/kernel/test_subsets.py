"""The kernel's checks about subsets: planted faults make it accept a false certificate or reject a real one."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

import pytest

import false_subsets
import plain_privset
from certificates import certified, real
from dp_checks.kernel import Rejected, subset_counts, subset_errors, subsets, verify
from dp_checks.kernel.subset_counts import Counts, counts, require_recounted, rows, spread
from dp_spec.frequency.privset import PADDED, PLAIN
from dp_spec.vocabulary.subset_statements import SubsetTable
from planted import FALSE
from subset_certificates import OTHERS_ON_SUBSETS, REPRESENTATIVE

OURS = {name: FALSE[name] for name in vars(false_subsets) if name in FALSE}


def table(stated: SubsetTable) -> Any:
    return {"reading": stated.reading, "hit": stated.hit.json(), "miss": stated.miss.json()}


def other_laws() -> Iterator[str]:
    """Where the kernel's laws and chances are not those by brute force."""
    w = Fraction(3, 2)
    for stated, d, m, k in ((PLAIN, 4, 2, 2), (PADDED, 2, 2, 1), (PADDED, 3, 1, 2), (PLAIN, 3, 2, 1)):
        padded = stated.reading == "padded"
        size = plain_privset.outputs(d, m, padded)
        if subset_counts.chances(table(stated), size, m, k, w) != plain_privset.chances(d, m, k, w, padded):
            yield f"chances of {(stated.reading, d, m, k)}"
        at = {"D": size, "m": m, "k": k, "w": w}
        hit, miss = (entry.evaluate(at) for entry in (stated.hit, stated.miss))
        held = dict(subset_counts.rows(stated.reading, d, m, k, hit, miss))
        if len(held) != sum(comb(d, size) for size in range(0 if padded else m, m + 1)):
            yield f"sets at {(stated.reading, d, m, k)}"
        for s, row in held.items():
            if {frozenset(o): p for o, p in row.items()} != plain_privset.privset(frozenset(s), d, m, k, w, padded):
                yield f"law of {s} at {(stated.reading, d, m, k)}"


def misjudged() -> Iterator[str]:
    for name, (build, _) in OURS.items():
        try:
            verify(build())
        except Rejected:
            continue
        yield f"accepted: {name}"
    listed = [real(name) for name in REPRESENTATIVE] + [certified(*other) for other in OTHERS_ON_SUBSETS]
    for certificate in listed:
        try:
            verify(certificate)
        except Rejected as error:
            yield f"rejected: {certificate['id']}: {error}"
    try:
        require_recounted.__wrapped__()
    except Rejected as error:
        yield f"recounted: {error}"
    yield from other_laws()


def test_the_kernel_misjudges_nothing() -> None:
    assert len(OURS) > 40
    assert list(misjudged()) == []


def always(value: Any) -> Any:
    return lambda *args, **options: value


def counted(**changes: Any) -> Any:
    """The counting lemma with a number replaced."""

    def wrong(outputs: int, m: int, k: int) -> Counts:
        number = counts(outputs, m, k)
        return number._replace(**{name: change(number, outputs, m, k) for name, change in changes.items()})

    return wrong


relations, one_item, atoms, summed = (
    subset_counts.relations,
    subset_counts.one_item,
    subset_counts.atoms,
    subset_errors._summed,
)


def wider_atoms() -> Any:
    number, ranges = atoms()
    return number._replace(hitting=number.hitting + number.apart), ranges


def unchecked_sizes(t: Any, at: Any, names: Any, largest: int = 10) -> tuple[int, int, int]:
    """Without a look at m; endless enumerations stay excluded."""
    if at["d"] > largest:
        raise Rejected("an instance of at most 10 outputs")
    return at["d"], at["d"] + at["m"] * (t["reading"] == "padded"), at["m"]


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "counts: missing without m": (subset_counts, "counts", counted(missing=lambda n, d, m, k: n.missing + 1)),
    "counts: hitting are all": (subset_counts, "counts", counted(hitting=lambda n, d, m, k: n.missing + n.hitting)),
    "counts: having k of D": (subset_counts, "counts", counted(having=lambda n, d, m, k: n.hitting)),
    "counts: apart is missing": (subset_counts, "counts", counted(apart=lambda n, d, m, k: n.missing)),
    "spread: one factor more": (
        subset_counts,
        "spread",
        lambda d, m, k: spread(d, m + 1, k) if m + 1 < d else spread(d, m, k),
    ),
    "atoms: too many meet the set": (subset_counts, "atoms", wider_atoms),
    "relations: D for D - m": (
        subset_errors,
        "relations",
        lambda d, m, k, u: relations(d, m, k, u)._replace(missing=d),
    ),
    "one item: D for D - 1": (
        subset_errors,
        "one_item",
        lambda d, k: one_item(d, k)._replace(having=d * k),
    ),
    "errors: held items only": (subset_errors, "_summed", lambda p, q, held, others: summed(p, q, held, 0)),
    "errors: without the slope": (subset_errors, "_summed", lambda p, q, a, b: summed(p, q, a, b) * (p - q) * (p - q)),
    "definedness is not shown": (subset_errors, "require_defined", always(None)),
    "poles of tables and estimators": (subset_counts, "require_defined", always(None)),
    "signs of factors": (subset_errors, "is_nonnegative", always(True)),
    "signs of probabilities": (subset_counts, "is_nonnegative", always(True)),
    "no sign is ever shown": (subset_errors, "is_nonnegative", always(False)),
    "every instance fits": (subset_errors, "_fits", always(True)),
    "sizes are not looked for": (subset_errors, "_require_sizes", always(None)),
    "the factor of the two probabilities": (subsets, "_require_factor", always(None)),
    "budgets are not checked": (subsets, "number_at", lambda at, name: Fraction(at[name])),
    "set sizes are not checked": (subsets, "sizes", unchecked_sizes),
    "a set is compared with itself only": (subsets, "_largest", lambda s, at: (Fraction(1), Fraction(at["w"]))),
    "everything is a law": (subsets, "_is_law", always(True)),
    "nothing is a law": (subsets, "_is_law", always(False)),
    "every estimator is biased": (subsets, "_is_biased", always(True)),
    "the first k is best": (subset_errors, "_best", always([1])),
    "every formula is wrong": (subset_errors, "_is_best", always(False)),
    "dummies are not items of the set": (
        subset_counts,
        "rows",
        lambda reading, *rest: rows("plain", *rest) if reading == "plain" else iter(()),
    ),
    "errors always above": (subset_errors, "_is_above", always(True)),
    "errors never above": (subset_errors, "prove", always(None)),
    "second differences are 0": (subset_errors, "_second_difference", always(0)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in REPRESENTATIVE:
        real(name)  # made before the kernel is broken
    module, name, replacement = FAULTS[fault]
    assert hasattr(module, name)
    for user in (subset_errors, subsets):
        if getattr(user, name, None) is getattr(module, name) and module is subset_counts:
            monkeypatch.setattr(user, name, replacement)
    monkeypatch.setattr(module, name, replacement)
    assert next(misjudged(), None) is not None


def test_the_recount_is_not_repeated() -> None:
    """It is the same every time, and certificates need it each time."""
    require_recounted()
    before = require_recounted.cache_info().hits
    require_recounted()
    assert require_recounted.cache_info().hits == before + 1
