"""Formal statements: experiments (source 002, section 5) and general statements.

Where the source plots averages of ten runs, the statements are about the exact errors: what the averages estimate.
"""

from itertools import pairwise
from typing import Literal

from dp_spec.frequency import total_errors
from dp_spec.frequency.claims.baselines import CLASSES
from dp_spec.frequency.claims.communication import bits
from dp_spec.frequency.claims.comparison import (
    ALL_TOTALS,
    BEST_EVERYWHERE,
    BEST_FOR_SMALL_EPSILON,
    DATA,
    ENTRIES,
    EPS,
    OWN_ROOTS,
    PAIRS,
    ROOTS,
    SETS,
    SMALL,
    at_row,
    data,
    of_order,
    sensitive,
    within,
)
from dp_spec.frequency.experiment_sizes import TABLE4
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Bounded, Formula, SameLaw, Value, errors, formula, ordered
from dp_spec.vocabulary.law import F, G, K, M, N
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import All, Domain, Item, Range, Relation, conjunction
from dp_spec.vocabulary.term import Term, exp, term, var

Y, D = var("y"), var("d")

_NO_DATA = Unchecked("the data set is not available here; the row only says which sizes were used")
_CHOICE = Unchecked("a choice of sizes for data to be generated, which states nothing that could fail")
NOT_SUWHEEL = tuple(name for name in total_errors.FIVE if name != "suwheel")


def _symbol(root: Term) -> str:
    return str(root.head)


# --- Figure 1: epsilon --------------------------------------------------------------------------------------------


def _decreasing(su: str, row: str) -> Formula:
    """The total at a row of Table 4 at e^(epsilon / ..) = root and at a larger root."""
    root = OWN_ROOTS[su]
    at = at_row(row, EPS, su)[su].at
    here, later = (Value(total_errors.FIVE[su], x, at) for x in (root, root + Y))
    domain = Domain({_symbol(root): ABOVE_ONE, "y": POSITIVE})
    return errors(domain, {"here": here, "later": later}, ordered("lt", "later", "here"))


def _item_decreasing(su: str, item: Item, row: str, *, grows: bool = False) -> Formula:
    """The same of a single item that somebody holds."""
    root, error = OWN_ROOTS[su], total_errors.FIVE[su].part(item)
    at = {name: x for name, x in at_row(row, EPS, su)[su].at.items() if name != "g"}
    here, later = (Value(error, x, at) for x in (root, root + Y))
    domain = Domain({_symbol(root): ABOVE_ONE, "y": POSITIVE, "f": POSITIVE}, (1 - F,))
    names = ("here", "later") if grows else ("later", "here")
    return errors(domain, {"here": here, "later": later}, ordered("lt", *names))


_EACH_ITEM = tuple((su, item) for su in total_errors.FIVE for item in CLASSES)
_BUT_ONE = tuple(pair for pair in _EACH_ITEM if pair != ("suwheel", "nonsensitive"))


def _grr_worse(row: str, high: int, smaller: tuple[str, ...], larger: tuple[str, ...]) -> Formula:
    relations = tuple(relation for a in smaller for b in larger for relation in ordered("lt", a, b))
    return errors(within(1, 10 * high), at_row(row, EPS, *smaller, *larger), relations, exp(EPS))


def _grr_worse_everywhere(high: int) -> All:
    return conjunction(
        *(_grr_worse(row, high, ("surap", "surapsample", "suwheel"), ("sugrr", "sugrrsample")) for row in TABLE4)
    )


def _grr_worse_corrected(high: int) -> All:
    """suGRR is worse than the other three, suGRR-Sample worse than suWheel."""
    return conjunction(
        *(
            part
            for row in TABLE4
            for part in (
                _grr_worse(row, high, ("surap", "surapsample", "suwheel"), ("sugrr",)),
                _grr_worse(row, high, ("suwheel",), ("sugrrsample",)),
            )
        )
    )


_CROSSINGS = {"sales": (33, 35), "anime": (46, 49), "movie": (41, 44), "simulated": (25, 26)}
"""suGRR-Sample becomes better than suRAP and suRAP-Sample where epsilon is so many tenths, or up to one more."""


