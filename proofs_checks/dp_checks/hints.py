"""Proof hints: steps and constants found by hand. The kernel checks every one; a wrong hint proves nothing."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dp_spec.frequency import privset, wheel
from dp_spec.matrix import accuracy_index, privelet
from dp_spec.shuffle import em
from dp_spec.vocabulary.term import Term, exp, term, var

W, X, A, B = (var(x) for x in ("w", "x", "a", "b"))
U, V, M, K, N, G, EPS = (var(x) for x in ("u", "v", "m", "K", "n", "g", "eps"))

C, D, H, P, Q, T, Y, Z, BETA, THETA = (var(x) for x in ("c", "d", "h", "p", "q", "t", "y", "z", "beta", "theta"))

_CHOSEN, _REST, _T = (var(x) for x in ("k", "r", "t"))
_SAMPLED = BETA + W - 1

Step = Mapping[str, object]


def _step(scale: Term | int, multipliers: Mapping[int, Term | int]) -> Step:
    """A proof step as certificates write it: scale, and constraint index -> multiplier."""
    return {"scale": term(scale).json(), "multipliers": {str(i): term(t).json() for i, t in multipliers.items()}}


def _squared(scale: Term, multiplier: Term | int, root: Term) -> Step:
    return {"scale": scale.json(), "squares": [[term(multiplier).json(), root.json()]]}


_SELECTED = (_step((Y + V) * (X + U), {0: V, 3: T * Y}), _step(1, {0: 1, 1: 1}))
_ADAPTIVE = _step(1, {0: W * B, 1: W * Y, 2: P, 3: C})
_IMAGES = (_step(1, {0: 1, 1: 1}), _step(1, {0: X, 1: Y}))


def _composed(clusters: Term | int) -> tuple[Step, ...]:
    """Selections in so many clusters."""
    return *_SELECTED, _ADAPTIVE, _step(1, {0: clusters * EPS / var("delta")})


_ROOTS, _FALL = var("s") + var("z"), var("d")

STEPS: Mapping[str, tuple[Step, ...]] = {
    # for each relation (see `kernel.domains.prove`)
    "003.sec1.odds": (_step(1, {0: A / (Q * B)}), _step(1, {1: A / (Q * B)})),
    "003.sec1.direct@noise.corrected": ({"induct": "j", "factor": 2, "first": {}, "next": {}},),
    "003.eq9.post": (_step(1, {0: 1, 1: 1}), _step(1, {0: Z})),
    "003.def1.monotone": (_step(1, {0: 1}),),
    **dict.fromkeys(("003.def4.dp", "003.def4.tight"), _SELECTED),
    **dict.fromkeys(("003.alg4.dp@ar", "003.base.privbayes.dp"), (*_SELECTED, _ADAPTIVE)),
    **dict.fromkeys(("003.alg4.dp@ro", "003.base.privbayes.network.ar"), _composed(1)),
    **dict.fromkeys(
        (
            "003.sec33.allclusters.corrected",
            "003.thm1.dp@transcript.data.ro.corrected",
            "003.thm1.dp@transcript.ar.corrected",
        ),
        _composed(_CHOSEN),
    ),
    **dict.fromkeys(
        ("003.thm1.dp@transcript.fixed.ro.corrected", "003.thm1.dp@synth.geometric.ro.corrected"),
        (*_composed(_CHOSEN), *_IMAGES),
    ),
    "003.prop1.seq@independent": (_step(1, {0: W * B, 1: P}), _step(1, {0: 1, 1: 1})),
    "003.def1.dp@subset": _IMAGES,
    "003.prop2.par@ar": (_step(1, {0: A, 1: Q * A}),),
    "003.prop2.par@ro.parts-ar.corrected": (_step(1, {0: W * Y, 1: P, 2: B * Q * Y, 3: V * Q * Y}),),
    "003.prop1.seq@adaptive": (_ADAPTIVE,),
    "003.prose.splits@per-cluster.corrected": (_step(1, {0: 1}), _step(1, {2: 1})),
    "003.abs.noise@nominal.corrected": (
        _step(21 * D * N * EPS, {3: 7 * (7 * D - 3)}),
        _step(7 * D * N * EPS, {3: 20 * D}),
    ),
    "003.abs.noise@certified.corrected": (
        _step(28 * N * EPS, {}),
        _step(14 * (2 * H + 1) * N * EPS, {}),
        _step(28 * N * EPS, {0: 80}),
        _step(14 * (2 * H + 1) * N * EPS, {0: 80 * H}),
    ),
    "003.sec42.avd@single": (_step(1, {0: 1, 1: 1}), _step(1, {0: 1}), _step(1, {0: 1})),
    "003.alg2.sample": ({}, {}, _step(1, {0: Q})),
    "003.alg1.laplacian@upto-n": (
        _squared(term(1), W, U - V - (A - B)),
        _squared(term(1), W, U - V + (A - B)),
        {},
        _squared(term(1), 2 * W, U - V),
    ),
    "003.sec42.avd@averaged": (_step(1 + W, {0: 1, 1: W}),),
    **dict.fromkeys(("003.base.privbayes.sens-r", "003.base.privbayes.sens-r.tight"), (_step(N**2, {0: N, 3: 1}),)),
    "003.base.privbayes.useful.general": (_step(1, {0: V / THETA}), _step(1, {0: THETA / V})),
    "003.base.jtree.graph.corrected": (_step(1, {0: M * EPS / (2 * var("delta"))}), _step(1, {0: 1, 1: 1})),
    "003.base.jtree.dp@ro.corrected": (
        _step(1, {0: M * EPS / (2 * var("delta"))}),
        _step(1, {0: 1, 1: 1}),
        _ADAPTIVE,
        _step(1, {0: D * (D - 1) * EPS / (4 * var("delta"))}),
    ),
    "003.base.jtree.amplify@wor.ro": (
        _step(1, {1: W * BETA**2 / _SAMPLED, 2: (W - 1) * (1 - BETA) * BETA / _SAMPLED}),
    ),
    "003.base.jtree.amplify@poisson.ar": (_step(1, {1: BETA}), _step(1, {2: W * BETA**2 / _SAMPLED})),
    "000.thm1.domain.corrected": (_squared(term(1), 1, U - V),),
    "000.sec24.messages@bits-pair.corrected": (_step(1, {0: term(2) ** U, 1: B}),),
    "000.fig1.example@alone": (_step(1, {0: 1, 1: 1, 2: 1}),),
    # with 4 f (1 - f) >= z
    "000.alg1.em.mse.corrected": (_step(em.FIRST * (1 - em.FIRST) * em.LEAST, {0: em.SPREAD * var("y") ** 2 / 4}),),
    # the numbers of dummies, then the variances
    "000.sec24.accuracy@fixedcentral": (
        _step(_ROOTS + _FALL, {0: 1, 3: 1}),
        _step(U**2 * (U + _FALL) ** 2, {0: U * _FALL, 1: U**2}),
    ),
    "002.def1.eq1@density": (_step(1, {0: var("l"), 1: V}), _step(1, {2: 1 / var("l")})),
    "002.def1.noinfer": (_step(W, {0: V / (U * A + V * B + var("rest"))}),),
    "002.def1.limit": (_step(1, {0: 1, 3: W - 1}), _step(1, {1: 1, 2: W - 1})),
    "002.def1.order": (_step(1, {0: 1}),),
    "004.def.monotone": (_step(1, {2: 1, 3: 1}),),
    "004.server.post": (_step(1, {0: 1, 1: 1}), _step(1, {0: var("z")})),
    "004.base.hcms.bits": (_step(1, {0: 2 * term(2) ** B, 1: 2 * _CHOSEN}), _step(1, {0: term(2) ** M})),
    "lit.carterwegman1979.universal@count": ({}, {}, _squared(term(1), 1, var("r") - term(1) / 2)),
    "lit.carterwegman1979.zero.chance@count": ({}, _step(M * (var("q") * M + var("r")) ** 2, {0: var("r")})),
    "lit.wang2017.olh.range": (_squared((B - 1) * (W - 1) ** 2, 1, W - (B - 1)),),
    "004.eval.dr.range": (_step(1, {0: 1}), _step(1, {1: 1})),
    "004.eval.d.stable": (_squared(term(1), 1, A - var("ac")),),
    "004.exp.km-var@random-k": (_step(1, {1: 1 / (_CHOSEN * (_CHOSEN + 1) * (M - 1))}),),
    "004.exp.km-var@random-m": (_step(1, {0: (1 - 1 / _CHOSEN) / ((M - 1) * M * N)}),),
    "002.sec44.epsm2@entries": (_step(1, {0: G / (M * EPS * N)}),) * 4,
    "002.sec44.dominates@entries.corrected": (
        _step(N * EPS**2, {0: M**2 * K, 2: M * K * EPS}),
        _step(N * EPS**2, {0: M**3 * K, 1: M**2 * K, 2: M**2 * K * EPS}),
        _step(N * EPS**2, {0: M**2, 2: M * EPS}),
        _step(N * EPS**2, {0: M**3, 1: M**2, 2: M**2 * EPS}),
        _step(M * N * EPS**2, {0: M * (1 + EPS), 2: EPS**2}),
    ),
    "002.base.privset.better.corrected": (
        _step(_CHOSEN * _REST * (_T**2 - 1) ** 2, {0: privset.SQUARE.substitute({"d": _CHOSEN + _REST}) / 4}),
    ),
    "002.base.privset.better.corrected2": (_step((var("t") - 1) ** 2, {0: 1}),),
    "001.def1.eq1@addremove": (_step(1, {0: 1, 1: 1}),),
    "001.def1.eq1@replace": (_step(1, {0: 1, 1: 1}),),
    "001.base.laplace": (_step(1, {0: EPS / var("delta")}),),
    "001.thm2.k@labels0": ({}, {}, _step(1, {0: 1})),
    "001.alg1.order@worst": (_step(1, {0: var("q") + var("rest")}),),
    "001.sec3.border@distinct": (_step(1, {0: 1}),),
    "001.base.weighted.bound": (_step(1, {0: var("q") + var("rest")}),),
    "001.sec4.lower@limit": ({"induct": "h", "factor": 2, "first": {}, "next": {}},),
    "001.supp.best@naive": (_step(1, {0: 1}),),
    "001.supp.bary.best": ({"induct": "k", "factor": 4, "first": {}, "next": {}},),
    "001.exp.table1.power@pct25": (_step(1, {0: 3 / (100 * var("q2") ** 2)}),),
    # where the best arc has 1/p - 1
    "002.alg1.popt@f0.corrected2": (_squared(X * (W - 1) ** 2, 1, X - W),),
    "002.alg1.popt@f1.corrected2": (_squared(X * (W - 1) ** 2, W, X - 1),),
}

_B, _H = var("b"), var("h")


def _boost(b: Term) -> tuple[object, object]:
    """Of Boost with b children: with z = b^s the term is n (b - 1) / 12 times (b - 1) (2 (n + 1) (z / b + 1 / z)) -
    (1 - 1/b^2) z^2, over z - 1; 1/z <= 1 / (z - 1) <= 2/z."""
    n, z = b**_H, b ** var("s")
    c, linear = 1 - 1 / b**2, 2 * (n + 1) * (1 - 1 / b)
    common, factor = linear - c * (z + 1), n * (b - 1) / 12
    low = factor * (common + (linear - c) / z)
    high = factor * (common + 2 * (linear - c) / z + 4 * (n + 1) * (b - 1) / z**2)
    return low.json(), high.json()


_BARY = (_boost(_B), _boost(term(2)))
ENCLOSURES: Mapping[str, Sequence[tuple[object, object]]] = {
    **dict.fromkeys(
        (
            "001.sec4.bestorder@pure",
            "001.def3.boost@root",
            "001.def3.boost@noroot",
            "001.sec4.same@limit",
            "001.sec4.lower@limit",
            "001.sec4.reflects@limit",
            "001.sec4.positive@listed",
            "001.sec4.positive@bary",
            "001.sec4.max@listed",
            "001.sec4.max@bary",
        ),
        _BARY,
    ),
    **dict.fromkeys(
        ("001.base.boost.ols", "001.base.boost.unbiased", "001.supp.best@boost"),
        ((term(0).json(), ((_B - 1) / _B ** var("s")).json()),),
    ),
    "001.supp.best@naive": ((term(0).json(), (2 / (term(2) ** var("s")) ** 2).json()),),
}
"""Terms (in s, h and b) between which those of a sum lie that has no closed form, by id of the claim."""


class LimitHint(NamedTuple):
    """A constant, the steps of both sides, and lemmas."""

    constant: object
    steps: tuple[Step, Step]
    lemmas: tuple[object, ...] = ()


def exponential(name: str, base: Term | int = 2) -> list[object]:
    """The lemma p(x) <= 75 b^x, b >= 2, with p(x) = x^4 + 4 x^3 + 18 x^2 + 52 x + 75: p(x + 1) <= 2 p(x)."""
    x = var(name)
    quartic = x**4 + 4 * x**3 + 18 * x**2 + 52 * x + 75
    return [(75 * term(base) ** x - quartic).json(), {"induct": name, "factor": 2, "first": {}, "next": {}}]


def exponential_limit(name: str, constant: int) -> LimitHint:
    """What is at most c / 2^x away is at most 2 c / x away: 52 x <= p(x) <= 75 2^x."""
    step = _step(1, {0: constant / (52 * term(2) ** var(name))})
    return LimitHint(2 * constant, (step, step), (exponential(name),))


_N, _TOTAL = term(2) ** _H, var("total")
_GROWS = (exponential("h"),)


def _naive_limit(error: Term) -> LimitHint:
    return LimitHint(1024, ({}, _step(error * _N * (_N + 1), {0: _H**3 * _N})), _GROWS)


def _boost_limit(sensitivity: Term) -> LimitHint:
    scale, by_lemma = sensitivity**2 * 2 * _TOTAL, {1: _N * _H**3}
    above = _step(scale, {0: 12 * _H * sensitivity**2, **by_lemma})
    return LimitHint(1024, (_step(scale, by_lemma), above), _GROWS)


_SAME = LimitHint(
    1024,
    (_step(privelet.in_ranges(), {0: _H}), _step(privelet.in_ranges(), {1: _N * _H})),
    _GROWS,
)
_NAIVE_TO_PRIVELET = LimitHint(
    4096,
    (_step(accuracy_index.PRIVELET_ERROR * _N**2 * (_N + 1), {0: _H * (_H + 1) ** 2 * _N**2 / 16}), {}),
    _GROWS,
)
_BARY_SCALE = (_H + 1) ** 2 * 2 * _TOTAL
_BARY_LIMIT = LimitHint(
    (1024 * _B**3).json(),
    (
        _step(_BARY_SCALE, {1: _B**_H * _H**3}),
        _step(_BARY_SCALE, {0: 12 * _H * (_H + 1) ** 2 * accuracy_index.bary_slope()}),
    ),
    (exponential("h", _B),),
)
_LISTED = (_naive_limit(accuracy_index.NAIVE_ERROR), _boost_limit(_H + 1))
_Y, _Z = var("y"), var("z")
_BERNOULLI = [(_Y**_Z - 1 - _Z * (_Y - 1)).json(), {"induct": "z", "factor": 1, "first": {}, "next": {}}]
"""y^z >= 1 + z (y - 1)."""
_POWERS = LimitHint((1 / (_Y - 1)).json(), (_step((_Y - 1) * _Y**_Z, {0: 1}), {}), (_BERNOULLI,))
_GEOMETRIC = LimitHint((1 / (_Y - 1)).json(), ({}, _step((_Y - 1) * _Y * _Y**_Z, {0: 1})), (_BERNOULLI,))
_POWER_OF_W = [(W**M - 1 - M * (W - 1)).json(), {"induct": "m", "factor": 1, "first": {}, "next": {}}]
_OF_OTHERS = _step(G**2 * (W - 1) * (G * W**M + U), {0: U * G})
_MAXIMISER = LimitHint((U / (G**2 * (W - 1))).json(), ({}, _OF_OTHERS), (_POWER_OF_W,))
_SCALE = LimitHint((U / EPS).json(), ({}, {}))
LIMITS: Mapping[str, Sequence[LimitHint]] = {
    "003.def4.tight": (LimitHint((T**3).json(), ({}, {})),),
    "003.fig5.limit.corrected": (_MAXIMISER, _SCALE),
    "000.eq6.norm@rpos": (_GEOMETRIC,),
    "000.supp.nbin.mean": (_GEOMETRIC,),
    "000.alg1.em.mse.corrected": (_POWERS,),
    "001.def3.naive@root": _LISTED[:1],
    "001.def3.naive@noroot": (_naive_limit(accuracy_index.NAIVE_NOROOT_ERROR),),
    "001.def3.boost@root": _LISTED[1:],
    "001.def3.boost@noroot": (_boost_limit(_H),),
    "001.sec4.same@limit": (_SAME,),
    "001.sec4.lower@limit": _LISTED[:2],
    "001.sec4.reflects@limit": (*_LISTED, _NAIVE_TO_PRIVELET, _SAME),
    "001.sec4.positive@listed": _LISTED,
    "001.sec4.max@listed": _LISTED,
    "001.sec4.positive@bary": (_BARY_LIMIT,),
    "001.sec4.max@bary": (_BARY_LIMIT,),
    "001.exp.table1.reps": (LimitHint((2 + 3 * var("q4") / var("q2") ** 2).json(), ({}, {})),),
}
"""Proofs of limits within a constant over h, by id of the claim; multipliers are those of the enclosed sum, if there is
one, and of the lemma."""

_HELD = ((wheel.PRESENT - wheel.ABSENT) / N).substitute({"w": exp(EPS)})
"""How much a held item of Wheel costs more than another one; at most |X_sen| sensitive items can be held."""


def _held_at_most(constraint: int) -> Mapping[int, tuple[tuple[object, Step], ...]]:
    return {0: tuple((c, {"multipliers": {str(constraint): _HELD.json()}}) for c in (1, 4, 16, 64))}


_GAMMA, _LOG, _EPS2 = var("gamma"), var("l4"), EPS**2
_LABELS_LESS_ONE = B - 1


def _dummies(log: Term, *least: int) -> tuple[tuple[object, Step], ...]:
    """s - gamma (n - 1) is at most (l + a) / 2, by the square of s - (l + a); a is at most 1, or 3 a (`least`) at least
    2."""
    both = log + A
    scale = 2 * both * _LABELS_LESS_ONE * (N * EPS * (1 - _GAMMA)) ** 2
    bounds: dict[int, Term | int] = {2: _EPS2, 1: both * least[0] if least else both * (56 * B + _EPS2)}
    return ((256, {**_step(scale, bounds), "squares": [[_EPS2.json(), (var("s") - both).json()]]}),)


CONSTANTS: Mapping[str, Mapping[int, tuple[tuple[object, Step], ...]]] = {
    "000.sec24.mmax@root": {0: ((2, _step(N * _ROOTS, {0: _ROOTS, 1: 1, 5: 1})),)},
    "000.sec24.mlimit": {0: (((1 + (1 + var("s")) / (14 * B * _LOG)).json(), {}),)},
    "000.sec24.error@dummies-noroot": {0: _dummies(1 + var("y"))},
    "000.sec24.error@dummies-root": {0: _dummies(A + var("y"), 3)},
    "002.table2.wheel": _held_at_most(1),
    "002.table2.suwheel": _held_at_most(3),
    "002.exp.fig3.quad": _held_at_most(3),
    "002.exp.fig4.power@suwheel.corrected": _held_at_most(3),
}
"""Constants with steps that are tried first (id of the row; number of the relation)."""

FAMILIES: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "000.sec24.mmax@noroot": (
        {"b": 1, "n": ["add", ["pow", "L", 2], 1], "gamma": ["div", 1, 2], "l2": 1, "l4": 1, "eps": ["div", 1, "L"]}
        | {"s": "L"},
    ),
    "000.sec24.space@olh": ({"d": "L", "b": 2, "z": 1},),
    **dict.fromkeys(
        ("000.sec24.error@sd-noroot", "000.sec24.error@sd-root"),
        ({"b": 2, "n": "L", "gamma": ["div", 1, 2], "eps": 1, "l": 1},),
    ),
}
"""Families along which a bound fails, that are tried first."""


def _at(names: str, *points: str) -> list[dict[str, int]]:
    """Points in digits (or numbers with commas), one for every name."""
    return [dict(zip(names, map(int, at.split(",") if "," in at else at), strict=True)) for at in points]


_COLUMNS = _at("nv", "12", "22", "32", "42", "33", "43", "44", "52", "62", "53")
_PAIRS = _at("nvw", "122", "222", "322", "422", "223", "323", "233")
_GRIDS = _at("nvwm", "2224", "3224", "4224", "2236")
_PARENTS = _at("nw", "12", "22", "32", "23", "24")
_GENERAL = _at("nvw", "133", "233", "333")
_MATRIX = _at("dn", "22", "42", "43")
_ADDED = _at("n", "3", "4", "5", "6") + _at("nw", "32", "42", "33")
_EVEN_RECORDS = _at("h", "1", "2")

_VECTORS = [{"q": q, "v": v, "delta": delta} for q, v, delta in ((1, 4, 3), (2, 2, 1), (2, 3, 2), (3, 2, 2), (2, 4, 5))]
LISTED: Mapping[str, Sequence[Mapping[str, int]]] = {
    "003.alg1.laplacian@upto-d": [{"n": n} for n in (1, 2)],
    "003.alg3.grouping": [{"n": 4}],
    "003.alg3.grouping.corrected": [{"n": 4}],
    "003.sec42.svm@split-synthetic": [{"n": 5}],
    "003.sec42.svm@test-original": [{"n": 5}],
    "003.sec42.svm@test-original.corrected": [{"n": n} for n in (1, 2, 3)],
    "003.fig5.nopriv.best@general": [{"n": 2}],
    "003.fig5.monotone": [{"n": 4, "g": 9, "h": 99}],
    "003.alg2.union@rowjoin": [{"d": d, "k": k, "m": m} for d, k, m in ((1, 1, 2), (2, 2, 1), (2, 1, 2), (3, 2, 2))],
    "003.alg2.union@setunion": [{"d": 2, "k": 2, "m": 1}],
    "003.fig5.limit": [{"n": 4}],
    "003.alg3.rows@rows": [
        {"d": d, "kept": kept, "k": k} for d, kept in ((1, 1), (2, 1), (2, 2), (3, 2), (4, 1)) for k in range(1, d + 1)
    ],
    "003.alg3.rows@columns": [{"d": 2, "kept": 1, "k": 1}],
    "003.sec32.kmeanspp@d2": [{"n": n, "k": 2} for n in (2, 3)],
    "003.sec32.kmeanspp@farthest": [{"n": n, "k": 2} for n in (2, 3)],
    "003.sec32.kmeanspp@farthest.corrected": [{"n": n, "k": k} for n, k in ((2, 2), (3, 2), (4, 2))],
    "003.sec32.pairs@once": [{"d": d} for d in (1, 2, 3)],
    "003.sec32.pairs@twice": [{"d": d} for d in (1, 2)],
    "003.sec32.rounds": [{"h": h} for h in (1, 2, 3)],
    "003.prose.gender@max": _at("nv", "13", "23", "33", "43", "53", "63", "44", "55"),
    "003.def2.function@ro": _at("n", "2", "3"),
    "003.sec22.mi-compare": [{}, *_at("nv", "22", "32", "42")],
    "003.sec22.mi-compare.corrected": _at("n", "2", "3", "4"),
    "003.sec22.mic-detects@zero": _GRIDS,
    "003.sec22.mic-detects@function": _at("nvw", "222", "322"),
    "003.sec22.mic-detects@function.corrected": _at("n", "2", "3", "4", "5"),
    "003.def5.defined@mine": _at("nvw", *(f"{n},3,3" for n in (2, 3, 4, 10, 11, 19, 20, 25, 26, 38, 39, 55))),
    **dict.fromkeys(
        ("003.def5.range@log2", "003.def5.range@ln", "003.def5.range@ln.corrected"), _GRIDS + _EVEN_RECORDS
    ),
    "003.def5.sym": _GRIDS,
    "003.eq6.mi": _PAIRS,
    **dict.fromkeys(
        ("003.log.base@base2", "003.log.base@same-e", "003.log.base@mi-nats.sens-bits"),
        _at("n", "1", "2", "3", "4"),
    ),
    **dict.fromkeys(
        ("003.sec32.delta-i@parents.ro", "003.sec32.delta-i.tight", "003.base.privbayes.sens-i.tight@binary"), _PARENTS
    ),
    "003.sec32.delta-i@pair.ro": _at("n", "1", "2", "3", "4", "5"),
    "003.sec32.delta-i@general.ro": _GENERAL,
    "003.sec32.delta-i@ar": _at("nw", "22", "32", "42", "23", "33", "24"),
    "003.sec32.delta-m@binary.ro": _at("nm", "24", "34", "44"),
    "003.sec32.delta-m@ordinal.ro": _at("nvwm", "2224", "3224", "2236"),
    "003.sec32.delta-m@ar": _at("nm", "24", "34", "44"),
    "003.sec32.delta-m@ordinal.ar": _at("pqrxyz", "4,0,5,0,10,0"),
    **dict.fromkeys(
        ("003.eq7.entropy@values", "003.sec33.hmax@values"),
        _COLUMNS,
    ),
    "003.eq11.range@values": _COLUMNS + _at("mv", "12", "22", "13", "32", "23"),
    "003.eq8.delta-h@ro": _COLUMNS,
    "003.eq8.tight": _COLUMNS,
    "003.eq8.delta-h@ar": _COLUMNS,
    "003.sec33.deltau@binary": _at("n", "1", "2", "3", "4") + _at("np", "11", "21", "31", "12", "22"),
    "003.sec33.deltau@general": _at("nv", "13", "23", "33", "43") + _GENERAL,
    "003.base.privbayes.sens-i@binary": _PARENTS,
    "003.base.privbayes.sens-i@general": _GENERAL,
    "003.base.privbayes.sens-i.tight@general": _at("nvw", "233"),
    "003.base.privbayes.f-closed": _at("nw", "12", "22", "32", "13", "23"),
    **dict.fromkeys(
        ("003.base.privbayes.sens-f@half", "003.base.privbayes.sens-f@ceil"), _at("nw", "22", "32", "42", "23")
    ),
    "003.base.jtree.cv": _at("nvw", "222", "322", "422", "522", "622", "223"),
    "003.sec1.kanonymity": [{"n": n, "m": m} for n, m in ((1, 2), (2, 2), (3, 2), (2, 3), (4, 2), (3, 3))],
    "003.def1.dp@point.corrected": [
        {"m": m, "k": k, "w": w} for m, k, w in ((2, 3, 2), (3, 2, 1), (3, 3, 2), (2, 5, 3), (3, 4, 3))
    ],
    "003.def1.adj@ro": [{"n": n} for n in (2, 3)],
    "003.def2.norm@l1": _VECTORS,
    "003.def3.tight": _VECTORS,
    "003.def3.dp@iid": [
        {"n": n, "q": q, "v": v, "delta": delta}
        for n, q, v, delta in ((1, 2, 2, 1), (2, 1, 3, 2), (2, 2, 2, 1), (2, 2, 2, 2), (1, 2, 3, 3))
    ],
    "003.sec31.binarise@observed-range": [{"n": 4, "v": 3, "c": 2}],
    "003.sec31.binarise@public-domain": [{"n": n, "v": 3, "c": c} for n, c in ((1, 2), (2, 2), (2, 3), (3, 2))],
    "003.alg3.dp@matrix.once.ro": [{"d": 4, "n": 2}],
    "003.alg3.dp@matrix.once.ro.corrected": _MATRIX,
    "003.alg3.round.corrected": _at("dn", "22", "42"),
    "003.alg5.dp@data.values.raw.corrected": _at("n", "2", "3", "4", "5"),
    "003.fig5.monotone.corrected": _at("n", "1", "2", "3", "4"),
    "003.alg3.round": [{"d": 4, "n": 2}],
    "003.alg3.tight": [{"d": 4, "n": 2}],
    "003.alg3.tight.corrected": _MATRIX,
    "003.alg5.geometric": [{"n": n} for n in (1, 2, 3, 4)],
    "003.sec34.needed": [{"n": n} for n in (1, 2, 3, 4)],
    "003.alg5.dp@data.values.clamped": [{"n": 2, "q": 15, "m": 20}],
    "003.alg5.dp@data.records.clamped": [{"n": 2, "q": 15, "m": 20}],
    "003.thm1.dp@transcript.fixed.ro": [{"d": 3, "n": 2}],
    "003.thm1.dp@pstar.ro": [{"d": 4, "n": 2, "m": 3}],
    "003.thm1.dp@synth.ro": [{"d": 40, "n": 4, "m": 3, "g": 5}],
    "003.thm1.dp@synth.geometric.ro": [{"d": 4, "n": 4, "m": 3}],
    "003.alg4.law": [
        *({"n": 2, "c": c, "l": 1} for c in (1, 2)),
        *({"n": n, "c": c, "l": i, "s": 1} for n, c, i in ((2, 2, 1), (3, 2, 1), (2, 3, 1))),
    ],
    **dict.fromkeys(("003.alg4.dp@ro", "003.sec33.allclusters.corrected"), _COLUMNS + _PARENTS),
    **dict.fromkeys(
        (
            "003.thm1.dp@transcript.data.ro.corrected",
            "003.thm1.dp@transcript.fixed.ro.corrected",
            "003.thm1.dp@synth.geometric.ro.corrected",
        ),
        _COLUMNS + _PARENTS + _MATRIX + _at("n", "1", "2", "3", "4"),
    ),
    **dict.fromkeys(("003.alg4.dp@ar", "003.thm1.dp@transcript.ar.corrected"), _ADDED),
    "003.base.privbayes.network.ar": _ADDED + _at("nw", "22", "23"),
    "003.base.jtree.dp@ro.corrected": _at("n", "1", "2", "3", "4", "5"),
    "003.prose.randomroot@l1.corrected": [{"n": n, "c": c} for n, c in ((2, 2), (3, 2), (2, 3), (3, 3))],
    "003.prose.maxroot@l1": [{"n": n, "c": c} for n, c in ((2, 2), (3, 2), (2, 3))],
    "003.alg4.candidates@exact-l": [{"c": 3, "l": 2}],
    "003.alg4.dag": [{"c": c, "l": i} for c, i in ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2))],
    "003.sec23.fact@distribution": [{"n": n, "c": c} for n, c in ((1, 1), (2, 1), (2, 2), (2, 3))],
    "003.prose.assoc@parent": [{"n": n, "c": c} for n, c in ((1, 2), (2, 2), (3, 2), (2, 3))],
    "003.prose.assoc@cluster": [{"n": 3, "c": 3}],
    **{
        f"003.eq9.symmetric@{joined}": [
            {"d": d, "h": h, "p": 1, "q": q} for d, h, q in ((2, 4, 2), (2, 3, 1), (3, 2, 2))
        ]
        for joined in ("or", "and")
    },
    "003.eq9.strongest@exact.and": [{"n": n, "d": d, "p": 1, "q": q} for n, d, q in ((2, 2, 2), (3, 2, 3), (3, 3, 2))],
    "003.eq9.strongest@exact.or": [{"n": n, "d": 3, "p": 1, "q": 2} for n in (2, 3, 4, 5)],
    "003.base.privbayes.dp": [
        *({"n": n, "w": w} for n, w in ((1, 2), (2, 2), (3, 2), (2, 3))),
        *({"n": n, "d": d, "l": i} for n, d, i in ((1, 2, 1), (2, 2, 0), (2, 2, 1), (1, 3, 1))),
    ],
    "003.base.jtree.junction@consistent": [{"n": 1}, {"n": 2}, {"m": 1}],
    "003.alg4.tight": [{"n": 2, "c": 2, "l": 1}],
    "003.alg4.tight.corrected": [{"n": 2, "c": 2, "l": 1}],
    "003.eq10.dp": [
        *({"n": 2, "c": c, "l": 1} for c in (1, 2)),
        {"n": 2, "c": 3, "l": 2, "s": 1},
    ],
}
"""The integers at which a sentence without a law is tried: where others would cost too much, or show nothing."""

CASES: Mapping[str, dict[str, Any]] = {
    "003.def2.norm@l2": {
        "instance": {"q": 3, "v": 3, "delta": 2, "eps": "2"},
        "case": {"one": [0, 0, 0], "other": [1, 1, 1]},
    },
    "003.prose.randomroot@l2": {
        "instance": {"n": 5, "c": 4},
        "case": {
            "data": [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 1, 1]],
            "one": 0,
            "other": 1,
        },
    },
    "003.prose.maxroot@l2": {
        "instance": {"n": 6, "c": 4},
        "case": {
            "data": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 1, 1], [1, 1, 0, 1]],
        },
    },
    "003.sec33.allclusters": {
        "instance": {"n": 2, "c": 2, "l": 1, "k": 5, "t": "2"},
        "case": {"rest": [[0, 0]], "one": [0, 1], "other": [1, 0], "network": [[1, 0], [[], [1]]]},
    },
    "003.base.jtree.graph": {"instance": {"g": 2, "h": 3, "w": "2", "v": "5/4"}, "case": {}},
    "003.base.jtree.dp@ro": {"instance": {"g": 2, "h": 3, "w": "2", "v": "5/4", "x": "5/4"}, "case": {}},
    "003.base.jtree.dp@ar": {"instance": {"g": 4, "h": 4, "w": "2", "v": "5/4", "x": "5/4"}, "case": {}},
}
"""Cases that refute a sentence without a law, where a search in order would not reach one."""
