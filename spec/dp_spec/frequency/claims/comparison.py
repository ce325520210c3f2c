"""Formal statements: the comparison of source 002, section 4.4, with Table 2."""

from collections.abc import Mapping
from dataclasses import replace

from dp_spec.frequency import total_errors, wheel
from dp_spec.frequency.claims.baselines import CLASSES
from dp_spec.frequency.experiment_sizes import TABLE4
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Bounded, Formula, Total, Value, errors, ordered
from dp_spec.vocabulary.law import USERS, F, G, K, M, N
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, MANY, NATURAL, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import All, Domain, Range, Relation, conjunction
from dp_spec.vocabulary.term import Term, exp, term, var

EPS, H, T, W, E0 = var("eps"), var("h"), var("t"), var("w"), var("e0")
SMALL = {"eps": POSITIVE}
SETS = {"m": SOME, "K": SOME}
DATA = {**SETS, "N": NATURAL, "n": SOME, "g": ANY_SIZE}
POSSIBLE = (M - G, N - G, K - M + G)
"""f(X_non) = g: at most m and |X_non|, and the other m - g items are among |X_sen|."""
ONE_CLASS: Mapping[str, Term] = {"g": term(0)}
EVERY_ITEM: Mapping[str, Term] = {"K": K + N, "g": term(0)}
"""A mechanism that treats all of X as sensitive."""


def data(*constraints: Term, **variables: Range) -> Domain:
    """All data sets of m-sets: the ranges of further variables, narrower ranges, further constraints."""
    return Domain({**variables, **{x: r for x, r in DATA.items() if x not in variables}}, (*constraints, *POSSIBLE))


def roots(epsilon: Term) -> dict[str, Term]:
    """The root of e^epsilon that each mechanism uses."""
    split, halves = exp(epsilon / M), exp(epsilon / (2 * M))
    one = {"sugrr": split, "sugrrsample": exp(epsilon), "surap": halves, "surapsample": exp(epsilon / 2)}
    five = {**one, "suwheel": exp(epsilon), "urap": halves, "urr": split}
    return {
        **five,
        **{existing: five[su] for su, existing in zip(total_errors.FIVE, total_errors.EXISTING, strict=True)},
    }


ROOTS = roots(EPS)
RATIONAL_ROOTS = {"sugrr": T**2, "sugrrsample": T ** (2 * M), "surap": T, "surapsample": T**M, "suwheel": T ** (2 * M)}
"""With e^(epsilon / 2m) = t."""
OWN_ROOTS = {"sugrr": E0, "sugrrsample": W, "surap": T, "surapsample": H, "suwheel": W}


ALL_TOTALS = {
    **total_errors.FIVE,
    **total_errors.EXISTING,
    "urap": total_errors.URAP_SPLIT,
    "urr": total_errors.URR_SPLIT,
}


def sensitive(total: Total) -> Total:
    """The part of the sensitive items."""
    return Total(total.sensitive)


def others(total: Total) -> Total:
    """The part of the non-sensitive items."""
    return Total(nonsensitive=total.nonsensitive)


# --- Table 2 ------------------------------------------------------------------------------------------------------

ENTRIES: dict[str, tuple[Term, Term]] = {
    "sugrr": (M**3 * K**2 / (USERS * EPS**2), M * K * G / (USERS * EPS)),
    "sugrrsample": (M**2 * K**2 / (USERS * EPS**2), M**2 * K * G / (USERS * EPS)),
    "surap": (M**2 * K / (USERS * EPS**2), M * G / (USERS * EPS)),
    "surapsample": (M**2 * K / (USERS * EPS**2), M**2 * G / (USERS * EPS)),
    "suwheel": (M * K / (USERS * EPS**2), G / (M * USERS)),
}
"""Inside O(.): the part of the sensitive items, the part of the others."""
ENTRIES_EXISTING = {
    existing: ENTRIES[su][0] for su, existing in zip(total_errors.FIVE, total_errors.EXISTING, strict=True)
}
"""With d (here K) for |X_sen|."""


_BASE = Domain({**SMALL, **SETS, "n": DATA["n"]}, (1 - EPS, K - M))


