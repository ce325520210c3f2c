"""The page of theorems that Coq proves: each as a reader of the field writes it, above what its file states."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dp_checks.ledger import Entry
from dp_checks.pages.notation import display
from dp_checks.theorems import Place, checkers, coverage, stated


@dataclass(frozen=True)
class Theorem:
    """A theorem: its title, its words, its formula as TeX; where Coq states it, and the definitions it speaks of."""

    title: str
    words: str
    formula: str
    places: tuple[Place, ...]
    definitions: tuple[Place, ...] = field(default=())


def places(file: str, *names: str) -> tuple[Place, ...]:
    return tuple(Place(file, name) for name in names)


RATIOS, EXPECTATIONS, VARIANCES = "theorems/Ratios.v", "theorems/Expectations.v", "checker/Variances.v"
LAPLACE = "theorems/Laplace.v"
SECTIONS: Mapping[str, tuple[Theorem, ...]] = {
    "The checker": (
        Theorem(
            "What is accepted holds",
            "If the checker answers *true* for a statement $s$ and evidence $e$, whatever the evidence is, "
            "then $s$ holds.",
            r"\mathrm{check}(s,e)=\mathrm{true}\;\Longrightarrow\;s\text{ holds}",
            places("checker/Check.v", "check_sound"),
            places("meaning/Statements.v", "holds") + places("meaning/Formulas.v", "formula_holds"),
        ),
        Theorem(
            "What is refuted fails",
            "If it answers *true* for a statement and a counterexample $c$, then the statement fails.",
            r"\mathrm{refute}(s,c)=\mathrm{true}\;\Longrightarrow\;s\text{ fails}",
            places("checker/Check.v", "refute_sound"),
            places("meaning/Statements.v", "fails") + places("meaning/Formulas.v", "formula_fails"),
        ),
        Theorem(
            "Nothing holds and fails",
            "So no statement is accepted with one evidence and refuted by another.",
            r"\neg\,(s\text{ holds}\;\wedge\;s\text{ fails})",
            places("theorems/Consistency.v", "consistent"),
        ),
    ),
    "Rational and real numbers": (
        Theorem(
            "Values",
            "An expression is meant over the reals and computed over the rationals. Its value is the same for every "
            r"assignment $w$ of rational numbers to its names.",
            r"\llbracket e\rrbracket_{\mathbb Q}(w)=\llbracket e\rrbracket_{\mathbb R}(w)",
            places("checker/Agreement.v", "eval_agrees"),
            places("meaning/Expressions.v", "eval", "value"),
        ),
        Theorem(
            "Laws",
            "So is the law of a term: for every number $K$ of sensitive and $M$ of other items, every set "
            "$s$ and all families of "
            "hash functions it has the same outcomes with the same probabilities.",
            r"\mathrm{law}_{\mathbb Q}(t,s)=\mathrm{law}_{\mathbb R}(t,s)",
            places("checker/Running.v", "law_agrees"),
            places("meaning/Laws.v", "law") + places("checker/Running.v", "to_R", "envR", "famR"),
        ),
    ),
    "Expectations of laws": (
        Theorem(
            "Post-processing, mixture, one point",
            "A law is a finite list of outcomes with weights; all is said through expectations of functions "
            "of the outcome.",
            r"\mathbb E_{h(d)}f=\mathbb E_d[f\circ h],\qquad "
            r"\mathbb E_{d\,\triangleright\,k}f=\mathbb E_{a\sim d}\,\mathbb E_{k(a)}f,\qquad \mathbb "
            r"E_{\delta_o}f=f(o)",
            places(EXPECTATIONS, "E_push", "E_bind", "E_point"),
            places("meaning/Distributions.v", "E", "push", "bind"),
        ),
        Theorem(
            "Fubini",
            "The order of two independent choices does not matter.",
            r"\mathbb E_{a\sim d}\,\mathbb E_{b\sim e}f(a,b)=\mathbb E_{b\sim e}\,\mathbb E_{a\sim d}f(a,b)",
            places(EXPECTATIONS, "E_swap"),
        ),
        Theorem(
            "Independence",
            "The expectation of a product over independent draws is the product of the expectations.",
            r"\mathbb E\prod_i X(o_i)=\prod_i\mathbb E_{o\sim\mathrm{law}(i)}X(o)",
            places("checker/Chances.v", "E_product"),
        ),
        Theorem(
            "Mean and variance of a sum",
            r"Write $d\vdash X:(\mu,v)$ if $d$ is a law under which $X$ has the mean $\mu$ and the variance $v$. "
            "Of independent draws both add up.",
            r"\forall i.\;\mathrm{law}(i)\vdash X:(\mu_i,v_i)\;\Longrightarrow\;"
            r"\bigotimes_i\mathrm{law}(i)\vdash\sum_i X(o_i):\Bigl(\sum_i\mu_i,\;\sum_i v_i\Bigr)",
            places(VARIANCES, "moves_sequence"),
            places(VARIANCES, "moves", "total"),
        ),
        Theorem(
            "Mean and variance of a choice",
            "Of one of $l$ laws, drawn uniformly, mean and mean square are averages: what sampling one of "
            "$m$ items does to an error.",
            r"\mu=\frac1l\sum_i\mu_i,\qquad v=\frac1l\sum_i\bigl(v_i+\mu_i^2\bigr)-\mu^2",
            places(VARIANCES, "moves_choice"),
        ),
        Theorem(
            "Mean squared error",
            "Variance and the square of the bias, for any true value $t$.",
            r"d\vdash X:(\mu,v)\;\Longrightarrow\;\mathbb E_d\,(X-t)^2=v+(\mu-t)^2",
            places(VARIANCES, "error_of"),
        ),
    ),
    "Privacy": (
        Theorem(
            "Ratios by tests",
            r"*Ratio at most $c$* is said of all tests $f\ge0$ of the outcome; so it holds of every event "
            r"$S$, and a constant that an event "
            "attains is the smallest.",
            r"d(S)\le c\,e(S),\qquad \exists S.\;e(S)>0,\;d(S)=c\,e(S)\;\Longrightarrow\;c\le b\text{ for "
            r"every such bound }b",
            places(EXPECTATIONS, "ratio_prob", "attained_least"),
            places(RATIOS, "ratio", "attained"),
        ),
        Theorem(
            "Post-processing",
            "A function of the outcome loses nothing; neither does it of a hockey-stick divergence.",
            r"d\le c\,e\;\Longrightarrow\;h(d)\le c\,h(e),\qquad "
            r"\delta_a(d,e)\le t\;\Longrightarrow\;\delta_a\bigl(h(d),h(e)\bigr)\le t",
            places(EXPECTATIONS, "ratio_push", "delta_push"),
            places(RATIOS, "divergence"),
        ),
        Theorem(
            "Composition",
            "Of laws, side by side or one after the other: constants multiply.",
            r"d\le b\,e,\;\forall a.\;k(a)\le c\,l(a)\;\Longrightarrow\;d\,\triangleright\,k\le "
            r"bc\;(e\,\triangleright\,l)",
            places(EXPECTATIONS, "ratio_bind"),
        ),
        Theorem(
            "Mixture",
            "A choice made without the data costs nothing, and divergences are averaged.",
            r"\forall a.\;k(a)\le c\,l(a)\;\Longrightarrow\;d\,\triangleright\,k\le c\;(d\,\triangleright\,l),\qquad "
            r"\delta_a\bigl(k(o),l(o)\bigr)\le "
            r"t(o)\;\Longrightarrow\;\delta_a(d\,\triangleright\,k,d\,\triangleright\,l)\le\mathbb E_d\,t",
            places(EXPECTATIONS, "ratio_mix", "delta_mix"),
        ),
        Theorem(
            "Loss of Laplace noise",
            r"Queries with the values $v_i$ and $v_i'$ in two data sets, independent noise of scales $b_i>0$: "
            r"no answers $x$ have a larger "
            "logarithm of the ratio of densities than the sum of the distances, each divided by its scale, "
            "and the answers $x=v$ have this "
            "one. The densities are here what they are proportional to; that they have the same "
            "normalization is shown on "
            "[the card](#card-noise).",
            r"\sum_i\frac{|x_i-v_i'|-|x_i-v_i|}{b_i}\le\sum_i\frac{|v_i-v_i'|}{b_i},\quad\text{with equality at }x=v",
            places(LAPLACE, "loss_bounds", "loss_is_reached"),
            places(LAPLACE, "query", "loss", "log_ratio"),
        ),
    ),
    "Sums, trees, reports": (
        Theorem(
            "Telescoping",
            "A sum is what its closed form grows by, however many terms it has.",
            r"\forall k.\;h(k)=g(k)-g(k-1)\;\Longrightarrow\;\sum_{k=l}^{l+n-1}h(k)=g(l+n-1)-g(l-1)",
            places("checker/Sums.v", "telescoped"),
        ),
        Theorem(
            "Nodes of a tree",
            r"Counts $x$ and $y$ lie under the same node of height $t$ if they do of a smaller height $s$: "
            r"two counts share the nodes from "
            "the height on where they meet, in a tree of any branching $b$.",
            r"s\le t,\;\bigl\lfloor x/b^s\bigr\rfloor=\bigl\lfloor y/b^s\bigr\rfloor\;\Longrightarrow\;"
            r"\bigl\lfloor x/b^t\bigr\rfloor=\bigl\lfloor y/b^t\bigr\rfloor",
            places("checker/Trees.v", "node_up"),
        ),
        Theorem(
            "What is seen of a report",
            "Neither a shuffle of the sensitive results nor their order or their blanks change how often a "
            "report shows an item; only a set does.",
            r"f\ne\mathrm{set}\;\Longrightarrow\;\#_x\,f(v)=\#_x\,v",
            places("checker/Counts.v", "count_seen"),
            places("meaning/Laws.v", "apply") + places("checker/Counts.v", "keeps_counts"),
        ),
    ),
}
LEAD = (
    "A second root of trust: definitions in Coq of what statements mean, theorems about them, and a checker "
    "of certificates that "
    "Coq proves to be right ([what this adds, and what it does "
    "not](../guide/trust.md#what-coq-proves-as-well)). These are the "
    "theorems of general interest. Each is written as the field writes it; below it stands what its file in "
    "`proofs_checks/dp_coq` "
    "states, taken from there when this page was made. Coq's kernel accepts their proofs, which assume "
    "nothing but what Coq's library "
    "of real numbers assumes."
)


def page(ledger: Mapping[str, Entry], tree: Path) -> list[str]:
    """The page, from the files of a checkout. Raises `TheoremError` where one does not state what is named."""
    by = checkers(ledger, tree)
    lines = ["# Theorems in Coq", "", LEAD, ""]
    if by:
        lines += [f"{coverage(by.values())}: it is said beside each of them.", ""]
    for section, theorems in SECTIONS.items():
        lines += [f"## {section}", ""]
        for theorem in theorems:
            lines += _theorem(theorem, tree)
    return lines


def _theorem(theorem: Theorem, tree: Path) -> list[str]:
    lines = [f"### {theorem.title}", "", theorem.words, "", *display(theorem.formula)]
    lines += _quoted(theorem.places, tree)
    if theorem.definitions:
        lines += ["::::{folded} Definitions", *_quoted(theorem.definitions, tree), "::::", ""]
    return lines


def _quoted(named: tuple[Place, ...], tree: Path) -> list[str]:
    """What files state, under their names."""
    lines: list[str] = []
    for file in dict.fromkeys(place.file for place in named):
        texts = [stated(tree, place) for place in named if place.file == file]
        lines += [f"`{file}`", "", "```coq", *texts, "```", ""]
    return lines
