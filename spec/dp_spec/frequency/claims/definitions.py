"""Formal statements: definitions and problem statement (source 002, sections 1 to 3)."""

from typing import Literal

from dp_spec.frequency import grr, rappor, sugrr, surap, wheel
from dp_spec.frequency.claims.baselines import CLASSES
from dp_spec.frequency.claims.sugrr import CONDITIONAL
from dp_spec.frequency.inversion import emission
from dp_spec.frequency.total_errors import BUILT_ON, EXISTING, FIVE
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Total, formula
from dp_spec.vocabulary.law import Estimator, K, Law, M, N
from dp_spec.vocabulary.ranges import ANY_SIZE, FROM_ONE, POSITIVE, SOME
from dp_spec.vocabulary.statement import (
    All,
    Compared,
    Completions,
    Definition,
    Domain,
    Exceeds,
    Frequencies,
    Implies,
    Padding,
    Range,
    Ratio,
    Smallest,
    Statement,
    Unbiased,
    View,
    conjunction,
)
from dp_spec.vocabulary.term import Term, minimum, term, truncated_exponential, var

UNDIVIDED = sugrr.SUGRR.rebased({"e0": grr.W}, "w", term(1))
"""uRR on every item of a set, each with the whole budget epsilon."""

A, B, L, W = var("a"), var("b"), var("l"), var("w")
"""Two probabilities M(y|x) = a and M(y|x') = b, a constant w = e^epsilon."""


def _two_rows(**more: Range) -> Domain:
    """Two entries of one column of an epsilon-LDP channel: a <= w b and b <= w a, both at most 1."""
    return Domain({"w": FROM_ONE, "a": ANY_SIZE, "b": ANY_SIZE, **more}, (W * B - A, W * A - B, 1 - A, 1 - B))


_SETS = {name: (total.law, total.part("sensitive").view) for name, total in FIVE.items() if name != "suwheel"}
_SUWHEEL: tuple[Law, View] = wheel.SUWHEEL, "hash"


_EMITTED = {
    "sugrr": sugrr.kept(grr.E0),
    "sugrrsample": sugrr.kept(grr.W) / M,
    "surap": surap.kept(rappor.T),
    "surapsample": surap.kept(rappor.H) / M,
    "suwheel": wheel.KEPT,
}
"""With which probability a non-sensitive item that is held is emitted."""


def _emitted(name: str) -> tuple[Statement, ...]:
    law, view = {**_SETS, "suwheel": _SUWHEEL}[name]
    return emission(law, view, _EMITTED[name])


def _emitted_at_zero(name: str) -> All:
    """The probability at every epsilon > 0, and that it is positive at 0, too: (9) there."""
    law, _ = {**_SETS, "suwheel": _SUWHEEL}[name]
    sizes = Domain({"m": SOME, "K": SOME})
    at_zero = formula(sizes, ("lt", term(0), _EMITTED[name].substitute({law.base: 1})))
    return conjunction(*_emitted(name), at_zero)


def _smallest(relation: Compared) -> dict[str, Term]:
    """The smallest constants where two sets of m sensitive items need not have a common one."""
    if relation == "deniability":
        one = {"sugrr": grr.E0, "surap": rappor.T**2, "surapsample": (rappor.H**2 + M - 1) / M}
        return {**one, "sugrrsample": (grr.W + M - 1) / M}
    several = {"sugrr": truncated_exponential(M, grr.E0 - 1), "sugrrsample": (grr.W + M - 1) / M}
    return {**several, "surap": rappor.T ** (2 * M), "surapsample": (M + M * (rappor.H**2 - 1)) / M}


def _marginal(law: Law, view: View) -> Ratio:
    """The marginal reading of (11): suGRR's y0 is filled up, suGRR-Sample's empty one does not count."""
    own: View = "padded" if view == "multiset" else view
    return Ratio(law, own, "marginal", "nonempty" if own == "one" else "all")


def _protected(relation: Compared, points: tuple[Term, ...] = ()) -> All:
    """Exactly the same protection: a reading of (11) has the same smallest constant, at most e^epsilon, for each of
    the five and for the existing mechanism on X_sen; suWheel, whose y0 has no other reading than z0, where `points`
    hold."""
    parts: list[Statement] = []
    constants, apart, nonempty = _smallest(relation), (K - 2 * M,), relation == "marginal"
    for name, (law, view) in _SETS.items():
        existing = EXISTING[BUILT_ON[name]].law
        ratio = _marginal(law, view) if nonempty else Ratio(law, view, relation)
        own, counted = ratio.view, ratio.counted
        parts.append(ratio)
        listed = (own, relation) == ("padded", "marginal")
        parts.append(Smallest(law, own, relation, counted, where=apart, constant=constants[name], cases=listed))
        parts.append(Smallest(existing, view, relation, where=apart, constant=constants[name]))
    where = (*points, K + N - M - 1, K - 2)
    parts.append(Ratio(*_SUWHEEL, relation, where=points))
    parts.append(Smallest(*_SUWHEEL, relation, where=where, constant=grr.W))
    parts.append(Smallest(wheel.WHEEL, "hash", relation, where=(K - M - 1, K - 2), constant=grr.W))
    return conjunction(*parts)


