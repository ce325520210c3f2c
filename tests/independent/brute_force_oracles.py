"""The laws and estimators of the oracles a second time: plain fractions and itertools, nothing from the project.

w is e^epsilon and h is e^(epsilon/2), both rational. Laws are normalized weights; estimators follow the papers' servers
(counts, sketch matrices, transforms), not the scores of single reports.
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, product

from independent.brute_force import bits

Law = dict[Hashable, Fraction]

Table = Sequence[int]


def normalized(weights: dict[Hashable, Fraction]) -> Law:
    total = sum(weights.values())
    return {y: weight / total for y, weight in weights.items()}


def sylvester(size: int) -> list[list[int]]:
    """[[H, H], [H, -H]] until the size is reached."""
    matrix = [[1]]
    while len(matrix) < size:
        matrix = [row + row for row in matrix] + [row + [-v for v in row] for row in matrix]
    return matrix


def doubled_up_to(least: int) -> int:
    size = 1
    while size < least:
        size *= 2
    return size


def pure(counts: Sequence[int], n: int, p: Fraction, q: Fraction) -> list[Fraction]:
    """Wang et al.: (count - n q) / (n (p - q))."""
    return [(count - n * q) / (n * (p - q)) for count in counts]


# --- subset selection -----------------------------------------------------------------------------------------------


def subset(x: int, d: int, k: int, w: Fraction) -> Law:
    return normalized({frozenset(y): w if x in y else Fraction(1) for y in combinations(range(d), k)})


def subset_estimate(reports: Sequence[frozenset[int]], d: int, k: int, w: Fraction) -> list[Fraction]:
    law = subset(0, d, k, w)
    p, q = (sum((c for y, c in law.items() if isinstance(y, frozenset) and x in y), Fraction(0)) for x in (0, 1))
    return pure([sum(x in y for y in reports) for x in range(d)], len(reports), p, q)


# --- local hashing: reports are (cell, table of the function) --------------------------------------------------------


def cell(own: int, g: int, w: Fraction) -> Law:
    return normalized({y: w if y == own else Fraction(1) for y in range(g)})


def drawn_hashing(x: int, g: int, w: Fraction, tables: Sequence[Table]) -> Law:
    return {(y, j): c / len(tables) for j, table in enumerate(tables) for y, c in cell(table[x], g, w).items()}


def ideal_hashing(x: int, d: int, g: int, w: Fraction) -> Law:
    tables = list(product(range(g), repeat=d))
    return {(y, table): c / len(tables) for table in tables for y, c in cell(table[x], g, w).items()}


def hashing_estimate(reports: Sequence[tuple[int, Table]], d: int, g: int, w: Fraction) -> list[Fraction]:
    counts = [sum(table[x] == y for y, table in reports) for x in range(d)]
    return pure(counts, len(reports), cell(0, g, w)[0], Fraction(1, g))


# --- Hadamard --------------------------------------------------------------------------------------------------------


def coefficients(x: int, d: int, t: int, first: int, w: Fraction) -> Law:
    h = sylvester(doubled_up_to(d + first))
    weights: dict[Hashable, Fraction] = {}
    for drawn in product(range(len(h)), repeat=t):
        for signs in product((1, -1), repeat=t):
            true = all(h[i][x + first] == sign for i, sign in zip(drawn, signs, strict=True))
            pairs = tuple(zip(drawn, signs, strict=True))
            weights[pairs[0] if t == 1 else pairs] = w if true else Fraction(1)
    return normalized(weights)


def coefficients_estimate(
    reports: Sequence[tuple[tuple[int, int], ...]], d: int, t: int, first: int, w: Fraction
) -> list[Fraction]:
    """The sum of the signs per index, debiased, transformed. A sign is right with (w + 2^(t-1) - 1) / (w + 2^t - 1)."""
    h = sylvester(doubled_up_to(d + first))
    right = Fraction(w + 2 ** (t - 1) - 1) / (w + 2**t - 1)
    spectrum = [sum(sign for pairs in reports for i, sign in pairs if i == index) for index in range(len(h))]
    transformed = [sum(h[i][x] * spectrum[i] for i in range(len(h))) for x in range(len(h))]
    return [transformed[x + first] / ((2 * right - 1) * t * len(reports)) for x in range(d)]


def response_sets(d: int, blocks: int) -> tuple[int, list[set[int]], list[set[int]]]:
    """K, the sets C_x and the blocks they are in, filled up in order."""
    width = 2
    while blocks * (width - 1) < d:
        width *= 2
    h = sylvester(width)
    places = [(j, i) for j in range(blocks) for i in range(1, width)][:d]
    sets = [{j * width + y for y in range(width) if h[i][y] == 1} for j, i in places]
    return blocks * width, sets, [set(range(j * width, (j + 1) * width)) for j, _ in places]


def response(position: int, d: int, blocks: int, w: Fraction) -> Law:
    size, sets, _ = response_sets(d, blocks)
    return normalized({y: w if y in sets[position] else Fraction(1) for y in range(size)})


def response_estimate(reports: Sequence[int], d: int, blocks: int, w: Fraction) -> list[Fraction]:
    """2 (2B - 1 + w) / (w - 1) (F(C_x) - F(block of x) / 2), by position."""
    n, (_, sets, around) = len(reports), response_sets(d, blocks)
    in_set = [Fraction(sum(y in s for y in reports), n) for s in sets]
    in_block = [Fraction(sum(y in s for y in reports), n) for s in around]
    return [2 * (2 * blocks - 1 + w) / (w - 1) * (a - b / 2) for a, b in zip(in_set, in_block, strict=True)]


# --- vectors ----------------------------------------------------------------------------------------------------------


def vector(chances: Sequence[Fraction], low: int) -> Law:
    """Independent entries, 1 with the given chances, else `low`."""
    return {tuple(1 if bit else low for bit in drawn): p for drawn, p in bits(list(chances))}


def unary(x: int, d: int, p: Fraction, q: Fraction) -> Law:
    return vector([p if y == x else q for y in range(d)], 0)


def laplace_above(level: Fraction, quarter: Fraction) -> Fraction:
    """P(noise > level) for noise of scale 2 / epsilon, level a multiple of 1/2, quarter = e^(epsilon/4)."""
    tail = quarter ** int(-2 * abs(level)) / 2
    return tail if level >= 0 else 1 - tail


def bloom(x: int, m: int, f: Fraction, filters: Sequence[Sequence[Sequence[int]]]) -> Law:
    """A bit is kept with probability 1 - f, else a fair coin."""
    law: Law = {}
    for j, cohort in enumerate(filters):
        chances = [(1 - f) * (bit in cohort[x]) + f * Fraction(1, 2) for bit in range(m)]
        law.update({(v, j): c / len(filters) for v, c in vector(chances, 0).items()})
    return law


def count_mean(x: int, m: int, h: Fraction, tables: Sequence[Table]) -> Law:
    law: Law = {}
    for j, table in enumerate(tables):
        chances = [h / (h + 1) if y == table[x] else 1 / (h + 1) for y in range(m)]
        law.update({(v, j): c / len(tables) for v, c in vector(chances, -1).items()})
    return law


def mean_of_rows(matrix: list[list[Fraction]], tables: Sequence[Table], d: int, n: int) -> list[Fraction]:
    """Apple's server: m/(m-1) (mean over the rows of M[j, h_j(x)] - n/m), over n."""
    k, m = len(matrix), len(matrix[0])
    means = [sum((matrix[j][tables[j][x]] for j in range(k)), Fraction(0)) / k for x in range(d)]
    return [Fraction(m, m - 1) * (mean - Fraction(n, m)) / n for mean in means]


