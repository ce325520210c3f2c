"""Formal statements of the literature on hash families: affine functions modulo a prime, with and without a second
modulus, all functions, and the columns of a Walsh-Hadamard matrix.

What a proof for every prime or size consists of is stated as far as it is an identity. That the statement follows is
shown nowhere, so that it is one of instances: small families, enumerated.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import product

from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import NATURAL, SEVERAL, SOME
from dp_spec.vocabulary.statement import All, Relation, conjunction, instances
from dp_spec.vocabulary.term import Term, floor, modulo, same, summed, term, var

A, B, C, D, U, V, X, Y, R, S = (var(name) for name in "abcduvxyrs")
K, M, N, P, Q = (var(name) for name in "kmnPq")

PRIMES = (2, 3, 5, 7)
"""Those whose families are enumerated."""
BITS = (1, 2, 3, 4)
"""Binary logarithms of the orders whose matrices are."""


def _sums(of: Term, *over: tuple[str, Term | int, Term | int]) -> Term:
    """Over several indices, the first one outermost."""
    for index, low, high in reversed(over):
        of = summed(index, low, high, of)
    return of


def _product(factors: Iterable[Term]) -> Term:
    return reduce(lambda left, right: left * right, factors)


# --- affine functions ---------------------------------------------------------------------------------------------


def _affine(x: Term | int, prime: int) -> Term:
    return modulo(A * x + B, prime)


def _functions(of: Term, prime: int, least: int) -> Term:
    """The number of functions, a from `least` on, that are counted."""
    return _sums(of, ("a", least, prime - 1), ("b", 0, prime - 1))


def _keys(of: Term, keys: int) -> Term:
    """The sum over all pairs of keys x < y."""
    return _sums(of, ("x", 0, keys - 1), ("y", X + 1, keys - 1))


def _inverse() -> Formula:
    """With u (x - y) = 1 + v P: the preimage of (r, s) is one; r = s modulo P if its a is a multiple of P; functions
    (a, b), (c, d) that agree at both keys modulo P have the same a, and so the same b.
    """
    y = X - (1 + V * P) / U
    first = U * (R - S)
    second = R - first * X
    names = dict.fromkeys(("x", "r", "s", "a", "b", "c", "d", "v"), NATURAL)
    return formula(
        {**names, "u": SOME, "P": SEVERAL},
        ("eq", first * X + second, R),
        ("eq", first * y + second, S - (R - S) * V * P),
        ("eq", R - S, first * (X - y) - (R - S) * V * P),
        ("eq", A - C, U * ((A * X + B) - (C * X + D) - ((A * y + B) - (C * y + D))) - (A - C) * V * P),
    )


def _once(prime: int) -> Formula:
    """Any two keys have any two labels under one function."""
    hit = same(_affine(X, prime), var("i")) * same(_affine(Y, prime), var("j"))
    off = _sums((_functions(hit, prime, 0) - 1) ** 2, ("i", 0, prime - 1), ("j", 0, prime - 1))
    return formula({}, ("eq", _keys(off, prime), term(0)))


def _chance(of: Term, prime: int, least: int) -> Term:
    return _functions(of, prime, least) / ((prime - least) * term(prime))


AFFINE: dict[str, Formal] = {
    "lit.wegmancarter1981.affine@inverse": _inverse(),
    "lit.wegmancarter1981.affine@small": instances(*(_once(p) for p in PRIMES if p <= 5)),
    # keys 0 and 1, both with label 0
    "lit.wegmancarter1981.affine.nonzero": conjunction(
        *(
            formula(
                {}, ("eq", _chance(same(_affine(0, p), term(0)) * same(_affine(1, p), term(0)), p, 1), 1 / term(p) ** 2)
            )
            for p in PRIMES
        )
    ),
}

# --- with a second modulus ----------------------------------------------------------------------------------------


def _label(x: Term | int, prime: int, labels: int) -> Term:
    return modulo(_affine(x, prime), labels)


def _collision(x: Term | int, y: Term | int, prime: int, labels: int) -> Term:
    return same(_label(x, prime, labels), _label(y, prime, labels))


def _colliding(least: int) -> Term:
    """Pairs of numbers below P = q m + r with one remainder modulo m, where r remainders have q + 1 numbers and m - r
    have q: pairs of different ones, which functions with a from 1 make, or all pairs.
    """
    return R * (Q + 1) * (Q if least else Q + 1) + (M - R) * Q * (Q - 1 if least else Q)


def _counted(*relations: Relation) -> Formula:
    """For all P = q m + r, whether it is prime or not, and m >= 2."""
    return formula({"q": SOME, "m": SEVERAL, "r": NATURAL}, *relations, where=(M - 1 - R,))


def _as_counted(prime: int, least: int) -> Formula:
    """Any two keys share one of m labels under as many functions as were counted, for every m up to the prime."""
    relations: list[Relation] = []
    for labels in range(1, prime + 1):
        q, r = divmod(prime, labels)
        shared = _functions(_collision(X, Y, prime, labels), prime, least)
        stated = _colliding(least).substitute({"q": q, "m": labels, "r": r})
        relations.append(("eq", _keys((shared - stated) ** 2, prime), term(0)))
    return formula({}, *relations)


def _ranges(of: Callable[[int, int], Relation]) -> All:
    """For the primes and every number of labels from 2 on."""
    return conjunction(*(formula({}, of(p, m)) for p in PRIMES for m in range(2, p + 1)))


def _uniform(prime: int) -> Iterator[Relation]:
    """Every key has label j under q + 1 of the P choices of b, if j < r, and under q of them otherwise."""
    for labels in range(1, prime + 1):
        q, r = divmod(prime, labels)
        for j in range(labels):
            shared = _functions(same(_label(X, prime, labels), term(j)), prime, 1)
            off = (shared - (prime - 1) * (q + (j < r))) ** 2
            yield "eq", _sums(off, ("x", 0, prime - 1)), term(0)


_PRIME = Q * M + R

MODULO: dict[str, Formal] = {
    "lit.carterwegman1979.universal@count": _counted(
        ("eq", R * (Q + 1) + (M - R) * Q, _PRIME),
        ("eq", _PRIME * (_PRIME - 1) - M * _colliding(1), Q * M * (M - 1) + R * (R - 1)),
        ("lt", M * _colliding(1), _PRIME * (_PRIME - 1)),
    ),
    "lit.carterwegman1979.universal@small": instances(*(_as_counted(p, 1) for p in PRIMES)),
    "lit.carterwegman1979.exact": _ranges(lambda p, m: ("eq", _chance(_collision(0, 1, p, m), p, 1), 1 / term(m))),
    "lit.carterwegman1979.zero": _ranges(lambda p, m: ("le", _chance(_collision(0, 1, p, m), p, 0), 1 / term(m))),
    "lit.carterwegman1979.zero.chance@count": _counted(
        ("eq", _colliding(0) / _PRIME**2, 1 / M + R * (M - R) / (M * _PRIME**2)),
        ("le", 1 / M, 1 / M + R * (M - R) / (M * _PRIME**2)),
    ),
    "lit.carterwegman1979.zero.chance@small": instances(*(_as_counted(p, 0) for p in PRIMES)),
    "lit.carterwegman1979.uniform": _ranges(
        lambda p, m: ("eq", _chance(same(_label(0, p, m), term(0)), p, 1), 1 / term(m))
    ),
    "lit.carterwegman1979.labels": conjunction(*(formula({}, *_uniform(p)) for p in PRIMES)),
    # keys 0 and 1, both with label 0
    "lit.wegmancarter1981.modulo": _ranges(
        lambda p, m: (
            "eq",
            _chance(same(_label(0, p, m), term(0)) * same(_label(1, p, m), term(0)), p, 0),
            1 / term(m) ** 2,
        )
    ),
}

# --- all functions ------------------------------------------------------------------------------------------------


def _written(key: Term, labels: int) -> Term:
    """The label of a key under the function whose labels are the digits of u."""
    return modulo(floor(U / term(labels) ** key), labels)


def _digits(keys: int, labels: int) -> Formula:
    """Any k keys have any k labels under m^(N - k) of the m^N functions, for k = 1..N."""
    relations: list[Relation] = []
    for k in range(1, keys + 1):
        names = [(var(f"x_{i}"), var(f"r_{i}")) for i in range(k)]
        hit = _product(same(_written(x, labels), r) for x, r in names)
        off = (_sums(hit, ("u", 0, labels**keys - 1)) - labels ** (keys - k)) ** 2
        lows: list[Term | int] = [0, *(x + 1 for x, _ in names)]
        chosen = [(f"x_{i}", lows[i], keys - 1) for i in range(k)]
        relations.append(("eq", _sums(off, *chosen, *((f"r_{i}", 0, labels - 1) for i in range(k))), term(0)))
    return formula({}, *relations)


ALL_FUNCTIONS: dict[str, Formal] = {
    # functions on N = k + u keys: the labels of u keys are free
    "lit.wegmancarter1981.all@count": formula(
        {"m": SOME, "k": SOME, "u": NATURAL}, ("eq", M**U / M ** (K + U), 1 / M**K)
    ),
    "lit.wegmancarter1981.all@small": instances(
        *(_digits(keys, m) for keys, m in ((2, 2), (3, 2), (4, 2), (2, 3), (3, 3)))
    ),
}

# --- columns of a Walsh-Hadamard matrix ---------------------------------------------------------------------------


def _sign(column: str, bits: int) -> Term:
    """The entry of a column at the coordinate with the bits i_0, i_1, ..."""
    return _product(1 - 2 * var(f"i_{b}") * var(f"{column}_{b}") for b in range(bits))


def _bits(name: str, bits: int) -> list[tuple[str, int, int]]:
    return [(f"{name}_{b}", 0, 1) for b in range(bits)]


def _alike(column: str, other: str, bits: int) -> Term:
    """1 for equal columns."""
    return _product(same(var(f"{column}_{b}"), var(f"{other}_{b}")) for b in range(bits))


def _constant(column: str, bits: int) -> Term:
    """1 for column 0."""
    return _product(same(var(f"{column}_{b}"), term(0)) for b in range(bits))


def _agreeing(bits: int) -> Formula:
    """Any two different columns have the same entry at half of the coordinates."""
    agree = (1 + _sign("c", bits) * _sign("d", bits)) / 2
    off = (_sums(agree, *_bits("i", bits)) - 2 ** (bits - 1)) ** 2 * (1 - _alike("c", "d", bits))
    return formula({}, ("eq", _sums(off, *_bits("c", bits), *_bits("d", bits)), term(0)))


def _quarters(bits: int) -> Formula:
    """Any two different columns other than 0 have any two signs at a quarter of the coordinates."""
    counted = (1 - _alike("c", "d", bits)) * (1 - _constant("c", bits)) * (1 - _constant("d", bits))
    relations: list[Relation] = []
    for first, second in product((1, -1), repeat=2):
        both = (1 + first * _sign("c", bits)) / 2 * ((1 + second * _sign("d", bits)) / 2)
        off = (4 * _sums(both, *_bits("i", bits)) - 2**bits) ** 2 * counted
        relations.append(("eq", _sums(off, *_bits("c", bits), *_bits("d", bits)), term(0)))
    return formula({}, *relations)


def _at_1_2_3() -> Formula:
    """Of order 4: columns 1, 2 and 3 are all 1 at an eighth of the coordinates."""
    i0, i1 = var("i_0"), var("i_1")
    signs = (1 - 2 * i0, 1 - 2 * i1, (1 - 2 * i0) * (1 - 2 * i1))
    all_one = _product((1 + sign) / 2 for sign in signs)
    return formula({}, ("eq", _sums(all_one, *_bits("i", 2)) / 4, 1 / term(2) ** 3))


COLUMNS: dict[str, Formal] = {
    # parts that agree at a of n coordinates: in the same half of the columns, and in different ones
    "lit.sylvester1867.columns@doubling": formula(
        {"n": SOME, "a": NATURAL}, ("eq", N / 2 + N / 2, (2 * N) / 2), ("eq", A + (N - A), (2 * N) / 2)
    ),
    "lit.sylvester1867.columns@small": instances(*(_agreeing(bits) for bits in BITS)),
    "lit.sylvester1867.pairwise": conjunction(*(_quarters(bits) for bits in BITS if 2 <= bits <= 3)),
    "lit.sylvester1867.threewise": _at_1_2_3(),
}

FORMAL: dict[str, Formal] = AFFINE | MODULO | ALL_FUNCTIONS | COLUMNS
"""Every id with its formal statement."""
