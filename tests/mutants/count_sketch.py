"""Plausible faults in the private count-mean sketch, its server and its aggregation."""

from fractions import Fraction
from typing import Any

from dp_refimpl.coins import bernoulli, uniform
from dp_refimpl.frequency.count_sketch import aggregate, server_cms, server_constant
from mutants.mechanisms import Members, values


def encoded(s: Any, own: int, one: int = 1, other: int = -1) -> list[int]:
    return [one if column == own else other for column in range(s.m)]


def geometric(s: Any) -> list[Any]:
    """1/2, 1/4, ...: not uniform for three rows."""
    return [s.one / 2 ** min(i, s.k - 1) for i in range(1, s.k + 1)] if s.k > 1 else [s.one]


def client(
    row: Any = lambda s, coins: uniform(coins, range(s.k), s.one),
    vector: Any = lambda s, j, item: encoded(s, s.functions[j](item)),
    flips: Any = lambda s, coins: coins.choose_each([(1 - s.flip, s.flip)] * s.m),
    said: Any = lambda s, j: j,
) -> Members:
    """The client with another step."""

    def run(s: Any, item: Any, coins: Any) -> Any:
        j = row(s, coins)
        own, flipped = vector(s, j, item), flips(s, coins)
        return tuple(-u if flip else u for u, flip in zip(own, flipped, strict=True)), said(s, j)

    return {"randomize": run}


def server(
    matrix: Any = lambda s, reports: server_cms(reports, s.k, s.m, s.budget),
    estimate: Any = lambda s, sketch, n, x: aggregate(sketch, n, s.functions, x) / n,
) -> Members:
    """The server with another matrix, or another aggregation."""

    def run(s: Any, reports: Any) -> Any:
        sketch = matrix(s, reports)
        return {x: estimate(s, sketch, len(reports), x) for x in s.domain.items}

    return {"estimate": run}


def debiased(factor: Any, constant: Any, half: Any = Fraction(1, 2), row: Any = lambda s, j: j) -> Any:
    """The matrix of `factor` (c/2 u + half) per report."""

    def matrix(s: Any, reports: Any) -> Any:
        sketch = [[s.one * 0] * s.m for _ in range(s.k)]
        for signs, j in reports:
            for column, sign in enumerate(signs):
                added = factor(s) * (constant(s) * sign / 2 + s.one * half.numerator / half.denominator)
                sketch[row(s, j)][column] += added
        return sketch

    return matrix


def cells(s: Any, sketch: Any, x: Any, functions: Any = None) -> list[Any]:
    return [row[h(x)] for row, h in zip(sketch, functions or s.functions, strict=True)]


def aggregated(
    average: Any = lambda s, sketch, x: sum(cells(s, sketch, x), s.one * 0) / s.k,
    expected: Any = lambda s, n: s.one * n / s.m,
    stretch: Any = lambda s: s.one * s.m / (s.m - 1),
) -> Members:
    """stretch (average - expected)."""
    return server(estimate=lambda s, sketch, n, x: stretch(s) * (average(s, sketch, x) - expected(s, n)) / n)


def first(s: Any, sketch: Any, x: Any) -> Any:
    """The cells of the first function in every row."""
    return sum(cells(s, sketch, x, s.functions[:1] * s.k), s.one * 0) / s.k


def constant(power: Fraction) -> Any:
    """c of e^(eps power)."""
    return lambda s: server_constant(s.budget.exp(power))


