"""Small statements about sketches, for evidence that claims do not need."""

from dp_spec.frequency.count_sketch import ESTIMATOR, FIXED
from dp_spec.vocabulary.error_statements import Formula, Mean
from dp_spec.vocabulary.law import F, M
from dp_spec.vocabulary.statement import Domain, Statement
from dp_spec.vocabulary.term import floor, log, summed, term, var

X = var("x")
SHORT = 1000 / (X * log(term(20)))
"""Like the harmonic counts of source 004, fewer of them."""
STATEMENTS: dict[str, Statement] = {
    "test.sums.logarithms": Formula(
        Domain({}),
        (
            ("le", log(term(20)) + term(5772) / 10_000, (1 + term(1) / 100) * summed("x", 1, 20, 1 / X)),
            ("le", (1 - term(1) / 100) * summed("x", 1, 20, 1 / X), log(term(20)) + term(5772) / 10_000),
        ),
    ),
    "test.sums.rounded": Formula(Domain({}), (("eq", summed("x", 1, 20, floor(SHORT + term(1) / 2)), term(1000)),)),
    "test.sketches.mean": Mean(FIXED, "vector", "sensitive", ESTIMATOR, where=(1 - M,), formula=F),
}
"""By an id of their own."""
