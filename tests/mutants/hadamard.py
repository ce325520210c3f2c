"""Plausible faults in Hadamard response and the Hadamard count-mean sketch, and in their servers."""

from fractions import Fraction
from typing import Any

from dp_refimpl.coins import bernoulli, uniform
from dp_refimpl.frequency.count_sketch import aggregate, server_constant
from dp_refimpl.frequency.hadamard import hadamard_entry, walsh_hadamard
from mutants.mechanisms import Members, values

KEPT: dict[str, Members] = {
    "kept with e^(eps/2)": values(p=lambda s: s.budget.exp(Fraction(1, 2)) / (s.budget.exp(Fraction(1, 2)) + 1)),
    "flipped where it should be kept": values(p=lambda s: 1 / (s.budget.exp() + 1)),
    "kept with 1 - 1/e^eps": values(p=lambda s: 1 - 1 / s.budget.exp()),
    "kept with (e^eps - 1)/(e^eps + 1)": values(p=lambda s: (s.budget.exp() - 1) / (s.budget.exp() + 1)),
}


def common_zeros(i: int, j: int, size: int) -> int:
    """The parity of the zeros in common."""
    return hadamard_entry(size - 1 - i, size - 1 - j)


def skewed(s: Any, size: int, coins: Any) -> int:
    """Uniform but for the first one, which is never drawn."""
    return uniform(coins, range(1, size) if size > 1 else range(1), s.one)


def response(
    column: Any = lambda s, x: s.first + s.domain.items.index(x),
    coordinate: Any = lambda s, coins: uniform(coins, range(s.size), s.one),
    entry: Any = lambda s, i, j: hadamard_entry(i, j),
) -> Members:
    def run(s: Any, item: Any, coins: Any) -> Any:
        drawn = coordinate(s, coins)
        sign = entry(s, drawn, column(s, item))
        return drawn, sign if bernoulli(coins, s.p) else -sign

    return {"randomize": run}


RESPONSES: dict[str, Members] = KEPT | {
    "columns shifted": response(column=lambda s, x: (s.first + s.domain.items.index(x) + 1) % s.size),
    "the first column is left out or not": response(column=lambda s, x: 1 - s.first + s.domain.items.index(x)),
    "the size is twice as large": values(size=lambda s: 2 << (len(s.domain.items) + s.first - 1).bit_length()),
    "the size is d": values(size=lambda s: len(s.domain.items)),
    "coordinate 0 is not drawn": response(coordinate=lambda s, coins: skewed(s, s.size, coins)),
    "coordinates shifted": response(entry=lambda s, i, j: hadamard_entry((i + 1) % s.size, j)),
    "zeros in common": response(entry=lambda s, i, j: common_zeros(i, j, s.size)),
    "ones that differ": response(entry=lambda s, i, j: -1 if (i ^ j).bit_count() % 2 else 1),
    "whether there is a common one": response(entry=lambda s, i, j: -1 if i & j else 1),
}


def response_server(scale: Any, column: Any = lambda s, j: s.first + j, transform: Any = walsh_hadamard) -> Members:
    def run(s: Any, reports: Any) -> Any:
        totals = [0] * s.size
        for i, sign in reports:
            totals[i] += sign
        spectrum = transform(totals)
        return {x: scale(s, len(reports)) * spectrum[column(s, j) % s.size] for j, x in enumerate(s.domain.items)}

    return {"estimate": run}


def c_of(s: Any) -> Any:
    return server_constant(s.budget.exp())


RESPONSE_SERVERS: dict[str, Members] = {
    "n is missing": response_server(lambda s, n: c_of(s)),
    "1/D too much": response_server(lambda s, n: c_of(s) / n / (2 * s.size)),
    "c of e^(eps/2)": response_server(lambda s, n: server_constant(s.budget.exp(Fraction(1, 2))) / n),
    "c is missing": response_server(lambda s, n: s.one / n),
    "the sign swapped": response_server(lambda s, n: -c_of(s) / n),
    "columns shifted": response_server(lambda s, n: c_of(s) / n, lambda s, j: s.first + j + 1),
    "not transformed": response_server(lambda s, n: c_of(s) / n, transform=lambda v: v),
}


def sketch(
    row: Any = lambda s, coins: uniform(coins, range(s.k), s.one),
    coordinate: Any = lambda s, coins: uniform(coins, range(s.m), s.one),
    sign: Any = lambda s, j, i, x: hadamard_entry(i, s.functions[j](x)),
    said: Any = lambda s, w, j, i: (w, j, i),
) -> Members:
    def run(s: Any, item: Any, coins: Any) -> Any:
        j, i = row(s, coins), coordinate(s, coins)
        w = sign(s, j, i, item)
        return said(s, w if bernoulli(coins, s.p) else -w, j, i)

    return {"randomize": run}


SKETCHES: dict[str, Members] = KEPT | {
    "always the first row": sketch(row=lambda s, coins: 0),
    "coordinate 0 is not drawn": sketch(coordinate=lambda s, coins: skewed(s, s.m, coins)),
    "the function of another row": sketch(sign=lambda s, j, i, x: hadamard_entry(i, s.functions[j - 1](x))),
    "columns shifted": sketch(sign=lambda s, j, i, x: hadamard_entry(i, (s.functions[j](x) + 1) % s.m)),
    "zeros in common": sketch(sign=lambda s, j, i, x: common_zeros(i, s.functions[j](x), s.m)),
    "the coordinate is that of the row": sketch(sign=lambda s, j, i, x: hadamard_entry(j, s.functions[j](x))),
    "row and coordinate swapped": sketch(said=lambda s, w, j, i: (w, i, j)),
}


def sketch_server(
    scale: Any = lambda s: s.k * c_of(s),
    transform: Any = walsh_hadamard,
    estimate: Any = lambda s, table, n, x: aggregate(table, n, s.functions, x) / n,
) -> Members:
    def run(s: Any, reports: Any) -> Any:
        totals = [[0] * s.m for _ in range(s.k)]
        for w, j, i in reports:
            totals[j][i] += w
        matrix: Any = [[scale(s) * v for v in transform(row)] for row in totals]
        return {x: estimate(s, matrix, len(reports), x) for x in s.domain.items}

    return {"estimate": run}


def average(s: Any, table: Any, x: Any) -> Any:
    return sum((row[h(x)] for row, h in zip(table, s.functions, strict=True)), s.one * 0) / s.k


SKETCH_SERVERS: dict[str, Members] = {
    "k is missing": sketch_server(c_of),
    "c of e^(eps/2)": sketch_server(lambda s: s.k * server_constant(s.budget.exp(Fraction(1, 2)))),
    "c/2 as without the transform": sketch_server(lambda s: s.k * c_of(s) / 2),
    "the sign swapped": sketch_server(lambda s: -s.k * c_of(s)),
    "not transformed": sketch_server(transform=lambda row: row),
    "transformed twice": sketch_server(transform=lambda row: walsh_hadamard(walsh_hadamard(row))),
    "1/m too much": sketch_server(lambda s: s.k * c_of(s) / s.m),
    "m/(m-1) is missing": sketch_server(estimate=lambda s, table, n, x: average(s, table, x) / n - s.one / s.m),
    "n/m is missing": sketch_server(estimate=lambda s, table, n, x: average(s, table, x) * s.m / (s.m - 1) / n),
    "a number, not a share": sketch_server(estimate=lambda s, table, n, x: aggregate(table, n, s.functions, x)),
}
