"""The gallery: counterexamples one would show to a colleague; what they say comes from the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass

from dp_checks.ledger import FAILED, Entry, LedgerError
from dp_checks.pages.errata import entry_lines
from dp_checks.pages.notation import badge, place, reference
from dp_checks.pages.witness import one_line
from dp_spec.vocabulary.claim import Claim


@dataclass(frozen=True)
class Exhibit:
    """A claim that fails, a title, and a sentence on what is said there and compared here."""

    claim: str
    title: str
    sentence: str


EXHIBITS = (
    Exhibit(
        "002.thm3.eq17.sens@fixed-data",
        "What drawing one item costs",
        "Formula (17) prints the mean squared error of suGRR-Sample, where every user reports one drawn item of $m$.",
    ),
    Exhibit(
        "002.thm1.sugrr.eq11@multiset-marginal-nonempty",
        "What is not reported tells something",
        "Theorem 1 bounds the ratios of suGRR's reports; here they are those of $y_0$ alone, as the formula is "
        "printed, and reports without a sensitive element do not count.",
    ),
    Exhibit(
        "002.thm4.surap.eq11@whole-marginal",
        "One bit of a harmless item",
        "Theorem 4 bounds the ratios of suRAP's reports; here the protected datum is the bit vector, as sent.",
    ),
    Exhibit(
        "002.thm7.eq11@joint",
        "The arc gives away the item",
        "Theorem 7 bounds the ratios of suWheel's reports; here whole reports are compared, the point with what is "
        "emitted of the non-sensitive items.",
    ),
    Exhibit(
        "002.thm1.sugrr.tight@multiset",
        "Budget that is paid and not used",
        "suGRR promises $e^\\epsilon$. Is that the smallest constant that bounds the ratios of whole reports?",
    ),
    Exhibit(
        "002.thm8.sens@fixed",
        "Unbiased, but for which hash function?",
        "Theorem 8 says that suWheel's estimate is right on average; here the public hash function is fixed, as when "
        "it is published once.",
    ),
    Exhibit(
        "002.alg.sugrr.output@set",
        "Counting what a set has forgotten",
        "The print makes $y_0$ a set and lets the server count how often an item occurs among the results.",
    ),
    Exhibit(
        "002.pad.unbiased@long",
        "Sampling down, and nobody scales up",
        "Users who hold more than $m$ items draw $m$ of them; the estimates are said to stay unbiased.",
    ),
    Exhibit(
        "003.thm1.dp@transcript.fixed.ro",
        "Three columns are not three tables",
        "Theorem 1 adds up $\\epsilon_1+\\epsilon_2+\\epsilon_3$ for all that is released, whatever the "
        "clusters of columns. Here three columns, a cluster each, of two records: `rest` stays, `one` is replaced by "
        "`other`.",
    ),
    Exhibit(
        "003.prop2.par@vertical",
        "A record has a value in every column",
        "Disjoint parts of the data are said to cost the largest of their budgets. Here the parts are two columns, "
        "whose numbers of ones are released, of a table with one record.",
    ),
    Exhibit(
        "003.sec32.delta-i@general.ro",
        "How far one record moves the information",
        "$\\Delta I=\\frac1n\\log n+\\frac{n-1}n\\log\\frac n{n-1}$ is to bound the change of the mutual "
        "information; here both attributes have three values, and of three records one is replaced.",
    ),
    Exhibit(
        "003.alg5.dp@data.values.raw",
        "Noise whose size is read from the data",
        "The noise of a joint table grows with the entropy of its attribute; here that entropy is read from the data, "
        "and released are the noisy tables.",
    ),
    Exhibit(
        "003.alg3.grouping",
        "A distance taken for a similarity",
        "Clustering by MIC is to keep strongly associated attributes together; the printed weights "
        "$e^{-S/(2\\sigma^2)}$ fall with it. Here the columns $(x,x,y,y)$, with the values `pairs` of $(x,y)$, and the "
        "`labels` of the best clusters.",
    ),
)
LEAD = (
    "Small enough to check by hand. The sentences say what is compared; verdicts, numbers and what holds instead are "
    "the ledger's. All of them, in the order of the papers: [errata](errata.md)."
)


def page(claims: tuple[Claim, ...], ledger: Mapping[str, Entry]) -> list[str]:
    """The page. Raises `LedgerError` for an exhibit that the ledger does not refute."""
    rows = {i: claim for claim in claims for i, _ in claim.formals()}
    formals = {i: statement for claim in claims for i, statement in claim.formals()}
    lines = ["# Gallery of counterexamples", "", LEAD, ""]
    for exhibit in EXHIBITS:
        entry = ledger[exhibit.claim]
        if entry.verdict not in FAILED:
            raise LedgerError(f"{exhibit.claim} is {entry.verdict}: a gallery of counterexamples cannot show it")
        claim = rows[exhibit.claim]
        why = one_line(formals[exhibit.claim], entry.evidence["witness"])
        lines += [f"## {exhibit.title}", "", f"{exhibit.sentence} ({place(claim)})", ""]
        lines += [f"{reference(exhibit.claim)} {badge(entry.verdict)}: {why}.", ""]
        lines += ["Instead:", "", *entry_lines(entry.instead, ledger, formals)]
    return lines