def of_order(domain: Domain, error: Value, entry: Term, bound: str) -> Bounded:
    """error <= C entry for a number C ("upper"), and also entry <= C error ("theta")."""
    pairs = ((var("error"), entry), (entry, var("error")))
    return Bounded(domain, pairs if bound == "theta" else pairs[:1], values={"error": error}, budget=exp(EPS))


def _order(name: str, bound: str, entry: Term | None = None, k: Range = SETS["K"]) -> Bounded:
    if name in total_errors.EXISTING:
        domain = replace(_BASE, variables={**_BASE.variables, "K": k})
        stated = ENTRIES_EXISTING[name] if entry is None else entry
        return of_order(domain, Value(total_errors.EXISTING[name], ROOTS[name], ONE_CLASS), stated, bound)
    stated = ENTRIES[name][0] + ENTRIES[name][1] if entry is None else entry
    return of_order(data(1 - EPS, **SMALL, K=k), Value(total_errors.FIVE[name], ROOTS[name]), stated, bound)


_ITEM = Domain({**SMALL, "m": SETS["m"], "n": DATA["n"], "f": ANY_SIZE}, (1 - EPS, 1 - F))
_ITEM_ERROR = Value(total_errors.SUWHEEL.part("sensitive"), exp(EPS))
_EQ25 = wheel.EQ25_SENSITIVE.substitute({"w": exp(EPS)})
_LOWER_THAN = {"grr": SEVERAL, "grrsample": SEVERAL, "sugrr": SEVERAL}
_SAMPLED = {
    "sugrrsample": (ENTRIES["sugrrsample"][0] + M * K * G / (USERS * EPS), SEVERAL),
    "surapsample": (ENTRIES["surapsample"][0] + M * G / (USERS * EPS), SETS["K"]),
}
"""What the errors of the sampling mechanisms are of the order of."""

_TABLE2: dict[str, Formal] = {
    **{
        f"002.table2.{name}@{bound}": _order(name, bound)
        for name in (*total_errors.EXISTING, *total_errors.FIVE)
        for bound in ("upper", "theta")
    },
    **{f"002.table2.{name}@theta.corrected": _order(name, "theta", k=k) for name, k in _LOWER_THAN.items()},
    **{f"002.table2.{name}@theta.corrected": _order(name, "theta", entry, k) for name, (entry, k) in _SAMPLED.items()},
}


# --- which is smaller ---------------------------------------------------------------------------------------------

_MIXED = data(N=SOME)
"""|X_sen| < d."""


def pair(su: str, domain: Domain = _MIXED) -> Formula:
    """Each of the five against the mechanism it is built on, at the same data."""
    existing, root = total_errors.EXISTING[total_errors.BUILT_ON[su]], OWN_ROOTS[su]
    return errors(
        Domain({str(root.head): ABOVE_ONE, **domain.variables}, domain.constraints),
        {"su": Value(total_errors.FIVE[su], root), "existing": Value(existing, root, EVERY_ITEM)},
        ordered("lt", "su", "existing"),
        root ** total_errors.FIVE[su].law.power,
    )


PAIRS = conjunction(*(pair(su) for su in total_errors.FIVE))
_BUILT_ON_ROOTS = dict(zip(total_errors.EXISTING, RATIONAL_ROOTS.values(), strict=True))
_EACH_WITH_ALL = errors(
    Domain({**_MIXED.variables, "t": ABOVE_ONE}, _MIXED.constraints),
    {
        **{su: Value(total, RATIONAL_ROOTS[su]) for su, total in total_errors.FIVE.items()},
        **{name: Value(total, _BUILT_ON_ROOTS[name], EVERY_ITEM) for name, total in total_errors.EXISTING.items()},
    },
    tuple(
        relation for su in total_errors.FIVE for name in total_errors.EXISTING for relation in ordered("lt", su, name)
    ),
    T ** (2 * M),
)
"""Every one of the five against every existing mechanism."""


def _lowest(domain: Domain, part: str = "all") -> Formula:
    """suWheel's total, or its sensitive part, is at most that of the other four, at every epsilon of the domain."""
    chosen = {name: sensitive(total) if part == "sensitive" else total for name, total in total_errors.FIVE.items()}
    return errors(
        domain,
        {name: Value(total, ROOTS[name]) for name, total in chosen.items()},
        tuple(relation for name in chosen if name != "suwheel" for relation in ordered("le", "suwheel", name)),
        exp(EPS),
    )


