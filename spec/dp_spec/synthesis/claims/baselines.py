"""Formal statements of source 003 about the methods it is compared with: PrivBayes, PrivSCBN and Jtree."""

from dp_spec.matrix.claims.trees import LOSS, TWO_LEAVES, loss, trees
from dp_spec.matrix.mechanisms import IDENTITY
from dp_spec.synthesis.budgets import EPS, D, N, mean_probability, privbayes_scale
from dp_spec.synthesis.claims.definitions import C, P, Q, W, within
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, SOME
from dp_spec.vocabulary.statement import Domain, Range, conjunction
from dp_spec.vocabulary.term import Term, term, var

THETA, CELLS, BETA, JOINED, J = (var(name) for name in ("theta", "v", "beta", "q", "j"))
_DEGREE = Domain({"n": SOME, "j": SOME, "p": NATURAL, "eps": POSITIVE})
"""d = p + j attributes, of which j have noised joint tables."""
_GENERAL = Domain({"n": SOME, "d": SOME, "v": SOME, "eps": POSITIVE, "theta": POSITIVE})
_USEFULNESS = (1 / CELLS) / (2 * D / (N * EPS))
_MOST = N * EPS / (2 * D * THETA)

_SAMPLED = 1 + (W - 1) / BETA
"""e^(eps_a) of a procedure on a sample of rate beta, e^eps = w."""
_RATE = {"beta": POSITIVE, "w": ABOVE_ONE}


def _mean(inside: Term, outside: Term) -> Term:
    """The chance of an output, from those given that the record is in the sample and that it is not."""
    return BETA * inside + (1 - BETA) * outside


_BOTH, _ONE = var("b"), var("o")


def _jaccard(both: Term, one: Term) -> Term:
    return 1 - both / (both + one)


def _jaccard_range(both: int, one: int) -> Formula:
    """It lies in [0, 1] where there are at least so many such records."""
    return formula(
        {"b": Range(both, integer=True), "o": Range(one, integer=True)},
        ("le", term(0), _jaccard(_BOTH, _ONE)),
        ("le", _jaccard(_BOTH, _ONE), term(1)),
    )


CLIQUES = trees(
    ("le", JOINED * LOSS, EPS),
    domain=Domain({**TWO_LEAVES.variables, "q": SOME}),
    loss=loss(IDENTITY, "replace", eps=EPS / (2 * JOINED)),
)
"""q tables of counts, noise of scale 2 q / eps on each; a record is replaced."""

FORMAL: dict[str, Formal] = {
    "003.base.privbayes.useful.binary": formula(
        _DEGREE, ("eq", mean_probability(P) / privbayes_scale(EPS, J), N * EPS / (J * term(2) ** (P + 2)))
    ),
    "003.base.privbayes.useful.general": conjunction(
        formula(_GENERAL.variables, ("le", CELLS, _MOST), where=(_USEFULNESS - THETA,)),
        formula(_GENERAL.variables, ("le", THETA, _USEFULNESS), where=(_MOST - CELLS,)),
    ),
    # with the share epsilon / j a table of sensitivity 2 / n has noise of this scale
    "003.base.privbayes.equal": formula(
        _DEGREE, ("eq", privbayes_scale(EPS, J), 2 / N / (EPS / J)), ("eq", J * (EPS / J), EPS)
    ),
    "003.base.scbn.equal": Unchecked("the two cited works are not in the text that we have"),
    "003.base.scbn.claims": Unchecked("the cited work, but for its abstract, is not in the text that we have"),
    # records with ones in both columns, in one of them
    "003.base.scbn.jaccard": conjunction(
        *(_jaccard_range(b, 1 - b) for b in (0, 1)),
        # a record with ones in both becomes one with a single one, beside others without
        formula({}, ("eq", _jaccard(term(0), term(1)) - _jaccard(term(1), term(0)), term(1))),
    ),
    # in the sample is the record or another one (p and q); or neither: then both tables have the same law c
    "003.base.jtree.amplify@wor.ro": formula(
        {**_RATE, "p": ANY_SIZE, "q": ANY_SIZE, "c": ANY_SIZE},
        ("le", _mean(P, C), W * _mean(Q, C)),
        where=(1 - BETA, _SAMPLED * Q - P, _SAMPLED * C - P),
    ),
    # the table has a record more, which is in the sample (p) or not (c)
    "003.base.jtree.amplify@poisson.ar": formula(
        {**_RATE, "p": ANY_SIZE, "c": ANY_SIZE},
        ("le", _mean(P, C), W * C),
        ("le", C, W * _mean(P, C)),
        where=(1 - BETA, *within(_SAMPLED, (P, C))),
    ),
    "003.base.jtree.cliques@ro": CLIQUES,
    "003.base.jtree.cliques@ar": trees(
        ("le", JOINED * LOSS, EPS),
        domain=Domain({**TWO_LEAVES.variables, "q": SOME}),
        loss=loss(IDENTITY, eps=EPS / (2 * JOINED)),
    ),
}
