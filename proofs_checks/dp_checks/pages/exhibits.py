"""What the page of a mechanism says in words and formulas; everything else on it is made of records, laws and ledger.

A mechanism that is not in the table `EXHIBITS` is introduced by its docstring, and its law is printed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet
from dp_refimpl.records import Record
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.blanket import SH
from dp_refimpl.shuffle.dump import MixDUMP, PureDUMP
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_spec.frequency import count_sketch, grr, hadamard, histogram, local_hashing, rappor, subset_selection
from dp_spec.matrix import mechanisms as matrix
from dp_spec.shuffle import messages
from dp_spec.vocabulary.additive import Additive
from dp_spec.vocabulary.law import USERS, Estimator, F, K
from dp_spec.vocabulary.term import Term, term, var

OWN, OTHER = "$p$: a report supports the item held", "$q$: a report supports another item"
ESTIMATE = "estimated frequency of an item; $F_x$ reports support it"
SENT = "estimated frequency of an item; $F_x$ messages support it"
VARIANCE = "variance of the estimated frequency"
COUNT = var("count")
_W = var("w")
_LABELS: Mapping[str, str] = {"b": "g"}


def _binary(p: Term, q: Term, variance: Term | None = None) -> tuple[tuple[str, Term], ...]:
    """Of reports that support an item with probability p or q: the unbiased estimate, and its exact variance."""
    spread = (F * p * (1 - p) + (1 - F) * q * (1 - q)) / (USERS * (p - q) ** 2)
    estimate = (COUNT / USERS - q) / (p - q)
    return ((OWN, p), (OTHER, q), (ESTIMATE, estimate), (VARIANCE, spread if variance is None else variance))


def _sent(estimator: Estimator, variance: Term) -> tuple[tuple[str, Term], ...]:
    """Of messages and dummies: the estimate of `count` messages that support an item, and its exact variance."""
    apart = COUNT / USERS - estimator.offset
    return (SENT, apart if estimator.slope == term(1) else apart / estimator.slope), (VARIANCE, variance)


_BLANKET = var("gamma") / K
_HASHED = _binary(local_hashing.P, 1 / local_hashing.B, local_hashing.VARIANCE)


@dataclass(frozen=True)
class Exhibit:
    """A mechanism in words: its full name, and what it does, in two sentences; formulas that no law on items or bits
    states, each with what it is; the symbols of their variables where they are others than usual."""

    title: str
    words: str
    formulas: tuple[tuple[str, Term], ...] = ()
    symbols: Mapping[str, str] = field(default_factory=dict, hash=False)


EXHIBITS: Mapping[str, Exhibit] = {
    "GRR": Exhibit(
        "generalized randomized response",
        "The user reports the item held with probability $p$, and every other item with probability $q$. An item is "
        "supported by the reports that are equal to it.",
        _binary(grr.own(_W), grr.other(_W)),
        {"K": "d"},
    ),
    "GRRSplit": Exhibit(
        "generalized randomized response with the budget split",
        "Of a set of $m$ items every one is reported by GRR with $\\epsilon/m$, independently. The server sees the $m$ "
        "results in the order of the items, or (view `multiset`) without order.",
    ),
    "GRRSample": Exhibit(
        "generalized randomized response of a drawn item",
        "Of a set of $m$ items one is drawn uniformly, and reported by GRR with the whole budget. Estimates are "
        "multiplied by $m$, and pay for that with their variance.",
    ),
    "RAPPOR": Exhibit(
        "symmetric unary encoding, basic RAPPOR",
        "The item becomes a vector of $d$ bits, 1 at its place and 0 elsewhere, and every bit is flipped with the same "
        "probability, independently. Two items differ in two bits, so each bit may spend $\\epsilon/2$.",
        _binary(rappor.stays(rappor.H), rappor.appears(rappor.H)),
    ),
    "RAPPORSet": Exhibit(
        "symmetric unary encoding of a set",
        "The set becomes a vector of $d$ bits with $m$ ones, and every bit is flipped with the same probability. Two "
        "sets differ in up to $2m$ bits, so each bit may spend $\\epsilon/2m$.",
    ),
    "RAPPORSample": Exhibit(
        "symmetric unary encoding of a drawn item",
        "Of a set of $m$ items one is drawn uniformly, and its vector is reported as basic RAPPOR does. Estimates are "
        "multiplied by $m$.",
    ),
    "URR": Exhibit(
        "utility-optimized randomized response",
        "Sensitive items are reported by randomized response among themselves; any other item is reported as it is, or "
        "as a sensitive one. So a sensitive item is protected, and a report of another item is invertible.",
    ),
    "URAP": Exhibit(
        "utility-optimized RAPPOR",
        "The bits of sensitive items are flipped as in RAPPOR; those of other items are never set unless they are held."
        " Such a bit shows its item, and is set with the largest probability that protects the sensitive ones.",
    ),
    "SuGRR": Exhibit(
        "GRR for sets of which some items are sensitive",
        "Every one of the $m$ items is reported by uRR with $\\epsilon/m$, independently. The server sees the "
        "sensitive results $y_0$ in one of several views, and the invertible ones $I$.",
    ),
    "SuGRRSample": Exhibit(
        "GRR of a drawn item, some items sensitive",
        "One of the $m$ items is drawn uniformly and reported by uRR with the whole budget. The server sees a "
        "sensitive item, or an item that is shown.",
    ),
    "SuRAP": Exhibit(
        "RAPPOR for sets of which some items are sensitive",
        "The set's vector of bits is perturbed as by uRAP, every bit with $\\epsilon/2m$. The server sees the bits of "
        "the sensitive items and the set $I$ of the others that are shown.",
    ),
    "SuRAPSample": Exhibit(
        "RAPPOR of a drawn item, some items sensitive",
        "One of the $m$ items is drawn uniformly, and its vector is perturbed as by uRAP with $\\epsilon/2$ for a bit. "
        "The server sees the bits of the sensitive items and the set $I$ of the others that are shown.",
    ),
    "Wheel": Exhibit(
        "Wheel",
        "A public hash function gives every item an arc of the circle $[0,1)$, and the report is a point that lies in "
        "the arcs of the user's items more often than elsewhere. It supports the items whose arcs it lies in.",
    ),
    "SuWheel": Exhibit(
        "Wheel for sets of which some items are sensitive",
        "The point $y_0$ is that of Wheel; the items held that are not sensitive and whose arcs miss it are shown "
        "beside it, as $I$. Whether that can be inverted depends on the hash function.",
    ),
    "PrivSet": Exhibit(
        "PrivSet",
        "The report is a set of $k$ items. All sets that meet the user's set are $e^{\\epsilon}$ times as probable as "
        "the others.",
    ),
    "OUE": Exhibit(
        "optimized unary encoding",
        "The item becomes a vector of $d$ bits, and every bit is perturbed on its own: the 1 stays with probability "
        "$p$, a 0 becomes 1 with probability $q$. Of all such encodings this one has the least variance for items "
        "that nobody holds.",
    ),
    "SHE": Exhibit(
        "summation with histogram encoding",
        "Laplace noise of scale $2/\\epsilon$ is added to every bit of the item's vector. The estimate is the mean.",
        (
            ("variance of the estimated frequency, real-valued noise", histogram.SHE_VARIANCE),
            ("the same with midpoints of $s$ cells per unit", histogram.CELLS_VARIANCE),
        ),
        {"r": "r", "s": "s"},
    ),
    "THE": Exhibit(
        "thresholding with histogram encoding",
        "Laplace noise of scale $2/\\epsilon$ is added to every bit of the item's vector, and what is above the "
        "threshold $\\theta$ is reported as 1. The threshold is public.",
        (
            *_binary(histogram.P, histogram.Q, histogram.VARIANCE),
            ("what two items attain", histogram.ATTAINED),
        ),
        {"a": r"e^{\epsilon(\theta-1)/2}"},
    ),
    "LocalHashing": Exhibit(
        "local hashing",
        "A hash function maps the items to $g$ labels, and the item's label is reported by GRR on the labels, with the "
        "function. A report supports all items that its function maps to its label.",
        _HASHED,
        _LABELS,
    ),
    "BLH": Exhibit(
        "binary local hashing",
        "Local hashing to $g=2$ labels. A report is one perturbed bit, and half of all items have it.",
        _HASHED,
        _LABELS,
    ),
    "OLH": Exhibit(
        "optimized local hashing",
        "Local hashing to $g=e^\\epsilon+1$ labels, rounded. For items that nobody holds that is the number of least "
        "variance.",
        _HASHED,
        _LABELS,
    ),
    "FLH": Exhibit(
        "fast local hashing",
        "Local hashing with one of $k$ public functions, drawn uniformly. Collisions of items under these functions "
        "are the same for all users, so their error does not vanish as the users become more.",
        ((OWN, local_hashing.P), ("$q$: chance of another label", local_hashing.Q)),
        _LABELS,
    ),
    "SubsetSelection": Exhibit(
        "subset selection",
        "The report is a set of $k$ of the $d$ items. It holds the user's item with probability $p$; all sets with it "
        "are equally probable, and so are all without.",
        _binary(subset_selection.P, subset_selection.Q, subset_selection.VARIANCE),
        {"D": "d"},
    ),
    "HadamardResponse": Exhibit(
        "Hadamard response",
        "A uniform row of the Hadamard matrix is drawn, and the entry in the column of the item is reported, its sign "
        "flipped with probability $1-p$. The report is the number of the row and one sign.",
        (("$p$: the sign is kept", _W / (_W + 1)), (VARIANCE, hadamard.RESPONSE_VARIANCE)),
    ),
    "ClientCMS": Exhibit(
        "count-mean sketch",
        "One of $k$ public hash functions is drawn, and the one-hot vector of the item's cell among $m$ is reported, "
        "every sign flipped with the same probability. The server adds reports up in a table of $k$ rows.",
        (
            ("a sign is flipped", count_sketch.flipped(count_sketch.T)),
            ("variance of the estimated frequency, collisions of chance $1/m$", count_sketch.VARIANCE),
        ),
        {"b": "m", "t": r"e^{\epsilon/2}"},
    ),
    "HCMS": Exhibit(
        "Hadamard count-mean sketch",
        "As the count-mean sketch, but of the Hadamard transform of the vector one coordinate is drawn and its sign "
        "reported. A report is a sign, the number of the function and that of the coordinate.",
        (
            ("the sign is flipped", 1 / (_W + 1)),
            ("variance of the estimated frequency, collisions of chance $1/m$", hadamard.HCMS_VARIANCE),
        ),
        {"b": "m"},
    ),
    "Identity": Exhibit(
        "the Laplace mechanism on every count",
        "Every count is published with Laplace noise of scale $1/\\epsilon$. A range of $r$ counts has $r$ times the "
        "variance of one.",
    ),
    "Tree": Exhibit(
        "tree of sums",
        "All nodes of a complete tree over the counts are published with noise. A range is the sum of few nodes.",
    ),
    "Boost": Exhibit(
        "tree of sums, made consistent",
        "All nodes of a complete tree over the counts are published with noise, and the counts are estimated from them "
        "by least squares. Estimates then add up, and have the least variance of all linear unbiased ones.",
    ),
    "Privelet": Exhibit(
        "Privelet",
        "Haar wavelet coefficients of the counts, sums and differences, are published with noise of one scale, and "
        "transformed back. A range of any length is few coefficients.",
    ),
    "WeightedPrivelet": Exhibit(
        "Privelet with weights",
        "Haar wavelet coefficients of the counts are averages, and their noise has scales by height, as in the "
        "original. The sensitivity is the same for every count.",
    ),
    "Haar": Exhibit(
        "Haar averages with one scale of noise",
        "Haar wavelet coefficients that are averages, all with noise of the same scale. It is what a program computes "
        "that takes the averages of one paper and the noise of another.",
    ),
    "SH": Exhibit(
        "randomized response, shuffled",
        "A user reports the true item with probability $1-\\gamma$, and else a uniform one; a shuffler forgets who sent"
        " which report. The uniform reports are a privacy blanket for the others.",
        _binary(1 - var("gamma") + _BLANKET, _BLANKET),
        {"K": "d"},
    ),
    "SOLH": Exhibit(
        "local hashing, shuffled",
        "Every user reports by local hashing with a function of its own, and the shuffler may add fake reports. Reports"
        " with different functions hide each other as labels do. Without fake reports it is local hashing.",
        _HASHED,
        _LABELS,
    ),
    "AUE": Exhibit(
        "appended unary encoding",
        "A user sends the item itself, and for every item of the domain one more message with probability $\\rho$. Only"
        " the shuffler protects: the messages of one user are an open book.",
        _sent(Estimator(term(1), messages.RHO), messages.RHO * (1 - messages.RHO) / USERS),
    ),
    "PureDUMP": Exhibit(
        "dummies alone",
        "A user sends the item itself and $c$ uniform dummies. Only the shuffler protects.",
        _sent(Estimator(term(1), messages.DUMMIES / K), messages.DUMMIES * (K - 1) / (USERS * K**2)),
        {"K": "d"},
    ),
    "MixDUMP": Exhibit(
        "randomized response with dummies",
        "A user sends the item perturbed by GRR, and $c$ uniform dummies. The dummies of all users hide each report.",
        ((OWN, grr.own(_W)), (OTHER, grr.other(_W)), *_sent(messages.T3_GRR, messages.VARIANCE_GRR)),
        {"K": "d"},
    ),
    "ODHP": Exhibit(
        "histogram publication with local hashing and dummies",
        "A user sends the item's label under a hash function, perturbed by GRR, and dummies; a shuffler permutes the "
        "messages of all users. The collector estimates the histogram from the counts; $c$ dummies are a user's.",
        (
            (OWN, local_hashing.P),
            ("$q$: chance of another label", local_hashing.Q),
            *_sent(messages.S2, messages.VARIANCE_OLH),
        ),
        {"b": "h"},
    ),
    "HMPrivBayes": Exhibit(
        "synthetic tables from clusters of attributes",
        "Attributes are clustered by their noisy MIC, each cluster gets a Bayesian network by the exponential "
        "mechanism, and the joint tables of the networks get noise by the entropy of the attribute. Synthetic rows are "
        "drawn from the conditional distributions that these tables imply.",
    ),
    "PrivBayes": Exhibit(
        "synthetic tables from one Bayesian network",
        "A network over all attributes is built pair after pair by the exponential mechanism, and its joint tables get "
        "noise of one scale. Synthetic rows are drawn from the conditional distributions that these tables imply.",
    ),
    "Jtree": Exhibit(
        "synthetic tables from a junction tree",
        "Pairs of attributes whose noisy mutual information reaches a noisy threshold form a graph, and the tables of "
        "the cliques of its triangulation get noise and are made consistent. Rows are drawn from their distribution.",
    ),
    "ReconstructedSCBN": Exhibit(
        "PrivSCBN, a reconstruction",
        "Only the abstract of the method is known; this is our reading of it: clusters by noisy Jaccard distances, a "
        "network for each, noise on conditional probabilities. What is said of it is said of the reconstruction.",
    ),
    "NoPrivacy": Exhibit(
        "HMPrivBayes without noise",
        "The same steps with exact coefficients and tables, and the pairs of the largest score. It is what the noise "
        "costs that one compares with it.",
    ),
    "ExponentialMechanism": Exhibit(
        "the exponential mechanism",
        "A candidate with score $u$ is chosen with probability proportional to $e^{\\epsilon u/(2\\Delta u)}$. "
        "$\\Delta u$ is the largest change of a score between neighboring tables.",
    ),
    "DPSC": Exhibit(
        "private spectral clustering of attributes",
        "The MIC of all pairs of attributes get noise, and the attributes are clustered by the spectrum of this "
        "matrix. One record moves all entries at once.",
    ),
    "IBayes": Exhibit(
        "Bayesian networks of clusters",
        "A root is chosen by its entropy, and then pair after pair of an attribute and its parents by their mutual "
        "information. Every choice is one of the exponential mechanism with a share of the budget.",
    ),
    "HnoisyConditionals": Exhibit(
        "noisy joint tables with weights",
        "The joint tables of a network's pairs get noise whose scale grows as the weight of the attribute falls. "
        "Negative cells become 0, and what is left is normalized.",
    ),
}
"""By the name of the class of the program."""

MATRIX: tuple[Record, ...] = tuple(
    Record(program=program, law="", report="estimated counts", example=example)
    for program, example in (
        (Identity, "Identity(4)"),
        (Tree, "Tree(4)"),
        (Boost, "Boost(4)"),
        (Privelet, "Privelet(4)"),
        (WeightedPrivelet, "WeightedPrivelet(4)"),
        (Haar, "Haar(4, Normalization.AVERAGED)"),
    )
)
"""Mechanisms of a curator of counts. Their laws are not told in words: no command lists them."""

ADDITIVE: tuple[tuple[Additive, str], ...] = (
    (matrix.IDENTITY, "Noise on every count"),
    (matrix.PRIVELET, "Privelet as in source 001"),
    (matrix.PRIVELET_REPLACE, "Privelet for neighbors that replace a record"),
    (matrix.DISCRETE, "Privelet on counts, with noise on the integers"),
    (matrix.DISCRETE_REPLACE, "The same for neighbors that replace a record"),
    (matrix.WEIGHTED, "The original, weighted Privelet"),
    (matrix.WEIGHTED_REPLACE, "Weighted Privelet for neighbors that replace a record"),
    (matrix.AVERAGED, "Haar averages with one scale of noise"),
    (matrix.NAIVE_ROOT, "Naive tree with its root"),
    (matrix.NAIVE_NOROOT, "Naive tree without its root"),
    (matrix.BOOST_ROOT, "Boost with its root"),
    (matrix.BOOST_NOROOT, "Boost without its root"),
)
"""Their laws, with their names on a page."""

SHUFFLED: tuple[Record, ...] = tuple(
    Record(program=program, law="", report=report, example=example)
    for program, report, example in (
        (SH, "one item", "SH(ItemDomain.of_sizes(2), fmpq(1, 4))"),
        (SOLH, "a function and a label", 'SOLH(d=2, epsilon="ln(3)", family=AllFunctions((0, 1), 2))'),
        (AUE, "items", "AUE(ItemDomain.of_sizes(2), fmpq(1, 4))"),
        (PureDUMP, "items", "PureDUMP(ItemDomain.of_sizes(2), Constant(1))"),
        (MixDUMP, "items", 'MixDUMP(d=2, epsilon="ln(3)", dummies=Constant(1))'),
        (ODHP, "labels and functions", 'ODHP(d=2, epsilon="ln(3)", dummies=Constant(1), hashes="nohash")'),
    )
)
"""Randomizers of the shuffle model: what a user sends is a multiset of messages."""