def _crossings() -> All:
    """suGRR-Sample is worse than suRAP (suRAP-Sample) before its crossing, better after it."""
    parts = []
    for row, crossings in _CROSSINGS.items():
        for name, tenths in zip(("surap", "surapsample"), crossings, strict=True):
            values = at_row(row, EPS, name, "sugrrsample")
            before, after = within(1, tenths), within(tenths + 1, 100)
            parts.append(errors(before, values, ordered("lt", name, "sugrrsample"), exp(EPS)))
            parts.append(errors(after, values, ordered("lt", "sugrrsample", name), exp(EPS)))
    return conjunction(*parts)


def _compared_with_urap(item: Item, op: Literal["eq", "le", "lt"]) -> Formula:
    """suRAP against uRAP with budget split, m >= 2, at the same e^(epsilon / 2m)."""
    domain = Domain({"t": ABOVE_ONE, "m": SEVERAL, "n": DATA["n"], "f": ANY_SIZE}, (1 - F,))
    values = {name: Value(ALL_TOTALS[name].part(item), var("t")) for name in ("surap", "urap")}
    return errors(domain, values, ordered(op, "surap", "urap"), var("t") ** (2 * M))


def _best_of_seven(row: str) -> Formula:
    others = (*NOT_SUWHEEL, "urr", "urap")
    relations = tuple(relation for name in others for relation in ordered("lt", "suwheel", name))
    return errors(within(1, 100), at_row(row, EPS, "suwheel", *others), relations, exp(EPS))


# --- Figure 2: the proportion of sensitive items ------------------------------------------------------------------


def _moved_item(su: str) -> Formula:
    """One item of frequency f moves from X_non to X_sen; at every epsilon > 0, not only at 1."""
    root, total = OWN_ROOTS[su], total_errors.FIVE[su]
    domain = Domain({_symbol(root): ABOVE_ONE, **DATA, "f": ANY_SIZE}, (1 - F, M - G, M - G - F, N - G, K - M + G + F))
    before, after = Value(total, root, {"N": N + 1, "g": G + F}), Value(total, root, {"K": K + 1})
    return errors(domain, {"before": before, "after": after}, ordered("lt", "before", "after"))


def _built_on(su: str) -> SameLaw:
    """Without non-sensitive items a mechanism is the one that it is built on."""
    error, existing = total_errors.FIVE[su].part("sensitive"), total_errors.EXISTING[total_errors.BUILT_ON[su]]
    return SameLaw(error.law, existing.law, error.view, where=(-N,))


# --- Figure 3: the size of the domain -----------------------------------------------------------------------------

_USERS = 1024
"""So many that every m / d is a frequency."""
_SIZES_D = (16, 32, 64, 128, 256, 512, 1024)
_FIG3_M, _FIG4_D, _FIG4_K = 8, 256, 64
_CLOSED = Domain({})


def _roots_of_one(m: int) -> dict[str, Term]:
    split, halves = exp(term(1) / m), exp(term(1) / (2 * m))
    one = exp(term(1))
    return {"sugrr": split, "sugrrsample": one, "surap": halves, "surapsample": exp(term(1) / 2), "suwheel": one}


def _uniform(su: str, d: int, k: int, m: int) -> Value:
    """The error at epsilon = 1 if each of the 1024 users' items has frequency m / d."""
    at = {"m": term(m), "K": term(k), "N": term(d - k), "n": term(_USERS), "g": term(m * (d - k)) / d}
    return Value(total_errors.FIVE[su], _roots_of_one(m)[su], at)


