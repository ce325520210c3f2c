"""Checkers for statements about explicit matrices: exact linear algebra finds what the kernel multiplies out."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import gcd
from typing import Any

from flint import fmpq, fmpq_mat

from dp_checks import matrix_programs
from dp_checks.check.proposals import Candidate, Finder
from dp_checks.registry import Key, keyed
from dp_kernel.laws.additive import queries
from dp_refimpl.matrix.linear_forms import noise_symbols
from dp_refimpl.matrix.mechanism import strategy
from dp_spec.vocabulary.additive import Additive
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.matrix_statements import BestLinear, Dominates, Matrix
from dp_spec.vocabulary.term import Term

Row = list[fmpq]
Lower = dict[tuple[int, int], fmpq]
"""Entries of L below its diagonal."""


def answers(law: Additive, at: Mapping[str, Term]) -> tuple[fmpq_mat, Row]:
    """A, a row for every noisy answer, and the scales of the noise."""
    values = {name: _fraction(t.evaluate({})) for name, t in at.items()}
    found = [(query, scale) for query, scale, _ in queries(law.json(), values)]
    return matrix([[_rational(x) for x in query] for query, _ in found]), [_rational(scale) for _, scale in found]


def best_linear(statement: BestLinear, _: str) -> Iterator[Candidate]:
    """The first query whose estimate is biased, or not the best one; the vectors in whose images the weights are."""
    a, scales = answers(statement.strategy, statement.at)
    lengths = {(len(query), len(row)) for query, row in zip(statement.workload, statement.estimates, strict=False)}
    if lengths != {(a.ncols(), a.nrows())} or len(statement.workload) != len(statement.estimates):
        return  # it states nothing
    for index, (query, row) in enumerate(zip(statement.workload, statement.estimates, strict=True)):
        if entries(matrix([row]) * a)[0] != [*query]:
            yield Candidate("refuted", "biased estimate", f"query {index + 1}", {"query": index})
            return
    white = _over(a, scales)
    found = [solved(white.transpose() * white, query) for query in statement.workload]
    multipliers = [x for x in found if x is not None]  # all: a query with an unbiased estimate is in the row space
    best = entries(matrix(multipliers) * white.transpose())
    for index, (row, weights) in enumerate(zip(statement.estimates, best, strict=True)):
        better = [x / c for x, c in zip(weights, scales, strict=True)]
        if better != [*row]:
            data = {"query": index, "better": _written(better)}
            yield Candidate("refuted", "better estimate", f"query {index + 1}", data)
            return
    scope = f"{len(multipliers)} queries{of_program(statement)}"
    yield Candidate("proved", "row space", scope, {"multipliers": [_written(x) for x in multipliers]})


def dominates(statement: Dominates, _: str) -> Iterator[Candidate]:
    """A vector at which the form is negative: a simple one, or what elimination finds; L and D."""
    less, more = (_information(law, statement.at) for law in (statement.strategy, statement.other))
    if less.nrows() != more.nrows():
        return
    gap = _rational(_fraction(statement.factor.evaluate({}))) * less - more
    for vector in (*simple(gap.nrows()), negative(gap)):
        if vector is not None and (matrix([vector]) * gap * matrix([vector]).transpose())[0, 0] < 0:
            scope = f"a vector of {len(vector)} numbers"
            yield Candidate("refuted", "negative direction", scope, {"vector": _written(vector)})
            return
    lower, pivots = factors(gap)
    data = {"lower": [_written(row) for row in lower], "pivots": _written(pivots)}
    yield Candidate("proved", "sum of squares", f"{gap.nrows()} counts, all linear queries", data)


def variance(statement: BestLinear, weights: tuple[fmpq, ...]) -> fmpq:
    """Of an estimate with these weights of the noisy answers."""
    _, scales = answers(statement.strategy, statement.at)
    return sum((2 * (x * c) ** 2 for x, c in zip(weights, scales, strict=True)), fmpq(0))


def query_at(statement: Dominates, vector: Iterable[int | str]) -> tuple[fmpq, ...]:
    """The query that has too large a variance where the form is negative at a vector x: x^T B^T B, in integers without
    a common factor."""
    x = matrix([[fmpq(*map(int, str(entry).split("/"))) for entry in vector]])
    found, _ = (x * _information(statement.other, statement.at)).numer_denom()
    row = [int(found[0, j]) for j in range(found.ncols())]
    return tuple(fmpq(entry // gcd(*row)) for entry in row)


def least_variances(statement: Dominates, query: tuple[fmpq, ...]) -> tuple[fmpq | None, fmpq | None]:
    """Of the best unbiased linear estimates of a query from the answers of both strategies; None where there is
    none."""
    found = []
    for law in (statement.strategy, statement.other):
        x = solved(_information(law, statement.at), query)
        found.append(None if x is None else 2 * sum((a * b for a, b in zip(x, query, strict=True)), fmpq(0)))
    return found[0], found[1]


def of_program(statement: BestLinear) -> str:
    """Whether the estimates are those of the program behind the law, in words; nothing where it has no such queries."""
    ranges = [ends(query) for query in statement.workload]
    try:
        shown = program_estimates(statement.strategy, statement.at, [ends for ends in ranges if ends is not None])
    except DomainError:
        return ""
    if None in ranges:
        return ""
    return ", as the program estimates them" if shown == statement.estimates else ", not as the program does"


def ends(query: tuple[fmpq, ...]) -> tuple[int, int] | None:
    """The first and the last leaf of the range that a query sums; None for other queries."""
    of = [i for i, x in enumerate(query, 1) if x != 0]
    if not of or of != [*range(of[0], of[-1] + 1)] or any(x not in (0, 1) for x in query):
        return None
    return of[0], of[-1]


def program_estimates(law: Additive, at: Mapping[str, Term], ranges: list[tuple[int, int]]) -> Matrix:
    """The weights of the noisy answers in a program's answers to ranges, in the order of the law's rows. Raises
    `DomainError` where no program is known."""
    a, _ = answers(law, at)
    branching = law.branching.evaluate({name: t.evaluate({}) for name, t in at.items()})
    program = matrix_programs.mechanism(law.mechanism, a.ncols(), int(branching))
    own = entries(strategy(program))
    places = [own.index(row) for row in entries(a)]
    found = []
    for first, last in ranges:
        row = program.answer(noise_symbols(program.answers), first, last).row("z", program.answers)
        found.append(tuple(row[place] for place in places))
    return tuple(found)


# --- linear algebra ---------------------------------------------------------------------------------------------------


def matrix(rows: Any) -> fmpq_mat:
    """Of rows of one length."""
    listed = [list(row) for row in rows]
    return fmpq_mat(len(listed), len(listed[0]), [x for row in listed for x in row])


def entries(of: fmpq_mat) -> list[Row]:
    """The rows of a matrix."""
    return [[of[i, j] for j in range(of.ncols())] for i in range(of.nrows())]


def solved(square: fmpq_mat, right: Iterable[fmpq]) -> Row | None:
    """A solution of a system, with 0 for all variables that are free; None if there is none."""
    n = square.nrows()
    reduced, rank = matrix([[*row, x] for row, x in zip(entries(square), right, strict=True)]).rref()
    found = [fmpq(0)] * (n + 1)
    for row in entries(reduced)[:rank]:
        found[next(i for i, x in enumerate(row) if x != 0)] = row[n]
    return None if found.pop() != 0 else found


def factors(of: fmpq_mat) -> tuple[list[Row], Row]:
    """L (below its diagonal of ones) and D of a symmetric matrix, L D L^T: exactly if it is positive semidefinite."""
    lower: Lower = {}
    pivots = [rest[k][k] for k, rest in _eliminated(of, lower)]
    return [[lower[i, k] for k in range(i)] for i in range(of.nrows())], pivots


def negative(of: fmpq_mat) -> Row | None:
    """A vector at which a symmetric form is negative; None if it is positive semidefinite.

    Elimination up to the first pivot that is negative, or 0 with another entry a in its column: there two coordinates
    1 and -(d + 1) / (2 a), d the other pivot, have the value -1. Substituted back through L.
    """
    lower: Lower = {}
    for k, rest in _eliminated(of, lower):
        n, pivot, found = of.nrows(), rest[k][k], [fmpq(0)] * of.nrows()
        other = next((i for i in range(k + 1, n) if rest[i][k] != 0), None)
        if pivot < 0 or (pivot == 0 and other is not None):
            found[k] = fmpq(1)
            if pivot == 0 and other is not None:
                found[other], found[k] = fmpq(1), -(rest[other][other] + 1) / (2 * rest[other][k])
            for j in range(k - 1, -1, -1):
                found[j] = -sum((lower[i, j] * found[i] for i in range(j + 1, n)), fmpq(0))
            return found
    return None


def _eliminated(of: fmpq_mat, lower: Lower) -> Iterator[tuple[int, list[Row]]]:
    """Every pivot's number, with what is left of a matrix there; L is filled in."""
    rest, n = entries(of), of.nrows()
    for k in range(n):
        yield k, rest
        for i in range(k + 1, n):
            lower[i, k] = rest[i][k] / rest[k][k] if rest[k][k] != 0 else fmpq(0)
            rest[i] = [x - lower[i, k] * y for x, y in zip(rest[i], rest[k], strict=True)]


def simple(size: int) -> Iterator[Row]:
    """All ones; a unit vector; one count less the next one."""
    yield [fmpq(1)] * size
    yield [fmpq(int(i == 0)) for i in range(size)]
    if size > 1:
        yield [fmpq((i == 0) - (i == 1)) for i in range(size)]


def _information(law: Additive, at: Mapping[str, Term]) -> fmpq_mat:
    a, scales = answers(law, at)
    white = _over(a, scales)
    return white.transpose() * white


def _over(a: fmpq_mat, scales: Row) -> fmpq_mat:
    return matrix([[x / c for x in row] for row, c in zip(entries(a), scales, strict=True)])


def _written(row: Any) -> list[Any]:
    return [int(x.p) if x.q == 1 else str(x) for x in row]


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q)) if isinstance(x, fmpq) else Fraction(x)


def _rational(x: Any) -> fmpq:
    return fmpq(x.numerator, x.denominator)


FINDERS: dict[Key, Finder] = keyed({BestLinear: best_linear, Dominates: dominates})
"""The checkers of these classes of statements."""