def _sizes(name: str) -> dict[str, Formal]:
    law, view = _SETS[name]
    sizes: tuple[Literal["atmost", "all"], ...] = ("atmost", "all")
    counted: Literal["all", "nonempty"] = "nonempty" if law.unit == "items" else "all"
    relations: tuple[Compared, ...] = ("marginal", "joint")
    return {
        f"002.def3.sizes.{name}@{size}-{relation}": Ratio(law, view, relation, counted, size)
        for size in sizes
        for relation in relations
    }


def _estimators(total: Total) -> tuple[Estimator, Estimator]:
    return total.part("sensitive").estimator, total.part("nonsensitive").estimator


def _carried_over(kind: str) -> All:
    """Sets of at most m items are completed by fake items: privacy (joint; suWheel: marginal) and unbiasedness."""
    of = {name: law.in_view(view).of("dummies", kind) for name, (law, view) in _SETS.items()}
    hashed = {view: wheel.SUWHEEL.in_view(view).of("dummies", kind) for view in ("hash", "ideal")}
    private = [Ratio(law, law.view, "joint", sizes="atmost") for law in of.values()]  # type: ignore[arg-type]
    private.append(Ratio(hashed["hash"], "hash", "marginal", sizes="atmost"))
    unbiased = [
        Unbiased(law, law.view, item, FIVE[name].part(item).estimator.shifted(kind), sizes="atmost")  # type: ignore[arg-type]
        for name, law in {**of, "suwheel": hashed["ideal"]}.items()
        for item in CLASSES
    ]
    return conjunction(*private, *unbiased)


_SAMPLED, _FILLED = (surap.SURAP.in_view("sen").of(name) for name in ("sampled", "filled"))


_ULDP = ("uldp-inversion", "uldp-protection")
_PART_1 = ("eq9-membership", "eq10-membership")
# (9) speaks of "x with image y_i": in implications it quantifies over items that some report emits. Definition 2 alone
# does not force any emission, so with (9) over all of X_non its implications towards Definition 3 would fail.

