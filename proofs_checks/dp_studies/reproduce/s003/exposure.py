"""What one release shows of every attribute: its networks with their noisy tables, and its losses by attribute.

If the value of one attribute changes in one record, the loss is at most

* epsilon_1 2 floor(d/2) / d from the similarities: d - 1 of them move, each by at most Delta m (003.sec32.delta-m);
* epsilon_2 from the networks, if there is a choice: one cluster alone has the attribute (003.alg4.dp@ro);
* the shares of epsilon_3 of all noisy joint tables that have the attribute, and no less: two cells of each move by 1.

The shares of HMPrivBayes as printed are those of the data, regarded as given (003.prose.attrprotect@attrloss).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from dp_refimpl.fast.synthesis.joint_tables import WeightedNoise
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce.numbers import BITS, signed
from dp_studies.reproduce.s003.releases import Release, budgets_of, noise_of, nominal_epsilon
from dp_studies.reproduce.s003.settings import SMALL, Point

STAGES = ("matrix", "networks", "joints")
Pairs = Sequence[Mapping[str, Any]]
"""The pairs of a network, as JSON."""


def networks(point: Point, release: Release) -> list[list[dict[str, Any]]]:
    """The network of every cluster: attributes with parents, shares of epsilon_3, and of few attributes the exact and
    noisy counts of the tables that get noise."""
    table = ArrayTable((2,) * point.table.d, point.table.bits)
    noise = noise_of(point)
    assert isinstance(noise, WeightedNoise)
    clusters = []
    for network, joints in zip(release.networks, release.joints, strict=True):
        first = len(network) - len(joints)
        scales = noise.scales(table, network[first:])
        shares = (1 / scales) / np.sum(1 / scales)
        pairs: list[dict[str, Any]] = []
        for place, (x, parents) in enumerate(network):
            pair: dict[str, Any] = {"attribute": x, "parents": list(parents), "share": "0", "exact": [], "noisy": []}
            if place >= first:
                pair["share"] = _decimal(float(shares[place - first]))
            if place >= first and point.table.d <= SMALL:
                pair["exact"] = table.joint((x, *parents)).ravel().tolist()
                pair["noisy"] = [_decimal(float(cell)) for cell in joints[place - first].ravel()]
            pairs.append(pair)
        clusters.append(pairs)
    return clusters


def losses(point: Point, clusters: Sequence[Pairs]) -> list[dict[str, str]]:
    """For every binary attribute what each stage loses at most if it changes in one record, in multiples of epsilon."""
    d, whole = point.table.d, Fraction(point.epsilon or "0")
    *first, second, third = (
        Fraction(int(b.p), int(b.q)) / whole for b in budgets_of(point).budgets(nominal_epsilon(point))
    )
    by_attribute: dict[int, dict[str, str]] = {}
    for pairs in clusters:
        for x in (pair["attribute"] for pair in pairs):
            shares = [Fraction(pair["share"]) for pair in pairs if x in (pair["attribute"], *pair["parents"])]
            lost = (
                sum(first, Fraction(0)) * Fraction(2 * (d // 2), d),
                second if len(pairs) > 1 else Fraction(0),
                third * sum(shares, Fraction(0)),
            )
            by_attribute[x] = dict(zip(STAGES, map(_rational, lost), strict=True))
    return [by_attribute[x] for x in range(d)]


def _decimal(number: float) -> str:
    with precision(BITS):
        return signed(arb(number))


def _rational(number: Fraction) -> str:
    return signed(fmpq(number.numerator, number.denominator))
