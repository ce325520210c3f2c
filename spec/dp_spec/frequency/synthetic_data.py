"""Synthetic data of source 004: w words, the earlier the more frequent; how often each of T records is one of them."""

from dp_spec.vocabulary.term import Term, floor, log, summed, term

WORDS, RECORDS = 2000, 10**6
"""w and T."""
EULER = term(57722) / 100_000
"""The source's value of Euler's constant."""
RATIO = term(10) / 13
"""x of the exponential distribution."""
_NUMBER = log(term(WORDS)) + EULER


def harmonic(x: Term | int) -> Term:
    """The printed count of the word of rank x, harmonic distribution: T / (x (ln w + C))."""
    return RECORDS / (term(x) * _NUMBER)


def exponential(x: Term | int) -> Term:
    """The same, exponential distribution, the first word at index 1: T (1 - x) x^(i - 1)."""
    return RECORDS * (1 - RATIO) * RATIO ** (term(x) - 1)


def nearest(count: Term) -> Term:
    """The nearest integer."""
    return floor(count + term(1) / 2)


def over_words(of: Term, first: int = 1, last: int = WORDS) -> Term:
    """The sum over the words of ranks x = first, .., last."""
    return summed("x", first, last, of)
