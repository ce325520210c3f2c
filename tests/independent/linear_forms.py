"""Hash functions any two items of which share a label with chance exactly 1/b: linear forms over finite fields."""

from collections.abc import Iterator
from itertools import product

Table = tuple[int, ...]


def field(q: int) -> tuple[list[list[int]], list[list[int]]]:
    """Sums and products of the field of q = p^s elements, numbers whose digits are coefficients; found by trial."""
    p = next(f for f in range(2, q + 1) if q % f == 0)
    s = next(s for s in range(1, q + 1) if p**s == q)

    def digits(number: int) -> list[int]:
        return [number // p**i % p for i in range(s)]

    def number(listed: list[int]) -> int:
        return sum(c % p * p**i for i, c in enumerate(listed))

    def times(x: int, y: int, modulus: tuple[int, ...]) -> int:
        coefficients = [0] * (2 * s - 1)
        for i, a in enumerate(digits(x)):
            for j, b in enumerate(digits(y)):
                coefficients[i + j] += a * b
        for i in range(2 * s - 2, s - 1, -1):
            for j in range(s):
                coefficients[i - s + j] -= coefficients[i] * modulus[j]
        return number(coefficients[:s])

    sums = [[number([a + b for a, b in zip(digits(x), digits(y), strict=True)]) for y in range(q)] for x in range(q)]
    for modulus in product(range(p), repeat=s):
        products = [[times(x, y, modulus) for y in range(q)] for x in range(q)]
        if all(sorted(row) == list(range(q)) for row in products[1:]):
            return sums, products
    raise AssertionError("there is a field of every prime power")


def forms(d: int, q: int) -> list[Table]:
    """The labels of d items, different vectors, under all forms: the fewest coordinates that there are vectors for."""
    sums, products = field(q)
    r = next(r for r in range(1, d + 1) if q**r >= d)
    vectors = list(product(range(q), repeat=r))[:d]

    def value(form: Table, vector: Table) -> int:
        total = 0
        for a, x in zip(form, vector, strict=True):
            total = sums[total][products[a][x]]
        return total

    return [tuple(value(form, vector) for vector in vectors) for form in product(range(q), repeat=r)]


def family(d: int, labels: int) -> list[Table]:
    """One form for each prime power in the number of labels, drawn independently."""
    parts = [forms(d, q) for q in _prime_powers(labels)]
    sizes = list(_prime_powers(labels))
    tables = []
    for chosen in product(*parts):
        table = []
        for values in zip(*chosen, strict=True):
            label = 0
            for value, size in zip(values, sizes, strict=True):
                label = label * size + value
            table.append(label)
        tables.append(tuple(table))
    return tables


def _prime_powers(number: int) -> Iterator[int]:
    for f in range(2, number + 1):
        if all(f % g for g in range(2, f)) and number % f == 0:
            power = f
            while number % (power * f) == 0:
                power *= f
            yield power
