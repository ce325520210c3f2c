"""Formal statements: suRAP and suRAP-Sample (source 002, section 4.2)."""

from dp_spec.frequency import grr, rappor, surap, total_errors
from dp_spec.frequency import sugrr as items
from dp_spec.frequency.claims.baselines import EXCHANGED
from dp_spec.frequency.claims.sugrr import CONDITIONAL, error_readings
from dp_spec.frequency.inversion import emission
from dp_spec.frequency.surap import SURAP, SURAP_SAMPLE
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula, vanishing
from dp_spec.vocabulary.law import Estimator, K, Law, M, N
from dp_spec.vocabulary.ranges import ABOVE_ONE, FROM_ONE, SOME
from dp_spec.vocabulary.statement import (
    Compared,
    Domain,
    ProductForm,
    Ratio,
    Smallest,
    Unbiased,
    View,
    conjunction,
)
from dp_spec.vocabulary.term import Term, minimum, term

T, H = rappor.T, rappor.H
_ITEM_TERMS = tuple(entry(root) for root in (grr.E0, grr.W) for entry in (items.own, items.other, items.kept))


_ITEM_ROOTS = {"e0": ABOVE_ONE, "w": ABOVE_ONE}


def _known(law: Law, view: View, sensitive: Estimator, nonsensitive: Estimator) -> tuple[Unbiased, Unbiased]:
    """At all sizes an item is counted with p and q, or with r, as these estimators have them."""
    return Unbiased(law, view, "sensitive", sensitive), Unbiased(law, view, "nonsensitive", nonsensitive)


def _normalized(x: Term) -> Formula:
    """(18) with x for e^(epsilon/2m) or e^(epsilon/2): the chance of a 1 lies in [0, 1]."""
    p, q, r = rappor.stays(x), rappor.appears(x), surap.kept(x)
    return formula(
        {str(x.head): FROM_ONE},
        *(relation for entry in (p, q, r) for relation in (("le", term(0), entry), ("le", entry, term(1)))),
    )


def _privacy(name: str, law: Law) -> dict[str, Formal]:
    return {
        f"002.thm4.{name}.eq11@whole-marginal": Ratio(law, "whole", "marginal"),
        f"002.thm4.{name}.eq11@sen-marginal": Ratio(law, "sen", "marginal"),
        **{f"002.thm4.{name}.eq11@{r}": Ratio(law, "sen", r) for r in CONDITIONAL},
    }


def _tight(law: Law, relation: Compared, constant: Term, *where: Term) -> Smallest:
    return Smallest(law, "sen", relation, where=(K + N - M - 1, *where), constant=constant)


FORMAL: dict[str, Formal] = {
    "002.prose.grrlarge@dtoinf": vanishing(Domain({**_ITEM_ROOTS, "K": SOME, "N": SOME}), _ITEM_TERMS, "N"),
    # p - q, q and r do not name N
    "002.prose.grrlarge@dtoinf.corrected": conjunction(
        *_known(items.SUGRR, "multiset", items.SUGRR_SENSITIVE, items.SUGRR_NONSENSITIVE),
        *_known(items.SUGRR_SAMPLE, "one", items.SAMPLE_SENSITIVE, items.SAMPLE_NONSENSITIVE),
    ),
    "002.prose.grrlarge@ktoinf": vanishing(Domain({**_ITEM_ROOTS, "K": SOME}), _ITEM_TERMS, "K"),
    # p - q, q and r name neither K nor N
    "002.prose.rapunaffected": conjunction(
        *_known(SURAP, "sen", surap.SURAP_SENSITIVE, surap.SURAP_NONSENSITIVE),
        *_known(SURAP_SAMPLE, "sen", surap.SAMPLE_SENSITIVE, surap.SAMPLE_NONSENSITIVE),
    ),
    "002.eq18.norm@split": _normalized(T),
    "002.eq18.norm@sample": _normalized(H),
    "002.alg.surap.output": conjunction(*emission(SURAP, "whole", surap.kept(T))),
    "002.thm4.surap.inv": conjunction(*emission(SURAP, "sen", surap.kept(T))),
    **_privacy("surap", SURAP),
    "002.thm4.surap.tight@sen-marginal": _tight(SURAP, "marginal", SURAP.e_eps),
    "002.thm4.surap.tight@sen-marginal.corrected": _tight(SURAP, "marginal", T ** minimum(2 * M, K, 2 * (K + N - M))),
    "002.thm4.surap.tight@joint": _tight(SURAP, "joint", SURAP.e_eps),
    "002.thm4.surap.tight@joint.corrected": _tight(SURAP, "joint", T ** (2 * EXCHANGED)),
    "002.thm4.proof.factor": ProductForm(SURAP, "whole"),
    "002.thm4.proof.bound": Ratio(SURAP, "whole", "marginal"),
    "002.thm4.proof.bound.corrected": Ratio(SURAP, "sen", "joint"),
    "002.thm4.proof.identity": formula(
        {"t": FROM_ONE, "m": SOME}, ("eq", ((T / (T + 1)) / (1 / (T + 1)) * (1 / (1 / T))) ** M, SURAP.e_eps)
    ),
    "002.thm4.surapsample.inv": conjunction(*emission(SURAP_SAMPLE, "sen", surap.kept(H) / M)),
    **_privacy("surapsample", SURAP_SAMPLE),
    "002.thm4.surapsample.tight@sen-marginal": _tight(SURAP_SAMPLE, "marginal", SURAP_SAMPLE.e_eps),
    "002.thm4.surapsample.tight@sen-marginal.corrected": _tight(
        SURAP_SAMPLE, "marginal", SURAP_SAMPLE.e_eps, K - 2 * M
    ),
    "002.thm4.surapsample.tight@sen-marginal.corrected2": _tight(
        SURAP_SAMPLE, "marginal", (M + K * (H - 1)) / M, M - K, N - M
    ),
    "002.thm4.surapsample.tight@sen-marginal.corrected3": _tight(
        SURAP_SAMPLE, "marginal", H * (M + (K - M) * (H - 1)) / M, K - M, 2 * M - K, N - M
    ),
    "002.thm4.surapsample.tight@joint": _tight(SURAP_SAMPLE, "joint", SURAP_SAMPLE.e_eps),
    "002.thm4.surapsample.tight@joint.corrected": _tight(SURAP_SAMPLE, "joint", (M + EXCHANGED * (H**2 - 1)) / M),
    "002.thm5.surap.sens": Unbiased(SURAP, "sen", "sensitive", surap.SURAP_SENSITIVE),
    "002.thm5.surap.non": Unbiased(SURAP, "sen", "nonsensitive", surap.SURAP_NONSENSITIVE),
    "002.thm5.surapsample.sens": Unbiased(SURAP_SAMPLE, "sen", "sensitive", surap.SAMPLE_SENSITIVE),
    "002.thm5.surapsample.non": Unbiased(SURAP_SAMPLE, "sen", "nonsensitive", surap.SAMPLE_NONSENSITIVE),
    **error_readings("002.thm6.eq21.sens", total_errors.SURAP.part("sensitive"), surap.EQ21_SENSITIVE),
    **error_readings("002.thm6.eq21.non", total_errors.SURAP.part("nonsensitive"), surap.EQ21_NONSENSITIVE),
    **error_readings("002.thm6.eq22.sens", total_errors.SURAP_SAMPLE.part("sensitive"), surap.EQ22_SENSITIVE),
    **error_readings("002.thm6.eq22.non", total_errors.SURAP_SAMPLE.part("nonsensitive"), surap.EQ22_NONSENSITIVE),
}
"""Every id of the section with its formal statement."""