HALF, WHOLE = Fraction(1, 2), Fraction(1)
CLIENTS: dict[str, Members] = {
    "flips with e^eps": values(flip=lambda s: 1 / (s.budget.exp() + 1)),
    "keeps what should be flipped": values(flip=lambda s: 1 - 1 / (s.budget.exp(HALF) + 1)),
    "flips with 1/(2 e^(eps/2))": values(flip=lambda s: 1 / (2 * s.budget.exp(HALF))),
    "rows are not uniform": client(row=lambda s, coins: coins.choose(geometric(s))),
    "always the first row": client(row=lambda s, coins: 0),
    "the function of another row": client(vector=lambda s, j, x: encoded(s, s.functions[j - 1](x))),
    "signs swapped": client(vector=lambda s, j, x: encoded(s, s.functions[j](x), -1, 1)),
    "starts with zeros": client(vector=lambda s, j, x: encoded(s, s.functions[j](x), 1, 0)),
    "columns counted from 1": client(vector=lambda s, j, x: encoded(s, (s.functions[j](x) + 1) % s.m)),
    "one coin for all signs": client(flips=lambda s, coins: (coins.choose([1 - s.flip, s.flip]),) * s.m),
    "the first sign is not flipped": client(
        flips=lambda s, coins: (0, *coins.choose_each([(1 - s.flip, s.flip)] * (s.m - 1)))
    ),
    "rows reported from 1": client(said=lambda s, j: j + 1),
}

ESTIMATORS: dict[str, Members] = {
    "k is missing": server(matrix=debiased(lambda s: 1, constant(HALF))),
    "c of e^eps": server(matrix=debiased(lambda s: s.k, constant(WHOLE))),
    "c/2 is c": server(matrix=debiased(lambda s: s.k, lambda s: 2 * constant(HALF)(s))),
    "1/2 is missing": server(matrix=debiased(lambda s: s.k, constant(HALF), Fraction(0))),
    "1/2 is 1": server(matrix=debiased(lambda s: s.k, constant(HALF), Fraction(1))),
    "sign swapped": server(matrix=debiased(lambda s: s.k, lambda s: -constant(HALF)(s))),
    "another row": server(matrix=debiased(lambda s: s.k, constant(HALF), row=lambda s, j: j - 1)),
    "m/(m-1) is missing": aggregated(stretch=lambda s: s.one),
    "m/(m-1) is (m+1)/m": aggregated(stretch=lambda s: s.one * (s.m + 1) / s.m),
    "n/m is missing": aggregated(expected=lambda s, n: 0),
    "n/m is n/k": aggregated(expected=lambda s, n: s.one * n / s.k),
    "n/m is 1/m": aggregated(expected=lambda s, n: s.one / s.m),
    "1/k is missing": aggregated(average=lambda s, sketch, x: sum(cells(s, sketch, x), s.one * 0)),
    "the first function everywhere": aggregated(average=first),
    "the least row": aggregated(average=lambda s, sketch, x: min(cells(s, sketch, x))),
    "a number, not a share": server(estimate=lambda s, sketch, n, x: aggregate(sketch, n, s.functions, x)),
}


def thinned(weight: Any, kept: Any = lambda y: y is not None) -> Members:
    """The estimate from what is kept of the reports, weighted."""

    def run(s: Any, reports: Any) -> Any:
        uploaded = [y for y in reports if kept(y)]
        estimates = s.mechanism.estimate(uploaded) if uploaded else dict.fromkeys(s.mechanism.domain.items, s.one * 0)
        return {x: weight(s, len(uploaded), len(reports)) * value for x, value in estimates.items()}

    return {"estimate": run}


def uploaded(often: Any) -> Members:
    """Sampling that sees what it should not, or other chances."""

    def run(s: Any, item: Any, coins: Any) -> Any:
        report = s.mechanism.randomize(item, coins)
        return report if bernoulli(coins, often(s, item)) else None

    return {"randomize": run}


THINNED: dict[str, Members] = {
    "about what is uploaded": thinned(lambda s, uploaded, n: s.one),
    "rho is missing": thinned(lambda s, uploaded, n: s.one * uploaded / n),
    "rho on the wrong side": thinned(lambda s, uploaded, n: s.chance * uploaded / n),
    "the users are uploaded ones": thinned(lambda s, uploaded, n: 1 / s.chance),
    "the first report is left out": thinned(lambda s, uploaded, n: s.one * max(uploaded - 1, 0) / (s.chance * n)),
    "some items are uploaded more often": uploaded(lambda s, item: s.chance if item else s.one),
    "1 - rho": uploaded(lambda s, item: 1 - s.chance),
    "rho squared": uploaded(lambda s, item: s.chance**2),
}
