"""The page of theorems that Coq proves: each as a reader of the field writes it, above what its file states."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dp_checks.ledger import Entry
from dp_checks.pages.notation import display
from dp_checks.theorems import Place, checkers, coverage, places, stated


@dataclass(frozen=True)
class Theorem:
    """A theorem: its title, its words, its formula as TeX; where Coq states it, and the definitions it speaks of."""

    title: str
    words: str
    formula: str
    places: tuple[Place, ...]
    definitions: tuple[Place, ...] = field(default=())


RATIOS, EXPECTATIONS, VARIANCES = "theorems/Ratios.v", "theorems/Expectations.v", "checker/Variances.v"
LAPLACE, DISCRETE = "theorems/Laplace.v", "theorems/DiscreteLaplace.v"
SUBSETS, COUNTING, MATCHING = "theorems/Subsets.v", "theorems/Counting.v", "theorems/Matching.v"
SHUFFLES, BLANKET, EXCHANGES = "theorems/Shuffles.v", "theorems/Blanket.v", "theorems/Exchanges.v"
BINOMIALS, HALVES, MESSAGES = "theorems/Binomials.v", "theorems/Halves.v", "theorems/Messages.v"
HASHING, RANDOMIZERS, HARDER = "theorems/Hashing.v", "theorems/Randomizers.v", "theorems/HarderPoints.v"
SECTIONS: Mapping[str, tuple[Theorem, ...]] = {
    "The checker": (
        Theorem(
            "What is accepted holds",
            "If the checker answers *true* for a statement $s$ and evidence $e$, whatever the evidence is, then $s$ "
            "holds.",
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
            "assignment $w$ of rational numbers to its names.",
            r"\llbracket e\rrbracket_{\mathbb Q}(w)=\llbracket e\rrbracket_{\mathbb R}(w)",
            places("checker/Agreement.v", "eval_agrees"),
            places("meaning/Expressions.v", "eval", "value"),
        ),
        Theorem(
            "Laws",
            "So is the law of a term: for every number $K$ of sensitive and $M$ of other items, every set $s$ and all "
            "families of hash functions it has the same outcomes with the same probabilities.",
            r"\mathrm{law}_{\mathbb Q}(t,s)=\mathrm{law}_{\mathbb R}(t,s)",
            places("checker/Running.v", "law_agrees"),
            places("meaning/Laws.v", "law") + places("checker/Running.v", "to_R", "envR", "famR"),
        ),
    ),
    "Expectations of laws": (
        Theorem(
            "Post-processing, mixture, one point",
            "A law is a finite list of outcomes with weights; all is said through expectations of functions of the "
            "outcome.",
            r"\mathbb E_{h(d)}f=\mathbb E_d[f\circ h],\qquad \mathbb E_{d\,\triangleright\,k}f=\mathbb E_{a\sim "
            r"d}\,\mathbb E_{k(a)}f,\qquad \mathbb E_{\delta_o}f=f(o)",
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
            r"Write $d\vdash X:(\mu,v)$ if $d$ is a law under which $X$ has the mean $\mu$ and the variance $v$. Of "
            "independent draws both add up.",
            r"\forall i.\;\mathrm{law}(i)\vdash "
            r"X:(\mu_i,v_i)\;\Longrightarrow\;\bigotimes_i\mathrm{law}(i)\vdash\sum_i "
            r"X(o_i):\Bigl(\sum_i\mu_i,\;\sum_i v_i\Bigr)",
            places(VARIANCES, "moves_sequence"),
            places(VARIANCES, "moves", "total"),
        ),
        Theorem(
            "Mean and variance of a choice",
            "Of one of $l$ laws, drawn uniformly, mean and mean square are averages: what sampling one of $m$ items "
            "does to an error.",
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
            r"*Ratio at most $c$* is said of all tests $f\ge0$ of the outcome; so it holds of every event $S$, and a "
            "constant that an event attains is the smallest.",
            r"d(S)\le c\,e(S),\qquad \exists S.\;e(S)>0,\;d(S)=c\,e(S)\;\Longrightarrow\;c\le b\text{ for every such "
            "bound }b",
            places(EXPECTATIONS, "ratio_prob", "attained_least"),
            places(RATIOS, "ratio", "attained"),
        ),
        Theorem(
            "Post-processing",
            "A function of the outcome loses nothing; neither does it of a hockey-stick divergence.",
            r"d\le c\,e\;\Longrightarrow\;h(d)\le c\,h(e),\qquad \delta_a(d,e)\le "
            r"t\;\Longrightarrow\;\delta_a\bigl(h(d),h(e)\bigr)\le t",
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
    ),
    "Subsets": (
        Theorem(
            "Subsets that miss a set",
            r"Of the $k$-subsets of $D$ items so many miss a set of $m$ items, and so many meet it.",
            r"\binom{D-m}k,\qquad\binom Dk-\binom{D-m}k",
            places(COUNTING, "subsets_that_miss"),
            places(COUNTING, "set_of") + places(SUBSETS, "choose", "number", "misses"),
        ),
        Theorem(
            "A subset as a report",
            "A $k$-subset $o$ of $D$ items has the probability $h$ if it meets the set $s$ of $m$ items, and $q$ if "
            "not. Where these sum to 1, it is a law; an item of $s$ is in the report with the first probability "
            "below, another one with the second.",
            r"h\binom{D-1}{k-1},\qquad h\left(\binom{D-1}{k-1}-\binom{D-m-1}{k-1}\right)+q\binom{D-m-1}{k-1}",
            places(COUNTING, "subsets_are_a_law", "chance_of_a_held_item", "chance_of_another_item"),
            places(COUNTING, "subset_law"),
        ),
        Theorem(
            "The smallest constant of subsets",
            r"If $h=c\,q$, then $c$ bounds the ratios of all reports, and from every set $s'$ of $m$ items it is "
            "reached by some other one; where sets of at most $m$ items are completed by items that nobody holds, "
            r"from the empty set. So $c$ is the smallest constant, for $1\le m$ and $1\le k\le D-m$.",
            r"\Pr[o\mid s]\le c\,\Pr[o\mid s'],\qquad \exists s,\,O.\;\Pr[O\mid s']>0,\;\Pr[O\mid s]=c\,\Pr[O\mid s']",
            places(COUNTING, "subsets_ratio", "smallest_for_sets", "smallest_for_completed_sets"),
            places(COUNTING, "subset_law", "set_of", "completed", "holdable") + places(RATIOS, "ratio", "attained"),
        ),
    ),
    "Results without an order": (
        Theorem(
            "Unordered results of all held items",
            "Every one of the sensitive items that a user holds, of $K$, is reported as itself $x>1$ times as often as "
            "another one, another item as any sensitive one, too, and as itself with the rest; the multiset, or the "
            "set, of the results is seen. If $s$ has at most $A$ sensitive items that $s'$ of the same size does not "
            "have, the constant below bounds the ratios of all reports that show other items only if both have them.",
            r"\Pr[y\mid s]\;\le\;\sum_{i=0}^A\frac{(x-1)^i}{i!}\,\Pr[y\mid s']",
            places(MATCHING, "unordered_ratio"),
            places(MATCHING, "unordered", "of_both", "responses", "lost", "compared")
            + places("theorems/Placements.v", "truncated"),
        ),
        Theorem(
            "Where it is reached",
            "By sets whose common items are not sensitive, where $s$ loses $A$ sensitive items and nothing else, at "
            "$y=s$; and by sets that differ in one item, $A=1$, where every result is this item.",
            r"\Pr[s\mid s]=\sum_{i=0}^{A}\frac{(x-1)^i}{i!}\,\Pr[s\mid s'],\qquad \Pr[aa\cdots a\mid "
            r"s]=x\,\Pr[aa\cdots a\mid s']",
            places(MATCHING, "unordered_reached", "one_item_reached"),
        ),
    ),
    "Shuffled reports": (
        Theorem(
            "Every data set",
            "With chance $l$ a user sends a message of a law $U$ that does not depend on what is held, whatever the "
            "rest of the law may be; $u$ more messages of this law are added, and all are shuffled. Whatever the "
            "other users hold, the messages of one user with the law $R$ or $R'$ are at most as far apart as on "
            "average when $B$ of the $n-1$ others send messages of the law $U$ and the rest of them nothing; $t(b)$ "
            "bounds the divergence of a report among $b$ such messages.",
            r"\forall b.\;\delta_a\bigl(R,U^b;\;R',U^b\bigr)\le t(b)\;\Longrightarrow\;\delta_a\le\mathbb "
            r"E\,t(u+B),\qquad B\sim\mathrm{Bin}(n-1,l)",
            places(BLANKET, "every_data_set"),
            places(BLANKET, "blanket", "hidden") + places(BINOMIALS, "binomial_law") + places(SHUFFLES, "shuffled"),
        ),
        Theorem(
            "More messages hide more",
            "A message more that does not depend on the input, of any law, does not increase the divergence.",
            r"\delta_a\bigl(R,M_1,\ldots;\;R',M_1,\ldots\bigr)\le "
            r"t\;\Longrightarrow\;\delta_a\bigl(R,S,M_1,\ldots;\;R',S,M_1,\ldots\bigr)\le t",
            places(BLANKET, "more_messages"),
        ),
        Theorem(
            "Exchangeability",
            r"Of $N$ shuffled messages $N-1$ have the law $w$, and one has the law $R=r\,w$ or $R'=r'w$. The "
            "divergence is the expected positive part of the sum of the gains of $N$ messages of the law $w$, "
            "divided by $N$.",
            r"\delta_a=\frac1N\,\mathbb E\Bigl(\sum_{j=1}^N g(y_j)\Bigr)_+,\qquad g=r-a\,r'",
            places(EXCHANGES, "divergence_is_expected_gain"),
            places(EXCHANGES, "times_as_likely", "total") + places(SHUFFLES, "shuffled") + places(RATIOS, "divergence"),
        ),
        Theorem(
            "The bound for randomized response",
            "Of $n$ users each sends one of $k$ labels, the own one with chance $p$ and every other one with chance "
            "$q$; $u$ uniform messages are added. So, for every two inputs and whatever the others hold, with the "
            "gains of uniform messages: of the two labels that are the inputs, and of every other one; the means fall "
            "in $N$. Without added messages it is the mean of $n$ draws that gain nothing where they are no uniform "
            "messages, and no less if other labels gain nothing.",
            r"\delta_a\le\mathbb E\,\frac1N\,\mathbb E\Bigl(\sum_{j=1}^N g_j\Bigr)_+,\quad "
            r"N=u+1+\mathrm{Bin}(n-1,kq),\quad g\in\bigl\{k(p-aq),\;k(q-ap),\;k(1-a)q\bigr\}",
            places(MESSAGES, "response_bound", "gains_fall", "without_dummies", "without_other_labels"),
            places(MESSAGES, "expected_gain", "response_gains")
            + places(BLANKET, "response", "uniform")
            + places(BINOMIALS, "binomial_law", "sum_law", "sometimes")
            + places(HALVES, "gains"),
        ),
        Theorem(
            "By halves",
            "Of $n$ draws $m$ are of the two labels, $h$ of these of the first one, and the others gain $K=(n-m)g_2$. "
            "Let $t$ be the least $h$ with a gain. The expected positive part needs two chances about $m-1$ coins; it "
            "is at least 0, and at most $m g_0/2$ where nothing but the first label gains.",
            r"\mathbb E\bigl(h\,g_0+(m-h)\,g_1+K\bigr)_+=\tfrac12\Bigl(\bigl(m(g_0+g_1)+2K\bigr)\Pr[H\ge "
            r"t]+(m\,g_0+K)\Pr[H=t-1]\Bigr),\quad H\sim\mathrm{Bin}(m-1,\tfrac12)",
            places(HALVES, "sum_by_labels", "mean_by_halves", "mean_is_bounded"),
            places(HALVES, "gains", "gain"),
        ),
        Theorem(
            "Convex order",
            "A law lies further apart than another one if every convex function has a larger mean under it. Sums of "
            "independent draws keep this order.",
            r"d\preceq e\;\Longrightarrow\;d^{*n}\preceq e^{*n}",
            places("theorems/Convexity.v", "sums_are_apart", "spread_of_two"),
            places("theorems/Convexity.v", "convex", "apart") + places(BINOMIALS, "sum_law"),
        ),
        Theorem(
            "Hash functions",
            "A report is a function, drawn from a family without the data and published, and randomized response on "
            "$h\\ge 2$ labels of what it maps the value to. Whatever the family and the values, the bound is that of "
            "randomized response on $h$ labels: where a function maps both inputs to one label, gains are less far "
            "apart.",
            r"\delta_a^{\text{hashed}}\le\mathbb E\,\frac1N\,\mathbb E\Bigl(\sum_{j=1}^N g_j\Bigr)_+\quad\text{as for "
            r"}h\text{ labels}",
            places(HASHING, "hashed_bound"),
            places(HASHING, "published", "hashed", "hashed_uniform", "are_chances"),
        ),
        Theorem(
            "Every randomizer",
            "Users of one randomizer, of which no two inputs have chances with a ratio above $c>1$: whatever the "
            "others hold, shuffled, two inputs are at most as far apart as by the bound of randomized response on "
            r"two labels, whose wrong one has the chance $1/(c+1)$, for $1\le a\le c$.",
            r"\delta_a\le\frac1n\,\mathbb E\Bigl(\sum_{j=1}^n g_j\Bigr)_+,\qquad "
            r"g=\begin{cases}c-a&\text{with chance }1/(c+1)\\1-ac&\text{with chance }1/(c+1)\\0&\text{else}\end{cases}",
            places(RANDOMIZERS, "every_randomizer", "two_labels_are_worst"),
            places(RANDOMIZERS, "within", "listed", "two_labels_gain") + places(MESSAGES, "expected_gain"),
        ),
        Theorem(
            "Harder points",
            "A bound is one at a larger epsilon, too, with more messages, and with a larger chance $q$ of every wrong "
            "label, hashed or not: a report with more of them is one with fewer, of which some are replaced by uniform "
            "ones.",
            r"q\le q'\le\tfrac1k\;\Longrightarrow\;\delta_a(q')\le\delta_a(q)",
            places(HARDER, "larger_epsilon", "larger_q", "larger_q_of_hashes"),
        ),
        Theorem(
            "Others with a third value",
            "Where all others hold a third value and nothing is added, the divergence is at least this: an event "
            "shows it.",
            r"\delta_a\ge\frac1n\,\mathbb E\Bigl(\sum_{j=1}^n "
            r"g_j\Bigr)_+,\qquad g=\begin{cases}(p-aq)/q&\text{with chance }q\\(q-ap)/q&\text{with chance "
            r"}q\\(1-a)(1-p-q)/(1-2q)&\text{else}\end{cases}",
            places(HARDER, "third_value"),
            places(HALVES, "gains") + places(MESSAGES, "expected_gain"),
        ),
    ),
    "Noise": (
        Theorem(
            "Loss of Laplace noise",
            "Queries with the values $v_i$ and $v_i'$ in two data sets, independent noise of scales $b_i>0$: no "
            "answers $x$ have a larger logarithm of the ratio of densities than the sum of the distances, each "
            "divided by its scale, and the answers $x=v$ have this one. The densities are here what they are "
            "proportional to; that they have the same normalization is shown on [the card](#card-noise).",
            r"\sum_i\frac{|x_i-v_i'|-|x_i-v_i|}{b_i}\le\sum_i\frac{|v_i-v_i'|}{b_i},\quad\text{with equality at }x=v",
            places(LAPLACE, "loss_bounds", "loss_is_reached"),
            places(LAPLACE, "query", "loss", "log_ratio"),
        ),
        Theorem(
            "Discrete Laplace noise is a law",
            "The chance of $y$ is proportional to $e^{-|y-v|/b}$, $b>0$, with the same factor for every value $v$: "
            "with it, all but $2a^{n+1}/(1+a)$ of the probability lies at most $n$ away from the value, $a=e^{-1/b}$, "
            "and the chances sum to 1.",
            r"\Pr[y]=\frac{1-a}{1+a}\,e^{-|y-v|/b},\qquad \sum_{|y-v|\le n}\Pr[y]=1-\frac{2\,a^{n+1}}{1+a}\;\to\;1",
            places(DISCRETE, "probability_near", "chances_sum_to_1"),
            places(DISCRETE, "step", "weight", "chance", "near") + places("meaning/Exponentials.v", "is_exponential"),
        ),
        Theorem(
            "Loss of discrete Laplace noise",
            "Independent noise of scales $b_i$ is added to queries with the integer values $v_i$ and $v_i'$ in two "
            r"data sets: no answers are more than $e^\ell$ times as likely in one as in the other, and $y=v$ are.",
            r"\Pr[y\mid v]\le e^{\ell}\,\Pr[y\mid v'],\quad\text{with equality at }y=v,\qquad "
            r"\ell=\sum_i\frac{|v_i-v_i'|}{b_i}",
            places(DISCRETE, "discrete_loss_bounds", "discrete_loss_is_reached"),
            places(DISCRETE, "whole_query", "query_of", "joint", "chance"),
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
            "Counts $x$ and $y$ lie under the same node of height $t$ if they do of a smaller height $s$: two counts "
            "share the nodes from the height on where they meet, in a tree of any branching $b$.",
            r"s\le t,\;\bigl\lfloor x/b^s\bigr\rfloor=\bigl\lfloor y/b^s\bigr\rfloor\;\Longrightarrow\;\bigl\lfloor "
            r"x/b^t\bigr\rfloor=\bigl\lfloor y/b^t\bigr\rfloor",
            places("checker/Trees.v", "node_up"),
        ),
        Theorem(
            "What is seen of a report",
            "Neither a shuffle of the sensitive results nor their order or their blanks change how often a report "
            "shows an item; only a set does.",
            r"f\ne\mathrm{set}\;\Longrightarrow\;\#_x\,f(v)=\#_x\,v",
            places("checker/Counts.v", "count_seen"),
            places("meaning/Laws.v", "apply") + places("checker/Counts.v", "keeps_counts"),
        ),
    ),
}
LEAD = (
    "A second root of trust: definitions in Coq of what statements mean, theorems about them, and a checker of "
    "certificates that Coq proves to be right ([what this adds, and what it does "
    "not](../guide/trust.md#what-coq-proves-as-well)). These are the theorems of general interest. Each is written as "
    "the field writes it; below it stands what its file in `proofs_checks/dp_coq` states, taken from there when this "
    "page was made. Coq's kernel accepts their proofs, which assume nothing but what Coq's library of real numbers "
    "assumes."
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