FORMAL: dict[str, Formal] = {
    "002.def1.eq1@pmf": Definition(("ldp", "ldp-events")),
    # densities a, b on a step of length l and c, d on one of length v bound the chances of events; densities p / l and
    # q / l are bounded as the chances p, q of a step of length l are
    "002.def1.eq1@density": formula(
        {"w": FROM_ONE, "l": POSITIVE, **dict.fromkeys("abcdpqv", ANY_SIZE)},
        ("le", A * L + var("c") * var("v"), W * (B * L + var("d") * var("v"))),
        ("le", var("p") / L, W * (var("q") / L)),
        where=(W * B - A, W * var("d") - var("c"), W * var("q") - var("p")),
    ),
    # a prior with weight u on x, v on x', rest elsewhere; y occurs (a > 0): the posterior of x' is positive
    "002.def1.noinfer": formula(
        {"w": FROM_ONE, "a": POSITIVE, "b": ANY_SIZE, "u": POSITIVE, "v": POSITIVE, "rest": ANY_SIZE},
        ("lt", term(0), var("v") * B / (var("u") * A + var("v") * B + var("rest"))),
        where=(W * B - A,),
    ),
    "002.def1.limit": formula(_two_rows(), ("le", A - B, W - 1), ("le", B - A, W - 1)),
    "002.def1.order": formula(_two_rows(more=ANY_SIZE), ("le", A, (W + var("more")) * B)),
    "002.def2.eq2-3": Definition(("uldp-inversion", "uldp-inversion-rows")),
    "002.def2.eq4": Definition(("uldp-protection", "uldp-protection-events")),
    "002.prose.uldp.scope": Implies(_ULDP, ("unmixed-inputs",), "sets as items"),
    "002.prose.uldp.split": Exceeds(UNDIVIDED, "multiset", "joint", where=(M - 2, K + N - M - 1)),
    "002.prose.uldp.split.corrected": Smallest(
        UNDIVIDED, "multiset", "joint", where=(K - M, K + N - 2 * M), constant=truncated_exponential(M, grr.W - 1)
    ),
    # items with the budget ln e^eps, m-sets with m times as much
    "002.prose.split.composition": Implies(("ldp",), ("split-2", "split-3"), "singletons"),
    "002.def3.domain@fixedt": Implies((*_PART_1, "random-t"), ("fixed-t",)),
    # y_1, .., y_t by (9) and (10); y_0 by (11)
    "002.def3.domain@randomt": conjunction(
        *(part for name in _EMITTED for part in _emitted(name)),
        *(_marginal(law, view) for law, view in (*_SETS.values(), _SUWHEEL)),
    ),
    "002.def3.eq9@membership": Definition(("eq9-membership", "eq9-sets")),
    # "y_i" is coordinate number i of a list whose length is random: i is bound by nothing
    "002.def3.eq9@coordinate": Completions(
        {"some coordinate": "eq9-coordinate-some", "every coordinate that a report has": "eq9-coordinate-every"}
    ),
    "002.def3.eq9@coordinate.corrected": Definition(("eq9-coordinate-some", "eq9-sets")),
    "002.def3.eq10@membership": Definition(("eq10-membership", "eq10-sets")),
    "002.def3.eq10@coordinate": Definition(("eq10-coordinate", "eq10-sets")),
    "002.def3.unique": Implies(("eq9-membership", "eq10-membership"), ("one-image",)),
    **{
        f"002.def3.eq11@{r}": Definition((f"eq11-{r}", f"eq11-{r}-events"))
        for r in ("marginal", "joint", "deniability", "samenon")
    },
    **{
        f"002.def3.eq11.protects@{r}": Implies((*_PART_1, "eq11-marginal"), (f"eq11-{r}",))
        for r in ("joint", "deniability", "samenon")
    },
    **{
        f"002.def3.implications@{a}-{b}": Implies(("eq10-membership", f"eq11-{a}"), (f"eq11-{b}",))
        for a, bs in {
            "joint": ("marginal", "deniability", "samenon"),
            "deniability": ("joint", "samenon"),
            "samenon": ("marginal", "deniability", "joint"),
        }.items()
        for b in bs
    },
    **{key: formal for name in _SETS for key, formal in _sizes(name).items()},
    "002.def3.sizes.surap@all-marginal.corrected": Smallest(
        surap.SURAP, "sen", "marginal", sizes="all", constant=rappor.T**K
    ),
    "002.def3.sizes.surap@all-joint.corrected": Smallest(
        surap.SURAP, "sen", "joint", sizes="all", constant=rappor.T ** (K + N)
    ),
    **{f"002.def3.eps0@{name}": _emitted_at_zero(name) for name in _EMITTED},
    **{f"002.def3.eps0@{name}.corrected": conjunction(*_emitted(name)) for name in _SETS},
    "002.def3.reduce@marginal-forward": Implies((*_PART_1, "eq11-marginal"), _ULDP, "singletons"),
    "002.def3.reduce@marginal-backward-bot-in": Implies(_ULDP, (*_PART_1, "eq11-marginal"), "singletons"),
    "002.def3.reduce@marginal-backward-bot-out": Implies(_ULDP, (*_PART_1, "eq11-marginal-nonempty"), "singletons"),
    "002.def3.reduce@marginal-backward-bot-out.corrected": Implies(
        (*_ULDP, "no-sensitive-element-beside-invertible-data"), (*_PART_1, "eq11-marginal-nonempty"), "singletons"
    ),
    "002.def3.reduce@joint-forward": Implies((*_PART_1, "eq11-joint"), _ULDP, "singletons"),
    "002.def3.reduce@joint-backward": Implies(_ULDP, (*_PART_1, "eq11-joint"), "singletons"),
    "002.def3.special": Completions(
        {"joint reading of (11)": "eq11-joint", "marginal reading of (11)": "eq11-marginal"},
        (*_ULDP, *_PART_1),
        "singletons",
    ),
    "002.def3.special.corrected": Implies(_ULDP, (*_PART_1, "eq11-joint"), "singletons"),
    "002.prose.sameprotection@marginal": _protected("marginal"),
    **{f"002.prose.sameprotection@{r}": _protected(r) for r in CONDITIONAL},
    **{f"002.prose.sameprotection@{r}.corrected": _protected(r, (-N,)) for r in CONDITIONAL[:2]},
    "002.def.freq": Frequencies(sugrr.SUGRR, "multiset"),
    # first and second moment of the estimator, true value f
    "002.eq12": formula(
        {"first": ANY_SIZE, "second": ANY_SIZE, "f": ANY_SIZE},
        (
            "eq",
            var("second") - 2 * var("f") * var("first") + var("f") ** 2,
            (var("second") - var("first") ** 2) + (var("first") - var("f")) ** 2,
        ),
        ("eq", var("second") - 2 * var("f") * var("f") + var("f") ** 2, var("second") - var("f") ** 2),
    ),
    "002.pad.unbiased@short": conjunction(
        *(
            Unbiased(error.law, error.view, item, error.estimator)
            for total in FIVE.values()
            for item in CLASSES
            for error in [total.part(item)]
        )
    ),
    "002.pad.unbiased@long": Padding(_SAMPLED, _estimators(FIVE["surap"]), var("held")),
    "002.pad.unbiased@long.corrected": Padding(
        _SAMPLED, _estimators(FIVE["surap"]), minimum(1, M / var("size")) * var("held")
    ),
    "002.pad.dummy@sensitive": _carried_over("sen"),
    "002.pad.dummy@nonsensitive": _carried_over("non"),
    "002.pad.dummy@existing": Padding(_FILLED, _estimators(FIVE["surap"]), var("held")),
    "002.pad.dummy@existing.corrected": Padding(
        _FILLED,
        _estimators(FIVE["surap"]),
        var("held") + (1 - var("held")) * (M - var("size")) / (K + N - var("size")),
    ),
}
"""Every id of the sections with its formal statement, or the reason why there is none."""