def _entries(pick: int | None, *constraints: Term) -> Formula:
    """The same of the expressions inside O(.), constants 1: of one term, or of their sum."""
    chosen = {name: sum(terms[1:], terms[0]) if pick is None else terms[pick] for name, terms in ENTRIES.items()}
    domain = data(*constraints, **SMALL)
    rivals = [name for name in ENTRIES if name != "suwheel"]
    return Formula(domain, tuple(("le", chosen["suwheel"], chosen[name]) for name in rivals), of_data=True)


_LARGE = {**SMALL, "m": SEVERAL, "K": Range(6, integer=True)}
"""m >= 2, |X_sen| >= 6."""


_SMALLER_THAN_ALL = errors(
    data(1 - EPS, **_LARGE, N=SOME),
    {
        "suwheel": Value(total_errors.SUWHEEL, ROOTS["suwheel"]),
        **{name: Value(total, ROOTS[name], EVERY_ITEM) for name, total in total_errors.EXISTING.items()},
    },
    tuple(relation for name in total_errors.EXISTING for relation in ordered("lt", "suwheel", name)),
    exp(EPS),
)
"""suWheel against every existing mechanism."""


def _dominates(domain: Domain) -> All:
    """The part of the sensitive items is the larger one, in each of the five."""
    return conjunction(
        *(
            errors(
                Domain({**domain.variables, **({} if "eps" in domain.variables else SMALL)}, domain.constraints),
                {"sensitive": Value(sensitive(total), ROOTS[su]), "others": Value(others(total), ROOTS[su])},
                ordered("lt", "others", "sensitive"),
                exp(EPS),
            )
            for su, total in total_errors.FIVE.items()
        )
    )


def _entries_dominate(*constraints: Term) -> Formula:
    relations: tuple[Relation, ...] = tuple(("le", other, first) for first, other in ENTRIES.values())
    return Formula(data(*constraints, **SMALL), relations, of_data=True)


def _sum(su: str) -> Formula:
    """The total over X is the sum over X_sen and that over X_non: the error of one item is affine in f_x, and the
    frequencies sum up to m - g and g."""
    total, root = total_errors.FIVE[su], OWN_ROOTS[su]
    own, other = (total.part(item) for item in CLASSES)
    values = {
        "total": Value(total, root),
        "absent": Value(own, root, {"f": term(0)}),
        "present": Value(own, root, {"f": term(1)}),
        "other": Value(other, root, {"f": term(1)}),
    }
    stated = K * var("absent") + (M - G) * (var("present") - var("absent")) + G * var("other")
    return errors(data(**{str(root.head): ABOVE_ONE}), values, (("eq", var("total"), stated),))


_USERS: tuple[tuple[int, int, tuple[frozenset[int], ...]], ...] = (
    (2, 1, (frozenset({0}),)),
    (2, 1, (frozenset({0, 1}), frozenset({0, 2}))),
    (2, 2, (frozenset({2, 3}), frozenset({0, 3}), frozenset({0, 1}), frozenset({1, 3}))),
    (3, 2, (frozenset({0, 1, 3}), frozenset({0, 3, 4}))),
)
"""Data sets: |X_sen|, |X_non| and the users' sets; items 0, 1, .. are sensitive up to |X_sen| - 1."""


def _item_by_item(su: str, k: int, others: int, users: tuple[frozenset[int], ...]) -> Formula:
    """The total at a data set is the sum of the errors of all items, each at the frequency that is counted there."""
    total, root, n = total_errors.FIVE[su], OWN_ROOTS[su], len(users)
    sizes: dict[str, Term] = {"m": term(len(users[0])), "K": term(k), "N": term(others), "n": term(n)}
    sizes["g"] = term(sum(x >= k for s in users for x in s)) / n
    items = {
        f"x{x}": Value(total.part(CLASSES[x >= k]), root, {**sizes, "f": term(sum(x in s for s in users)) / n})
        for x in range(k + others)
    }
    added = sum((var(name) for name in items), term(0))
    domain = Domain({str(root.head): ABOVE_ONE})
    return errors(domain, {"total": Value(total, root, sizes), **items}, (("eq", var("total"), added),))