def _over_d(mechanisms: tuple[str, ...], op: Literal["eq", "lt"], *, mean: bool, falls: bool = False) -> All:
    """Sums or means at d = 16, ..., 1024 (|X_sen| = d / 4, m = 8), each compared with the next."""

    def one(su: str) -> Formula:
        values = {f"d{d}": _uniform(su, d, d // 4, _FIG3_M) for d in _SIZES_D}
        chain: list[str | Term] = [var(f"d{d}") / d if mean else var(f"d{d}") for d in _SIZES_D]
        return errors(_CLOSED, values, ordered(op, *(chain[::-1] if falls else chain)))

    return conjunction(*(one(su) for su in mechanisms))


def _deviates(op: Literal["le", "lt"], k: Range) -> All:
    """The error of an item at frequency f and at a larger frequency."""

    def one(su: str, item: Item) -> Formula:
        root, error = OWN_ROOTS[su], total_errors.FIVE[su].part(item)
        domain = Domain(
            {_symbol(root): ABOVE_ONE, "m": SETS["m"], "K": k, "n": DATA["n"], "f": ANY_SIZE, "y": POSITIVE},
            (1 - F - Y,),
        )
        values = {"rare": Value(error, root), "frequent": Value(error, root, {"f": F + Y})}
        return errors(domain, values, ordered(op, "rare", "frequent"))

    return conjunction(*(one(su, item) for su, item in _EACH_ITEM))


def _more_sensitive_items(su: str) -> Formula:
    """The sensitive part at |X_sen| + 1 and |X_sen|, at the same f(X_sen)."""
    root, total = OWN_ROOTS[su], sensitive(total_errors.FIVE[su])
    domain = data(**{_symbol(root): ABOVE_ONE})
    values = {"fewer": Value(total, root), "more": Value(total, root, {"K": K + 1})}
    return errors(domain, values, ordered("lt", "fewer", "more"))


def _sensitive_order(su: str, entry: Term, least: int = 1) -> Bounded:
    """The order of the sensitive part; |X_sen| >= least."""
    domain = data(1 - EPS, **SMALL, K=Range(least, integer=True))
    return of_order(domain, Value(sensitive(total_errors.FIVE[su]), ROOTS[su]), entry, "theta")


_IN_K = conjunction(*(_sensitive_order(su, ENTRIES[su][0], 2 if "grr" in su else 1) for su in total_errors.FIVE))
"""The entries of Table 2 are quadratic in |X_sen| for the two GRR-based mechanisms, linear for the others."""

# --- Figure 4: the size of the sets -------------------------------------------------------------------------------

_SIZES_M = (1, 2, 4, 8, 16, 32, 64)


def _over_m() -> All:
    """Means at m = 1, 2, ..., 64, each smaller than the next."""

    def one(su: str) -> Formula:
        values = {f"m{m}": _uniform(su, _FIG4_D, _FIG4_K, m) for m in _SIZES_M}
        return errors(_CLOSED, values, ordered("lt", *(var(f"m{m}") / _FIG4_D for m in _SIZES_M)))

    return conjunction(*(one(su) for su in total_errors.FIVE))


def _growth() -> Formula:
    """From every m to the next suWheel's error grows by less than that of each of the other four."""
    values = {f"{su}{m}": _uniform(su, _FIG4_D, _FIG4_K, m) for su in total_errors.FIVE for m in _SIZES_M}

    def step(su: str, a: int, b: int) -> Term:
        return var(f"{su}{b}") - var(f"{su}{a}")

    relations: tuple[Relation, ...] = tuple(
        ("lt", step("suwheel", a, b), step(su, a, b)) for su in NOT_SUWHEEL for a, b in pairwise(_SIZES_M)
    )
    return errors(_CLOSED, values, relations)


_POWER: dict[str, tuple[Term, int]] = {
    "suwheel": (M**2 * K / (var("n") * EPS**2), 1),
    "sugrr": (M**2 * K**2 / (var("n") * EPS**2), 2),
    "sugrrsample": (ENTRIES["sugrrsample"][0], 2),
    "surap": (ENTRIES["surap"][0], 1),
    "surapsample": (ENTRIES["surapsample"][0], 1),
}
"""m^2, the rest as in Table 2 (fixed |X_sen| and epsilon)."""
_ITEM_FREQUENCY = Domain({"m": SETS["m"], "d": SOME}, (D - M - 1,))


def _cheapest(row: str, *others: str) -> tuple[Relation, ...]:
    cost = bits(row)
    return tuple(("le", cost["suwheel"], cost[name]) for name in others)


def _all_rows(*others: str) -> Formula:
    return formula(_CLOSED, *(relation for row in TABLE4 for relation in _cheapest(row, *others)))


FORMAL: dict[str, Formal] = {
    **{f"002.table4.{row}": _NO_DATA for row in ("sales", "anime", "movie")},
    "002.table4.sim": _CHOICE,
    "002.exp.fig1.monotone@total": conjunction(*(_decreasing(su, row) for row in TABLE4 for su in total_errors.FIVE)),
    "002.exp.fig1.monotone@peritem": conjunction(
        *(_item_decreasing(su, item, row) for row in TABLE4 for su, item in _EACH_ITEM)
    ),
    "002.exp.fig1.monotone@peritem.corrected": conjunction(
        *(_item_decreasing(su, item, row) for row in TABLE4 for su, item in _BUT_ONE),
        *(_item_decreasing("suwheel", "nonsensitive", row, grows=True) for row in TABLE4),
    ),
    **{f"002.exp.fig1.grrworse@eps-to-{high}": _grr_worse_everywhere(high) for high in (1, 5, 10)},
    **{f"002.exp.fig1.grrworse@eps-to-{high}.corrected": _grr_worse_corrected(high) for high in (5, 10)},
    "002.exp.fig1.grrworse@eps-to-10.corrected2": _crossings(),
    # the reports of sets of one item are results of its row
    **{
        f"002.exp.urr.same@{reading}": SameLaw(total_errors.URR_SPLIT_LAW, total_errors.SUGRR.law, "multiset")
        for reading in ("kernel", "report")
    },
    "002.exp.urap.worse@sens": _compared_with_urap("sensitive", "lt"),
    "002.exp.urap.worse@non": _compared_with_urap("nonsensitive", "lt"),
    "002.exp.urap.worse@non.corrected": _compared_with_urap("nonsensitive", "eq"),
    "002.exp.best": conjunction(*(_best_of_seven(row) for row in TABLE4)),
    "002.exp.fig2.monotone": conjunction(*(_moved_item(su) for su in total_errors.FIVE)),
    "002.exp.fig2.full": conjunction(*map(_built_on, total_errors.FIVE)),
    "002.exp.fig2.worst": PAIRS,
    "002.exp.fig3.freq": formula(_ITEM_FREQUENCY, ("lt", M / (D + 1), M / D)),
    "002.exp.fig3.premise": _deviates("lt", SETS["K"]),
    "002.exp.fig3.premise.corrected": _deviates("le", SEVERAL),
    "002.exp.fig3.senspart": conjunction(*(_more_sensitive_items(su) for su in total_errors.FIVE)),
    "002.exp.fig3.grrflat@sum": _over_d(("sugrr", "sugrrsample"), "eq", mean=False),
    "002.exp.fig3.grrflat@mean": _over_d(("sugrr", "sugrrsample"), "eq", mean=True),
    "002.exp.fig3.grrflat@sum.corrected": _over_d(("sugrr", "sugrrsample"), "lt", mean=False),
    "002.exp.fig3.grrflat@mean.corrected": _over_d(("sugrr", "sugrrsample"), "lt", mean=True),
    "002.exp.fig3.decrease@sum": _over_d(("surap", "surapsample", "suwheel"), "lt", mean=False, falls=True),
    "002.exp.fig3.decrease@sum.corrected": _over_d(("surap", "surapsample", "suwheel"), "lt", mean=False),
    "002.exp.fig3.decrease@mean": _over_d(("surap", "surapsample", "suwheel"), "lt", mean=True, falls=True),
    "002.exp.fig3.quad": _IN_K,
    "002.exp.fig4.freq": formula(_ITEM_FREQUENCY, ("lt", (M + 1) / D, M / D)),
    "002.exp.fig4.freq.corrected": formula(_ITEM_FREQUENCY, ("lt", M / D, (M + 1) / D)),
    **{f"002.exp.fig4.power@{su}": _sensitive_order(su, *entry) for su, entry in _POWER.items()},
    "002.exp.fig4.power@suwheel.corrected": _sensitive_order("suwheel", ENTRIES["suwheel"][0]),
    "002.exp.fig4.power@sugrr.corrected": _sensitive_order("sugrr", ENTRIES["sugrr"][0], 2),
    "002.exp.fig4.monotone": _over_m(),
    "002.exp.fig4.growth": _growth(),
    "002.prose.improves": PAIRS,
    "002.prose.conclusion@utility": BEST_EVERYWHERE,
    "002.prose.conclusion@utility.corrected": BEST_FOR_SMALL_EPSILON,
    "002.prose.conclusion@communication": _all_rows(*NOT_SUWHEEL),
    "002.prose.conclusion@communication.corrected": _all_rows("sugrr", "surap", "surapsample"),
}
"""Every id of the section with its formal statement."""
