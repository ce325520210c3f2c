"""Messages of many users at data size: histograms from sufficient statistics, and arrays of hashed messages.

How many users hold each item decides the law of the histogram of messages, so that no user is simulated where messages
are items. Laws are the programs' (see `array_counts.ROUNDING` for binomials and irrational chances).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Bits, Indices
from dp_refimpl.fast.array_counts import RESOLUTION, Draws, cells, rational
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes
from dp_refimpl.fast.frequency.label_arrays import LabelHashes, draw_label_hashes
from dp_refimpl.fast.frequency.report_arrays import require_vector
from dp_refimpl.fast.frequency.support_counts import support_counts
from dp_refimpl.frequency.hash_families import AffineLabels, CarterWegman
from dp_refimpl.requirements import require_integer
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.blanket import SH
from dp_refimpl.shuffle.dummies import Binomial, Constant, DummyCount, Listed, NegativeBinomial
from dp_refimpl.shuffle.dump import MixDUMP, PureDUMP
from dp_refimpl.shuffle.hpsdp import SRR
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_refimpl.shuffle.protocol_parts import Affine
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import S

_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class Sent:
    """Hashed messages: functions, and the labels that were sent with each of them, shape (functions, messages each)."""

    hashes: LabelHashes
    labels: Indices


def sample_item_counts(
    randomizer: SH[S] | PureDUMP | MixDUMP[S] | ODHP[S] | AUE[S], held: Indices, coins: Draws
) -> Indices:
    """How often each item is sent, shape (d,), by users of whom held[x] hold item x, shape (d,).

    O(n + d) words, O(d) memory. Raises `DomainError` for bad counts, and for OD-HP with hashed messages.
    """
    users = require_held(held, len(randomizer.domain.items))
    if isinstance(randomizer, AUE):
        return held + coins.binomials(np.full(len(held), users), exact_chance(randomizer.r))
    if isinstance(randomizer, SH):
        return _reports(1 - randomizer.gamma, held, coins)
    if isinstance(randomizer, ODHP) and randomizer.family is not None:
        raise DomainError("randomizer", randomizer, "messages that are items (hashes='nohash')")
    own = held if isinstance(randomizer, PureDUMP) else _reports(randomizer.p - randomizer.q, held, coins)
    return own + coins.thrown(dummy_total(randomizer.dummies, users, coins), len(held))


def _reports(keep: Any, held: Indices, coins: Draws) -> Indices:
    """Own items with probability `keep`, otherwise uniform ones."""
    kept = coins.binomials(held, exact_chance(keep))
    return kept + coins.thrown(int(held.sum() - kept.sum()), len(held))


def dummy_total(count: DummyCount, users: int, coins: Draws) -> int:
    """How many dummies all users send: the sum of independent numbers with this law."""
    require_integer("users", users, 1)
    if isinstance(count, Constant):
        return users * count.m
    if isinstance(count, Binomial):
        return int(coins.binomials(np.array([users * count.r], np.int64), count.p)[0])
    if isinstance(count, NegativeBinomial):
        return failures(users * count.r, rational(count.p), coins)
    return int(dummy_numbers(count, users, coins).sum())


def dummy_numbers(count: DummyCount, users: int, coins: Draws) -> Indices:
    """How many dummies each user sends, shape (users,)."""
    require_integer("users", users, 1)
    if isinstance(count, Constant):
        return np.full(users, count.m, np.int64)
    if isinstance(count, Binomial):
        return coins.binomials(np.full(users, count.r, np.int64), count.p)
    if isinstance(count, Listed):
        return coins.categories(cells(count.weights), users)
    if isinstance(count, NegativeBinomial):
        return failures_each(count.r, rational(count.p), users, coins)
    raise DomainError("count", count, "Constant, Binomial, NegativeBinomial or Listed")


def failures(successes: int, p: Fraction, coins: Draws) -> int:
    """Failures before so many successes of probability p > 0, bit by bit, O(1) memory."""
    missing, count = successes, 0
    while missing:
        reached = np.cumsum(_bits(missing, p, coins), dtype=np.int64)
        ones = int(reached[-1])
        if ones < missing:
            missing, count = missing - ones, count + len(reached) - ones
        else:
            missing, count = 0, count + int(np.searchsorted(reached, missing)) + 1 - missing
    return count


def failures_each(successes: int, p: Fraction, users: int, coins: Draws) -> Indices:
    """Failures before so many successes of every user, shape (users,): one stream of bits, cut where a user is done."""
    places, start, missing = [np.array([-1])], 0, users * successes
    while missing > 0:
        bits = _bits(missing, p, coins)
        places.append(start + np.flatnonzero(bits))
        start, missing = start + len(bits), missing - len(places[-1])
    last = np.concatenate(places)[: users * successes + 1 : successes]
    return np.diff(last) - successes


def _bits(missing: int, p: Fraction, coins: Draws) -> Bits:
    """Bits of probability p, about as many as have the missing ones; a block at most."""
    return coins.bernoulli(p, min(_BLOCK, int(missing / p) + 1))


def sample_hashed(randomizer: SOLH[S] | SRR[S] | ODHP[S], items: Indices, coins: Draws) -> Sent:
    """Messages of users with functions of their own, from their items (positions), shape (n,).

    Messages with one function for all that a user sends are rows of m + 1 where m is constant, otherwise a function is
    repeated for each. O(n (m + 1)) memory. Raises `DomainError` for bad positions, for families that are not affine or
    not on the items of the domain in their order, and without a hash.
    """
    family = _affine_family(randomizer)
    held = require_vector("items", items, len(items) if isinstance(items, np.ndarray) else 0, len(family.items))
    hashes = draw_label_hashes(family, len(held), coins)
    own = hashes.values(held[:, None])
    kept = coins.bernoulli(exact_chance(randomizer.p - randomizer.q), own.shape).view(np.bool_)
    reports = np.where(kept, own, coins.below(family.labels, own.shape))
    if not isinstance(randomizer, ODHP):
        return Sent(hashes, reports)
    if isinstance(randomizer.dummies, Constant) and randomizer.hashes != "fresh":
        labels = _dummy_labels(randomizer, hashes, randomizer.dummies.m, coins)
        return Sent(hashes, np.concatenate([reports, labels], axis=1))
    numbers = dummy_numbers(randomizer.dummies, len(held), coins)
    total = int(numbers.sum())
    if not total:
        return Sent(hashes, reports)
    if randomizer.hashes == "fresh":
        carried = draw_label_hashes(family, total, coins)
    else:
        carried = _chosen(hashes, np.repeat(np.arange(len(held)), numbers))
    labels = _dummy_labels(randomizer, carried, 1, coins)
    return Sent(_both(hashes, carried), np.concatenate([reports, labels]))


def sent_counts(randomizer: SOLH[S] | SRR[S] | ODHP[S], sent: Sent) -> Indices:
    """C_v for every item: the messages that support it, without an array of messages times items.

    Raises `DomainError` for families as `sample_hashed`, and for functions of another one.
    """
    sent.hashes.require_of(_affine_family(randomizer))
    rows = _chosen(sent.hashes, np.repeat(np.arange(len(sent.hashes)), sent.labels.shape[1]))
    return support_counts(rows, sent.labels.reshape(-1), len(randomizer.domain.items))


def estimates_array(estimator: Affine[S], counts: Indices, messages: int, users: int) -> NDArray[np.float64]:
    """`Affine` for all items at once, in floats, from C_v, shape (d,). Raises `DomainError` for bad counts, slope 0."""
    require_integer("messages", messages, 0)
    require_integer("users", users, 1)
    if not isinstance(counts, np.ndarray) or counts.dtype.kind not in "iu" or counts.ndim != 1 or not counts.size:
        raise DomainError("counts", counts, "a vector of integers")
    if int(counts.min()) < 0:
        raise DomainError("counts", int(counts.min()), "integers >= 0")
    exact: list[Any] = [estimator.per_user, estimator.per_message, estimator.slope]
    each, message, slope = (float(x if isinstance(x, arb | Real) else Fraction(int(x.p), int(x.q))) for x in exact)
    if slope == 0:
        raise DomainError("slope", slope, "not 0: these messages carry no information")
    return (counts.astype(np.float64) - (users * each + messages * message)) / (users * slope)


def exact_chance(p: Any) -> Fraction:
    """A probability for exact coins: rational, or rounded to a multiple of 2^-128 (balls and real numbers)."""
    return rational(p.enclosure(4 * RESOLUTION) if isinstance(p, Real) else p)


def require_held(held: object, items: int) -> int:
    """The number of users. Raises `DomainError` unless `held` is a vector of `items` integers >= 0, not all 0."""
    if not isinstance(held, np.ndarray) or held.dtype.kind != "i" or held.shape != (items,):
        raise DomainError("held", held, f"a vector of {items} signed integers")
    if int(held.min()) < 0 or not held.any():
        raise DomainError("held", int(held.min()), "integers >= 0, not all of them 0")
    return int(held.sum())


def _affine_family(randomizer: SOLH[S] | SRR[S] | ODHP[S]) -> CarterWegman | AffineLabels:
    """The family. Raises `DomainError` unless it has affine functions of the domain's items in their order."""
    family = randomizer.family
    if not isinstance(family, CarterWegman | AffineLabels):
        raise DomainError("family", family, "affine functions (CarterWegman or AffineLabels)")
    if family.items != randomizer.domain.items:
        raise DomainError("family", family, "functions of the domain's items, in their order")
    return family


def _dummy_labels(randomizer: ODHP[S], hashes: LabelHashes, each: int, coins: Draws) -> Indices:
    shape = (len(hashes), each)
    if randomizer.value == "unif":
        return coins.below(hashes.labels, shape)
    return hashes.values(coins.below(len(randomizer.domain.items), shape)) if each else np.zeros(shape, np.int64)


def _chosen(hashes: LabelHashes, rows: Indices) -> LabelHashes:
    return LabelHashes(PolynomialHashes(hashes.hashes.coefficients[rows], hashes.hashes.prime), hashes.labels)


def _both(first: LabelHashes, second: LabelHashes) -> LabelHashes:
    coefficients = np.concatenate([first.hashes.coefficients, second.hashes.coefficients])
    return LabelHashes(PolynomialHashes(coefficients, first.hashes.prime), first.labels)
