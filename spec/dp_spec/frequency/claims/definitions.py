"""Formal statements: definitions and problem statement (source 002, sections 1 to 3)."""

from typing import Literal

from dp_spec.frequency import grr, rappor, sugrr, surap, wheel
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.law import K, Law, M, N
from dp_spec.vocabulary.statement import (
    All,
    Compared,
    Completions,
    Definition,
    Domain,
    Exceeds,
    Formula,
    Implies,
    Invertible,
    InvertibleWithin,
    Item,
    NoChannel,
    Padding,
    Range,
    Ratio,
    Smallest,
    Unbiased,
    Unique,
    View,
)
from dp_spec.vocabulary.term import Term, minimum, term, truncated_exponential, var

CLASSES: tuple[Item, Item] = ("sensitive", "nonsensitive")
UNDIVIDED = Law("sugrr", "items", "all", "w", term(1), sugrr.own(grr.W), sugrr.other(grr.W), sugrr.kept(grr.W))
"""uRR on every item of a set, each with the whole budget epsilon."""

A, B, W, C = var("a"), var("b"), var("w"), var("c")
"""Two probabilities M(y|x) = a and M(y|x') = b, a constant w = e^epsilon or c."""


def _two_rows(**more: Range) -> Domain:
    """Two entries of one column of an epsilon-LDP channel: a <= w b and b <= w a, both at most 1."""
    return Domain({"w": Range(1), "a": Range(), "b": Range(), **more}, (W * B - A, W * A - B, 1 - A, 1 - B))


_SETS: dict[str, tuple[Law, View]] = {
    "sugrr": (sugrr.SUGRR, "multiset"),
    "sugrrsample": (sugrr.SUGRR_SAMPLE, "one"),
    "surap": (surap.SURAP, "sen"),
    "surapsample": (surap.SURAP_SAMPLE, "sen"),
}
_ESTIMATORS = {
    "sugrr": (sugrr.SUGRR_SENSITIVE, sugrr.SUGRR_NONSENSITIVE),
    "sugrrsample": (sugrr.SAMPLE_SENSITIVE, sugrr.SAMPLE_NONSENSITIVE),
    "surap": (surap.SURAP_SENSITIVE, surap.SURAP_NONSENSITIVE),
    "surapsample": (surap.SAMPLE_SENSITIVE, surap.SAMPLE_NONSENSITIVE),
}


_SUWHEEL: tuple[Law, View] = wheel.SUWHEEL, "hash"
_CONDITIONAL: tuple[Compared, ...] = ("joint", "deniability", "samenon")


def _protected(relation: Compared, points: tuple[Term, ...] = ()) -> All:
    """The five mechanisms in a reading of (11); suWheel, whose y0 has no other reading than z0, where `points` hold."""
    others = tuple(Ratio(law, view, relation) for law, view in _SETS.values())
    return All((*others, Ratio(*_SUWHEEL, relation, where=points)))


def _sizes(name: str) -> dict[str, Formal]:
    law, view = _SETS[name]
    sizes: tuple[Literal["atmost", "all"], ...] = ("atmost", "all")
    counted: Literal["all", "nonempty"] = "nonempty" if law.unit == "items" else "all"
    return {
        f"002.def3.sizes.{name}@{size}-{relation}": statement
        for size in sizes
        for relation, statement in {
            "marginal": Ratio(law, view, "marginal", counted, size),
            "joint": Ratio(law, view, "joint", counted, size),
        }.items()
    }


def _all_unbiased() -> tuple[Unbiased, ...]:
    """All five mechanisms (suWheel with fresh ideal hash functions)."""
    of_arcs = (wheel.SENSITIVE, wheel.NONSENSITIVE)
    return (
        *(
            Unbiased(law, view, item, _ESTIMATORS[name][index])
            for name, (law, view) in _SETS.items()
            for index, item in enumerate(CLASSES)
        ),
        *(Unbiased(wheel.SUWHEEL, "ideal", item, of_arcs[index]) for index, item in enumerate(CLASSES)),
    )


