"""The pages of the specification: which claims and laws belong together."""

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from dp_spec.vocabulary.claim import Claim


@dataclass(frozen=True)
class Topic:
    """A page: its file name, title, patterns of the ids of its claims (first matching topic wins), what it says first,
    the words that readers search for, and the mechanisms that it links to."""

    name: str
    title: str
    claims: tuple[str, ...]
    lead: str = ""
    keywords: tuple[str, ...] = ()
    mechanisms: tuple[str, ...] = ()


TOPICS = (
    Topic(
        "definitions",
        "Definitions: LDP, ULDP, SULDP",
        ("002.def*", "002.prose.uldp.*", "002.prose.split.*", "002.prose.sameprotection*", "002.eq12*"),
        lead="What the mechanisms are to satisfy. Source 002 prints (11) in one line; four readings of it are "
        "stated and judged separately: `marginal` (the law of $y_0$ alone), `joint`, `deniability` and `samenon`.",
        keywords=("LDP", "ULDP", "SULDP", "local differential privacy", "utility-optimized"),
    ),
    Topic(
        "grr",
        "GRR: generalized randomized response",
        ("002.base.grr*",),
        "All $d$ items are sensitive here: $K=d$, $X_{\\rm non}=\\emptyset$.",
        ("GRR", "GRR-Sample", "k-RR", "generalized randomized response", "randomized response", "randomised response"),
        mechanisms=("GRR", "GRRSample", "GRRSplit"),
    ),
    Topic(
        "rappor",
        "RAPPOR: symmetric unary encoding",
        ("002.base.rappor*",),
        "All $d$ items are sensitive here: $K=d$, $X_{\\rm non}=\\emptyset$.",
        ("RAPPOR", "RAPPOR-Sample", "symmetric unary encoding", "SUE"),
        mechanisms=("RAPPOR", "RAPPORSample", "RAPPORSet"),
    ),
    Topic(
        "urr-urap",
        "uRR and uRAP: one item, some items not sensitive",
        ("002.base.urr*", "002.base.urap*"),
        keywords=("uRR", "uRAP"),
        mechanisms=("URR", "URAP"),
    ),
    Topic(
        "sugrr",
        "suGRR and suGRR-Sample",
        (
            "002.eq13*",
            "002.alg.sugrr*",
            "002.thm1*",
            "002.thm2*",
            "002.thm3*",
            "002.prose.splitgrows*",
            "002.prose.grrlarge*",
        ),
        "The print leaves open what the server sees of $y_0$ when several results are sensitive, or none. Each "
        "reading of it is judged by itself.",
        ("suGRR", "suGRR-Sample"),
        mechanisms=("SuGRR", "SuGRRSample"),
    ),
    Topic(
        "surap",
        "suRAP and suRAP-Sample",
        ("002.eq18*", "002.alg.surap*", "002.thm4*", "002.thm5*", "002.thm6*", "002.prose.rapunaffected*"),
        keywords=("suRAP", "suRAP-Sample"),
        mechanisms=("SuRAP", "SuRAPSample"),
    ),
    Topic(
        "padding",
        "Padding and sampling",
        ("002.pad*",),
        lead="Sets of other sizes are brought to exactly $m$ items before a mechanism runs on them.",
        keywords=("padding", "padding and sampling"),
    ),
    Topic(
        "wheel",
        "Wheel and suWheel",
        ("002.base.wheel*", "002.alg1*", "002.alg2*", "002.thm7*", "002.thm8*", "002.thm9*"),
        "Items are hashed to the circle $[0,1)$ and the report is a point of it. Everything is conditional on the "
        "public hash function; what is claimed of estimates depends on how it is drawn.",
        ("Wheel", "suWheel"),
        mechanisms=("Wheel", "SuWheel"),
    ),
    Topic(
        "privset",
        "PrivSet",
        ("002.base.privset*",),
        lead="The report is a set of $k$ outputs, more likely if it meets the user's set.",
        keywords=("PrivSet", "subset selection"),
        mechanisms=("PrivSet",),
    ),
    Topic(
        "budget",
        "Best possible use of the budget",
        ("002.budget*",),
        lead="The exact smallest constant of every reading of (11), as a function of the parameters. Where it is "
        "smaller than $e^\\epsilon$, budget is wasted: see [](../budget.md) for the mechanisms re-calibrated.",
    ),
    Topic(
        "comparison",
        "Comparison: Tables 2 and 3",
        ("002.sec44*", "002.table2*", "002.table3*", "002.prose.improves*", "002.prose.conclusion*"),
        lead="Errors are exact and summed over $X$, as functions of all parameters: $f(X_{\\rm non})=g$, "
        "$f(X_{\\rm sen})=m-g$, whatever the data.",
    ),
    Topic(
        "experiments",
        "Experiments",
        ("002.table4*", "002.exp*"),
        lead="The source plots averages of ten runs; the statements are about the exact errors, which the averages "
        "estimate, at the frequencies of uniformly drawn sets ($f_x=m/d$, in expectation: it need not be a multiple of "
        "$1/n$). `dp-refimpl reproduce 002` draws both.",
    ),
    Topic(
        "count-sketch",
        "Count-mean sketch (LDP-CMS)",
        ("004.def*", "004.client*", "004.sample*", "004.server*", "004.agg*", "004.prose*", "004.supp*"),
        lead="A report is a row, drawn among public hash functions, and a vector of signs for its columns. Source 004 "
        "describes client and server. How the functions are chosen is not printed: readings are judged separately, "
        "fixed functions (of which nothing is assumed) and such as are drawn. Formal statements write $b$ for the "
        "number of columns, $m$ in the source, and estimate frequencies, $f'(d)/n$.",
        keywords=("CMS", "LDP-CMS", "count-mean sketch", "count sketch", "Apple"),
        mechanisms=("ClientCMS",),
    ),
    Topic(
        "hadamard-sketch",
        "Hadamard count-mean sketch (HCMS)",
        ("004.base.hcms*",),
        lead="One perturbed sign of the Hadamard transform of the one-hot vector: the neighbor of LDP-CMS with reports "
        "of a few bits.",
        keywords=("HCMS", "Hadamard count-mean sketch", "Hadamard"),
        mechanisms=("HCMS",),
    ),
    Topic(
        "evaluation",
        "Evaluating a frequency oracle (source 004)",
        ("004.eval*", "004.syn*", "004.exp*"),
        lead="The source's three measures, its synthetic data and its parameter study. `dp-refimpl reproduce 004` "
        "draws its figures again.",
        keywords=("rank deviation", "expected deviation", "synthetic data", "harmonic", "exponential"),
    ),
    Topic(
        "matrix-mechanism",
        "The matrix mechanism",
        ("001.def1*", "001.def2*", "001.base.laplace*", "001.sec1*", "001.sec2*", "001.thm1*"),
        lead="Source 001 is about central differential privacy: counts $v_1,\\dots,v_N$ are published with noise. "
        "Queries $A$ of the counts are answered with independent noise, and the counts are estimated by a matrix $B$ "
        "times the noisy answers.",
        keywords=("matrix mechanism", "Laplace mechanism", "flat Laplace", "central differential privacy"),
        mechanisms=("Identity",),
    ),
    Topic(
        "privelet",
        "Privelet",
        ("001.alg1*", "001.alg2*", "001.base.weighted*", "001.sec3.a4b4*", "001.sec3.onlyb*", "001.supp.discrete*"),
        lead="Haar wavelet coefficients of the counts, with noise. Source 001 has sums and differences with one scale "
        "of noise; the original Privelet averages and weights.",
        keywords=("Privelet", "Haar wavelet", "wavelet transform"),
        mechanisms=("Privelet", "WeightedPrivelet", "Haar"),
    ),
    Topic(
        "range-queries",
        "Errors of range queries",
        ("001.eq*", "001.thm2*", "001.fig3*", "001.sec3*", "001.alg3*"),
        lead="The covariances of Privelet's estimates, and what they make of the error of a sum of neighboring counts: "
        "of every range, of the worst one, and on average.",
        keywords=("range query", "range queries", "covariance"),
    ),
    Topic(
        "hierarchical-trees",
        "Trees of sums, Boost, comparison",
        (
            "001.def3*",
            "001.base.naive*",
            "001.base.boost*",
            "001.sec4*",
            "001.supp.bary*",
            "001.supp.best*",
            "001.supp.dominates*",
        ),
        lead="All nodes of a tree of sums are published with noise; Boost makes them consistent by least squares.",
        keywords=("hierarchical tree", "Boost", "consistency", "least squares"),
        mechanisms=("Tree", "Boost"),
    ),
    Topic(
        "range-experiments",
        "Experiments on range queries (source 001)",
        ("001.exp*",),
        lead="The numbers of the tables are not in the text that is judged here. Statements are about exact errors.",
    ),
    Topic(
        "shuffle-privacy",
        "Shuffled reports: privacy (source 000)",
        (
            *("000.def*", "000.fig1*", "000.thm1*", "000.supp.blanket*", "000.supp.thm1*", "000.prose.*collude*"),
            *("000.prose.dummies*", "000.prose.hpsdp*", "000.prose.amplify*", "000.prose.mixdump-joint*"),
        ),
        lead="Users send messages, a shuffler permutes them, dummies join them. Statements are about "
        "$\\delta(\\epsilon)$ of multisets of messages: exactly at small sizes, and enclosed for many users (card "
        "*blanket*). The bound (7) of source 000 is judged in every reading of how dummies are hashed; "
        "`dp-refimpl amplify` gives the numbers.",
        keywords=("shuffle model", "OD-HP", "privacy amplification", "privacy blanket", "dummy points"),
        mechanisms=("ODHP",),
    ),
    Topic(
        "shuffle-algorithm",
        "OD-HP: algorithm, estimators, errors (source 000)",
        ("000.sec*", "000.alg1*", "000.eq*", "000.thm2*", "000.thm3*", "000.supp*", "000.prose*"),
        lead="Local hashing among dummies, the estimators of its proofs, their means and variances, EM, costs. Formal "
        "statements write $K$ (without functions) or $b$ for $h$, and $c$ for the number of dummies of a user.",
        keywords=("EM", "dummies", "negative binomial", "histogram publication"),
        mechanisms=("ODHP",),
    ),
    Topic(
        "shuffle-baselines",
        "SH, AUE, MURS, DUMP, HP-SDP; experiments (source 000)",
        ("000.base*", "000.exp*"),
        lead="What source 000 compares itself with, from the literature: tables, variances, dummies, privacy.",
        keywords=("SH", "AUE", "MURS", "SOLH", "PEOS", "DUMP", "pureDUMP", "mixDUMP", "HP-SDP", "DDPS"),
        mechanisms=("SH", "SOLH", "AUE", "PureDUMP", "MixDUMP"),
    ),
    Topic(
        "table-privacy",
        "Tables of records: privacy, noise, composition (source 003)",
        ("003.sec1*", "003.def1*", "003.def2*", "003.def3*", "003.def4*", "003.prop*"),
        lead="Source 003 is about central differential privacy: a curator holds a table of records and publishes a "
        "synthetic one. In `ro` a record of the table is replaced, in `ar` one is added or removed.",
        keywords=("exponential mechanism", "sequential composition", "parallel composition", "k-anonymity"),
        mechanisms=("ExponentialMechanism",),
    ),
    Topic(
        "table-information",
        "Entropy, mutual information, MIC, and how they move (source 003)",
        (
            *("003.sec22*", "003.def5*", "003.eq6*", "003.eq7*", "003.eq8*", "003.log*", "003.fig3*"),
            *("003.sec32.delta*", "003.sec33.hmax*", "003.sec33.deltau*", "003.prose.gender*"),
        ),
        lead="Scores and similarities, and by how much one record moves them. Sentences have them times $n$: "
        "of $n$ records, $nH=n\\log n-\\sum c\\log c$ over the counts $c$ of the values.",
        keywords=("MIC", "maximal information coefficient", "mutual information", "sensitivity", "entropy"),
    ),
    Topic(
        "attribute-clustering",
        "Private spectral clustering of attributes (DPSC, source 003)",
        ("003.alg1*", "003.alg3*", "003.sec32*"),
        lead="Algorithms 1 and 3: the matrix $S$ of the MIC of all pairs of attributes gets noise and is clustered. "
        "One record moves all entries at once.",
        keywords=("DPSC", "spectral clustering", "K-means++", "attribute segmentation", "Laplacian"),
        mechanisms=("DPSC",),
    ),
    Topic(
        "private-networks",
        "Bayesian networks: IBayes and its filter (source 003)",
        (
            *("003.alg4*", "003.eq9*", "003.eq10*", "003.sec23*", "003.fig1*", "003.sec33*"),
            *("003.prose.randomroot*", "003.prose.maxroot*"),
        ),
        lead="Algorithm 4: a root by its entropy, then pairs of an attribute and its parents by their mutual "
        "information, each by the exponential mechanism. All clusters have something of every record.",
        keywords=("IBayes", "Bayesian network", "Chow-Liu"),
        mechanisms=("IBayes",),
    ),
    Topic(
        "noisy-joint-tables",
        "Noisy joint tables and entropy weights (source 003)",
        ("003.alg5*", "003.eq11*", "003.eq12*", "003.sec34*", "003.prose.attrprotect*", "003.prose.even*"),
        lead="Algorithm 5: joint tables get noise in proportion to weights $e^{-OE_j}$. Whether these are public "
        "constants (`fixed`) or read from the data (`data`) decides everything.",
        keywords=("HnoisyConditionals", "entropy weights", "noisy conditional distributions"),
        mechanisms=("HnoisyConditionals",),
    ),
    Topic(
        "hmprivbayes",
        "HMPrivBayes and Theorem 1 (source 003)",
        (
            *("003.alg2*", "003.sec31*", "003.thm1*", "003.sec41.split*", "003.prose.splits*", "003.prose.assoc*"),
            *("003.abs.noise*",),
        ),
        lead="Algorithm 2, the whole: clusters, networks, noisy tables, synthetic rows. What it spends in all: "
        "[](../../guide/synthetic-tables.md).",
        keywords=("HMPrivBayes", "synthetic data", "privacy accountant"),
        mechanisms=("HMPrivBayes", "NoPrivacy"),
    ),
    Topic(
        "table-baselines",
        "PrivBayes, PrivSCBN, Jtree (source 003)",
        ("003.base*",),
        lead="What source 003 compares itself with, from the literature; of PrivSCBN only the abstract is known.",
        keywords=("PrivBayes", "PrivSCBN", "Jtree", "JunctionTree", "junction tree"),
        mechanisms=("PrivBayes", "ReconstructedSCBN", "Jtree"),
    ),
    Topic(
        "table-experiments",
        "Experiments on synthetic tables (source 003)",
        ("003.sec4*", "003.fig*", "003.abs*", "003.prose*"),
        lead="Data sets, measures, and what is said of Figures 4 to 6, whose curves are lost. "
        "`dp-refimpl reproduce 003` draws them.",
        keywords=("AVD", "average variation distance", "marginals", "Adult", "Big5"),
    ),
    Topic(
        "amplification-bounds",
        "Published bounds on amplification by shuffling",
        ("lit.erlingsson2019*", "lit.balle2019*", "lit.feldman20*", "lit.wang2023*"),
        lead="As the authors' code computes them, checked at listed points against bounds for every data set, with "
        "their preconditions and without.",
        keywords=("clones", "stronger clones", "variation ratio", "Hoeffding", "Bennett"),
    ),
    Topic(
        "literature",
        "Unary and histogram encoding, local hashing, Hadamard response",
        ("lit.*",),
        lead="Privacy, means and variances of the frequency oracles that the sources build on and compare themselves "
        "with. In formal statements $b$ is the number of labels, $g$ in the papers. "
        "[](../frequency-oracles.md) compares all errors.",
        keywords=("OUE", "OLH", "FLH", "BLH", "local hashing", "Hadamard response", "optimized unary encoding"),
        mechanisms=("OUE", "SHE", "THE", "LocalHashing", "BLH", "OLH", "FLH", "SubsetSelection", "HadamardResponse"),
    ),
    Topic("other", "Further statements", ("*",)),
)
"""In the order of the table of contents; the last one takes what no other names."""


def topic_of(claim: str) -> Topic:
    """The page of a claim or reading."""
    return next(t for t in TOPICS if any(fnmatchcase(claim, pattern) for pattern in t.claims))


def rows_of(topic: Topic, claims: tuple[Claim, ...]) -> Iterator[Claim]:
    """The rows of a page in the order of the source, each followed by its corrections."""
    for claim in claims:
        if claim.corrects is None and topic_of(claim.id) is topic:
            yield claim
            yield from _corrections(claim, claims)


def _corrections(claim: Claim, claims: tuple[Claim, ...]) -> Iterator[Claim]:
    ids = {claim.id, *(i for i, _ in claim.formals())}
    for other in claims:
        if other.corrects in ids:
            yield other
            yield from _corrections(other, claims)
