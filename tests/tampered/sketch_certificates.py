"""Certificates about sketches: claims of the project, and a small statement for evidence that those do not need."""

from dp_spec.frequency.claims import count_sketch, evaluation
from dp_spec.frequency.count_sketch import ESTIMATOR, FIXED
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, Mean
from dp_spec.vocabulary.law import F, M
from dp_spec.vocabulary.statement import Domain, Statement
from dp_spec.vocabulary.term import floor, log, summed, term, var

FORMAL: dict[str, Formal] = count_sketch.FORMAL | evaluation.FORMAL

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

REPRESENTATIVE: dict[str, str] = {
    "shared proved": "004.supp.var.random@threewise",
    "shared refuted": "004.supp.var.random@pairwise",
    "shared refuted for different functions": "004.supp.var.random@distinct",
    "mean proved": "004.agg.unbiased@fixed.corrected",
    "mean refuted": "test.sketches.mean",
    "unbiased proved for colliding labels": "004.agg.unbiased@random",
    "unbiased refuted for colliding labels": "004.agg.unbiased@fixed",
    "unbiased proved for thinned reports": "004.sample.estimate@all-scaled",
    "unbiased refuted for thinned reports": "004.sample.estimate@all",
    "variance proved for one coordinate": "004.base.hcms.var",
    "mse proved under fixed functions": "004.eval.d.var@fixed.corrected",
    "mse refuted under fixed functions": "004.eval.d.var@fixed",
    "smallest proved for separated items": "004.client.tight@separating",
    "smallest refuted for any functions": "004.client.tight@anyfamily",
    "ratio refuted for several reports": "004.client.user@user",
    "formula proved for sums": "test.sums.logarithms",
    "formula refuted for sums": "test.sums.rounded",
}
