"""Certificates about sketches: claims of the project, and a small statement for evidence that those do not need."""

from dp_spec.frequency.claims import count_sketch, evaluation
from dp_spec.frequency.count_sketch import ESTIMATOR, FIXED
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Mean
from dp_spec.vocabulary.law import F, M
from dp_spec.vocabulary.statement import Statement

FORMAL: dict[str, Formal] = count_sketch.FORMAL | evaluation.FORMAL

STATEMENTS: dict[str, Statement] = {
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
    "formula proved for sums": "004.syn.harm.sum@w2000",
    "formula refuted for sums": "004.syn.harm.total@rounded",
}