def _literal() -> Formula:
    """MSE of one item = sum over all items."""
    return errors(
        Domain({"t": ABOVE_ONE, **_MIXED.variables, "f": ANY_SIZE}, (*_MIXED.constraints, 1 - F)),
        {"one": Value(total_errors.SURAP.part("sensitive"), T), "all": Value(total_errors.SURAP, T)},
        ordered("eq", "one", "all"),
    )


# --- Table 4 ------------------------------------------------------------------------------------------------------


def at_row(row: str, epsilon: Term, *names: str) -> dict[str, Value]:
    """The errors of mechanisms at a row of Table 4; n f(X_non) is n m |X_non| / d, rounded down."""
    sizes_of = TABLE4[row]
    n, d, k, m = sizes_of.n, sizes_of.d, sizes_of.k, sizes_of.m
    sizes: dict[str, Term] = {"n": term(n), "m": term(m)}
    own = {**sizes, "K": term(k), "N": term(d - k), "g": term(n * m * (d - k) // d) / n}
    all_items = {**sizes, "K": term(d), "N": term(0), "g": term(0)}
    root = {name: value.substitute({"m": m}) for name, value in roots(epsilon).items()}
    return {
        name: Value(ALL_TOTALS[name], root[name], all_items if name in total_errors.EXISTING else own) for name in names
    }


def within(low: int, high: int) -> Domain:
    """low / 10 <= epsilon <= high / 10."""
    return Domain(SMALL, (10 * EPS - low, high - 10 * EPS))


def _best_at(row: str) -> Formula:
    others_of_five = [name for name in total_errors.FIVE if name != "suwheel"]
    relations = tuple(relation for name in others_of_five for relation in ordered("lt", "suwheel", name))
    return errors(within(1, 100), at_row(row, EPS, *total_errors.FIVE), relations, exp(EPS))


BEST_AT_TABLE4 = conjunction(*(_best_at(row) for row in TABLE4))
_EVERYWHERE = data(**SMALL)
BEST_EVERYWHERE = _lowest(_EVERYWHERE)
BEST_FOR_SMALL_EPSILON = _lowest(data(1 - EPS, **_LARGE))

FORMAL: dict[str, Formal] = {
    **{f"002.thm9.eq25.sens@{bound}": of_order(_ITEM, _ITEM_ERROR, _EQ25, bound) for bound in ("upper", "theta")},
    "002.sec44.sum@literal": _literal(),
    "002.sec44.sum@total": conjunction(
        *(part for su in total_errors.FIVE for part in (_sum(su), *(_item_by_item(su, *given) for given in _USERS)))
    ),
    **_TABLE2,
    "002.sec44.dominates@entries": _entries_dominate(1 - EPS),
    "002.sec44.dominates@entries.corrected": _entries_dominate(1 - EPS, K - M),
    "002.sec44.dominates@exact": _dominates(data()),
    "002.sec44.dominates@exact.corrected": _dominates(data(1 - EPS, **SMALL, K=MANY)),
    "002.sec44.smaller@pairs": PAIRS,
    "002.sec44.smaller@all": _EACH_WITH_ALL,
    "002.sec44.smaller@all.corrected": _SMALLER_THAN_ALL,
    "002.sec44.epsm2@exact": _lowest(data(M**2 - EPS, **SMALL)),
    "002.sec44.epsm2@exact.corrected": BEST_FOR_SMALL_EPSILON,
    "002.sec44.epsm2@entries": _entries(None, M**2 - EPS),
    "002.sec44.lowestsens@exact": _lowest(_EVERYWHERE, "sensitive"),
    "002.sec44.lowestsens@exact.corrected": _lowest(data(1 - EPS, **_LARGE), "sensitive"),
    "002.sec44.lowestsens@entries": _entries(0),
    "002.sec44.best@everywhere": BEST_EVERYWHERE,
    "002.sec44.best@everywhere.corrected": BEST_FOR_SMALL_EPSILON,
    "002.sec44.best@table4": BEST_AT_TABLE4,
    "002.base.wheel.bound": Unchecked(
        "that Wheel's error is of this order is proved (002.table2.wheel@theta); that no mechanism has a smaller one is"
        " a minimax theorem of the literature, which nothing here computes"
    ),
}
"""Every id of the section with its formal statement."""
