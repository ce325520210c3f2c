"""Metrics of declared maps, by name."""

from collections.abc import Mapping
from fractions import Fraction

from flint import fmpq

from dp_audit.oracles.distances import DATA, NUMBERS, Metric
from dp_audit.oracles.divergences import (
    FAMILIES,
    GAUSSIAN,
    ZERO_CONCENTRATED,
    Family,
    max_divergence,
    require_parameter,
)
from dp_audit.oracles.partitions import NORMS, partitioned
from dp_audit.oracles.readers import rational
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.scalar import Ordering, compare

METRICS: Mapping[str, Metric] = {
    metric.name: metric for metric in (*DATA, *NUMBERS, max_divergence(Fraction(0)), ZERO_CONCENTRATED, GAUSSIAN)
}
CURVES: Mapping[str, Family] = {family.curve: family for family in FAMILIES}
"""Families whose parameter is left open."""
_FAMILIES = {family.name: family for family in FAMILIES}


def metric(parameter: str, name: str) -> Metric:
    """Return the metric of a name.

    `hockey-stick EPSILON`, `max-divergence DELTA` and `Renyi ORDER` have a rational number; `L1 of METRIC` is of
    mappings of partitions, `L0 of METRIC within K` where none of them differs by more. Raises `DomainError`, which
    names the parameter.
    """
    norm, is_partitioned, inner = name.partition(" of ")
    if is_partitioned and norm in NORMS:
        inner, is_bounded, most = inner.partition(" within ")
        return partitioned(norm, metric(parameter, inner), _bound(parameter, name, most) if is_bounded else None)
    word, _, number = name.partition(" ")
    if number and word in _FAMILIES:
        family = _FAMILIES[word]
        return family.at(require_parameter(parameter, name, family, number))
    return METRICS[require_name(parameter, name, [*METRICS, *CURVES])]


def _bound(parameter: str, name: str, most: str) -> fmpq:
    try:
        bound = rational(parameter, most)
    except DomainError:
        bound = fmpq(-1)
    if compare(bound, 0) is Ordering.LESS:
        raise DomainError(parameter, name, "a rational bound >= 0 after 'within'")
    return bound