def _carried_over() -> All:
    """Privacy (joint; suWheel: marginal) and unbiasedness of the five for every K and N, hence for the domain with
    fake items."""
    private = (*(Ratio(law, view, "joint") for law, view in _SETS.values()), Ratio(wheel.SUWHEEL, "hash", "marginal"))
    return All((*private, *_all_unbiased()))


_ULDP = ("uldp-inversion", "uldp-protection")
_PART_1 = ("eq9-membership", "eq10-membership")
# (9) speaks of "x with image y_i": in implications it quantifies over items that some report emits. Definition 2 alone
# does not force any emission, so with (9) over all of X_non its implications towards Definition 3 would fail.

FORMAL: dict[str, Formal] = {
    "002.def1.eq1@pmf": Definition(("ldp", "ldp-events")),
    "002.def1.eq1@density": Definition(("ldp-density", "ldp")),
    # a prior with weight u on x, v on x', rest elsewhere; y occurs (a > 0): the posterior of x' is positive
    "002.def1.noinfer": Formula(
        Domain(
            {
                "w": Range(1),
                "a": Range(strict=True),
                "b": Range(),
                "u": Range(strict=True),
                "v": Range(strict=True),
                "rest": Range(),
            },
            (W * B - A,),
        ),
        (("lt", term(0), var("v") * B / (var("u") * A + var("v") * B + var("rest"))),),
    ),
    "002.def1.limit": Formula(_two_rows(), (("le", A - B, W - 1), ("le", B - A, W - 1))),
    "002.def1.order": Formula(_two_rows(more=Range()), (("le", A, (W + var("more")) * B),)),
    "002.def2.eq2-3": Definition(("uldp-inversion",)),
    "002.def2.eq4": Definition(("uldp-protection",)),
    "002.prose.uldp.scope": NoChannel(("uldp-inversion", "uldp-protection", "mixed-input")),
    "002.prose.uldp.split": Exceeds(UNDIVIDED, "multiset", "joint", where=(M - 2, K + N - M - 1)),
    "002.prose.uldp.split.corrected": Smallest(
        UNDIVIDED, "multiset", "joint", where=(K - M, K + N - 2 * M), constant=truncated_exponential(M, grr.W - 1)
    ),
    # c = e^(epsilon/m); a/b one factor, A/B the product of k factors with A <= C B where C stands for c^k;
    # after m steps C is c^m = e^epsilon by the split itself
    "002.prose.split.composition": Formula(
        Domain(
            {
                "c": Range(1),
                "C": Range(1),
                "a": Range(),
                "b": Range(),
                "A": Range(),
                "B": Range(),
            },
            (var("C") * var("B") - var("A"), C * B - A),
        ),
        (("le", A, C * B), ("le", var("A") * A, var("C") * C * (var("B") * B))),
    ),
    "002.def3.domain@fixedt": NoChannel(("eq9-membership", "eq10-membership", "random-t", "varying-t")),
    "002.def3.domain@randomt": All(tuple(InvertibleWithin(law, view) for law, view in (*_SETS.values(), _SUWHEEL))),
    "002.def3.eq9@membership": Definition(("eq9-membership",)),
    "002.def3.eq9@coordinate": Definition(("eq9-coordinate",)),
    "002.def3.eq10@membership": Definition(("eq10-membership",)),
    "002.def3.eq10@coordinate": Definition(("eq10-coordinate",)),
    "002.def3.unique": Unique(),
    **{f"002.def3.eq11@{r}": Definition((f"eq11-{r}",)) for r in ("marginal", "joint", "deniability", "samenon")},
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
    **{f"002.def3.eps0@{name}": Invertible(law, view, "zero", where=(N - 1,)) for name, (law, view) in _SETS.items()},
    **{f"002.def3.eps0@{name}.corrected": Invertible(law, view) for name, (law, view) in _SETS.items()},
    "002.def3.eps0@suwheel": Invertible(*_SUWHEEL, "zero", where=(N - 1,)),
    "002.def3.reduce@marginal-forward": Implies((*_PART_1, "eq11-marginal"), _ULDP, "singletons"),
    "002.def3.reduce@marginal-backward-bot-in": Implies(_ULDP, (*_PART_1, "eq11-marginal"), "singletons"),
    "002.def3.reduce@marginal-backward-bot-out": Implies(_ULDP, (*_PART_1, "eq11-marginal-nonempty"), "singletons"),
    "002.def3.reduce@marginal-backward-bot-out.corrected": Implies(
        (*_ULDP, "no-sensitive-element-beside-invertible-data"), (*_PART_1, "eq11-marginal-nonempty"), "singletons"
    ),
    "002.def3.reduce@joint-forward": Implies((*_PART_1, "eq11-joint"), _ULDP, "singletons"),
    "002.def3.reduce@joint-backward": Implies(_ULDP, (*_PART_1, "eq11-joint"), "singletons"),
    "002.def3.special": Completions(
        {
            "joint reading of (11)": Implies(_ULDP, (*_PART_1, "eq11-joint"), "singletons"),
            "marginal reading of (11)": Implies(_ULDP, (*_PART_1, "eq11-marginal"), "singletons"),
        }
    ),
    "002.def3.special.corrected": Implies(_ULDP, (*_PART_1, "eq11-joint"), "singletons"),
    "002.prose.sameprotection@marginal": All(
        (
            Ratio(sugrr.SUGRR, "padded", "marginal"),
            Ratio(sugrr.SUGRR_SAMPLE, "one", "marginal", "nonempty"),
            Ratio(surap.SURAP, "sen", "marginal"),
            Ratio(surap.SURAP_SAMPLE, "sen", "marginal"),
            Ratio(*_SUWHEEL, "marginal"),
        )
    ),
    **{f"002.prose.sameprotection@{r}": _protected(r) for r in _CONDITIONAL},
    **{f"002.prose.sameprotection@{r}.corrected": _protected(r, (-N,)) for r in _CONDITIONAL[:2]},
    # induction over users: C = sum of the counts of n users; one more user with m items adds m
    "002.def.freq": Formula(
        Domain({"n": Range(1, integer=True), "m": Range(1, integer=True)}),
        (
            ("eq", var("n") * M + M, (var("n") + 1) * M),
            ("eq", var("n") * M / var("n"), M),
        ),
    ),
    # first and second moment of the estimator, true value f
    "002.eq12": Formula(
        Domain({"first": Range(), "second": Range(), "f": Range()}),
        (
            (
                "eq",
                var("second") - 2 * var("f") * var("first") + var("f") ** 2,
                (var("second") - var("first") ** 2) + (var("first") - var("f")) ** 2,
            ),
            ("eq", var("second") - 2 * var("f") * var("f") + var("f") ** 2, var("second") - var("f") ** 2),
        ),
    ),
    "002.pad.unbiased@short": All(_all_unbiased()),
    "002.pad.unbiased@long": Padding(surap.SURAP, "sen", "long", _ESTIMATORS["surap"], var("held")),
    "002.pad.unbiased@long.corrected": Padding(
        surap.SURAP, "sen", "long", _ESTIMATORS["surap"], minimum(1, M / var("size")) * var("held")
    ),
    "002.pad.dummy@sensitive": _carried_over(),
    "002.pad.dummy@nonsensitive": _carried_over(),
    "002.pad.dummy@existing": Padding(surap.SURAP, "sen", "existing", _ESTIMATORS["surap"], var("held")),
    "002.pad.dummy@existing.corrected": Padding(
        surap.SURAP,
        "sen",
        "existing",
        _ESTIMATORS["surap"],
        var("held") + (1 - var("held")) * (M - var("size")) / (K + N - var("size")),
    ),
}
"""Every id of the sections with its formal statement, or the reason why there is none."""