def count_mean_estimate(
    reports: Sequence[tuple[Sequence[int], int]], d: int, m: int, h: Fraction, tables: Sequence[Table]
) -> list[Fraction]:
    k, c = len(tables), (h + 1) / (h - 1)
    matrix = [[Fraction(0)] * m for _ in tables]
    for v, j in reports:
        matrix[j] = [total + k * (c / 2 * v[y] + Fraction(1, 2)) for y, total in enumerate(matrix[j])]
    return mean_of_rows(matrix, tables, d, len(reports))


def hadamard_count_mean(x: int, m: int, w: Fraction, tables: Sequence[Table]) -> Law:
    h = sylvester(m)
    return normalized(
        {
            (sign, j, y): w if h[y][table[x]] == sign else Fraction(1)
            for j, table in enumerate(tables)
            for y in range(m)
            for sign in (-1, 1)
        }
    )


def hadamard_count_mean_estimate(
    reports: Sequence[tuple[int, int, int]], d: int, m: int, w: Fraction, tables: Sequence[Table]
) -> list[Fraction]:
    h, k, c = sylvester(m), len(tables), (w + 1) / (w - 1)
    matrix = [[Fraction(0)] * m for _ in tables]
    for sign, j, y in reports:
        matrix[j][y] += k * c * sign
    transformed = [[sum((row[y] * h[y][z] for y in range(m)), Fraction(0)) for z in range(m)] for row in matrix]
    return mean_of_rows(transformed, tables, d, len(reports))


def count_sketch(x: int, m: int, w: Fraction, tables: Sequence[Table], signs: Sequence[Table]) -> Law:
    return normalized(
        {
            (y, j): w if y[table[x]] == 2 * signs[j][x] - 1 else Fraction(1)
            for j, table in enumerate(tables)
            for y in product((-1, 1), repeat=m)
        }
    )


def count_sketch_estimate(
    reports: Sequence[tuple[Sequence[int], int]], d: int, w: Fraction, tables: Sequence[Table], signs: Sequence[Table]
) -> list[Fraction]:
    k, c = len(tables), (w + 1) / (w - 1)
    rows = [
        {y: sum((k * c * v[y] for v, j in reports if j == r), Fraction(0)) for y in table}
        for r, table in enumerate(tables)
    ]
    estimates = [sum((2 * signs[r][x] - 1) * rows[r][tables[r][x]] for r in range(k)) for x in range(d)]
    return [Fraction(total) / (k * len(reports)) for total in estimates]
