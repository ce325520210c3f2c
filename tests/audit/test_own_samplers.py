"""The vectorized samplers of `dp_refimpl`, audited exactly like foreign code: the words they draw are enumerated."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from audit.targets.samplers import Reporter
from dp_audit.judge.bets.sequential import Sampling, audit_samples
from dp_audit.judge.law import law_rows
from dp_audit.oracles import Oracle, oracle
from dp_audit.oracles.mechanism import MechanismOracle
from dp_audit.outcome import Verdict
from dp_refimpl.coins import uniform
from dp_refimpl.enumeration import output_law
from dp_refimpl.fast.array_coins import ArrayCoins, Indices
from dp_refimpl.fast.frequency.grr import sample_grr, sample_grr_sample, sample_grr_split, sample_urr
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes
from dp_refimpl.fast.frequency.item_arrays import BLANK
from dp_refimpl.fast.frequency.privset import sample_privset
from dp_refimpl.fast.frequency.rappor import sample_rappor, sample_rappor_sample, sample_rappor_set
from dp_refimpl.fast.frequency.sugrr import sample_sugrr, sample_sugrr_sample
from dp_refimpl.fast.frequency.surap import sample_surap, sample_surap_sample, sample_urap
from dp_refimpl.fast.frequency.wheel import sample_suwheel, sample_wheel
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.rappor import RAPPOR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent.enumerated_arrays import ONE, EnumeratedArrayCoins

PRIME, COEFFICIENTS = 3, (1, 1)
HASH = tuple(Fraction((COEFFICIENTS[0] + COEFFICIENTS[1] * x) % PRIME, PRIME) for x in range(3))
"""The public hash function of Wheel and suWheel, a polynomial over three points."""
Decode = Callable[[Any, Any], Hashable]


class OneChoiceBelow(EnumeratedArrayCoins):
    """An integer below a bound is one exact choice (that `below` is exact is a test of `ArrayCoins`)."""

    def below(self, bounds: Any, shape: Any) -> Indices:
        wide = np.broadcast_to(np.asarray(bounds), shape)
        flat = [uniform(self.coins, range(int(b)), ONE) for b in wide.reshape(-1)]
        return np.array(flat, np.int64).reshape(wide.shape)


def held(row: Any) -> list[int]:
    return [int(x) for x in row if x != BLANK]


def items(reference: Any, reports: Any) -> Hashable:
    row = np.atleast_1d(reports[0])
    return int(reports[0]) if np.ndim(reports[0]) == 0 else tuple(int(x) for x in row)


def subset(reference: Any, reports: Any) -> Hashable:
    return frozenset(int(x) for x in reports[0])


def bits(reference: Any, reports: Any) -> Hashable:
    row, k = reports[0], len(reference.mechanism.domain.sensitive)
    return tuple(int(b) for b in row[:k]), frozenset(int(x) for x in np.flatnonzero(row) if x >= k)


def pair(reference: Any, reports: Any) -> Hashable:
    return tuple(held(reports.protected[0])), frozenset(held(reports.invertible[0]))


def positions(reference: Any, reports: Any) -> Hashable:
    y0 = tuple(None if x == BLANK else int(x) for x in reports.protected[0])
    return y0, frozenset(held(reports.invertible[0]))


def single(reference: Any, reports: Any) -> Hashable:
    return next(iter(held(reports.protected[0])), None), frozenset(held(reports.invertible[0]))


def subset_pair(reference: Any, reports: Any) -> Hashable:
    return frozenset(held(reports.protected[0])), frozenset(held(reports.invertible[0]))


def arcs(reference: Any, reports: Any) -> Hashable:
    """As the documentation of the oracle says: (t - hash[x]) mod 1 < p = 1 / (2m - 1 + m e^epsilon)."""
    t, p = Fraction(int(reports.points[0]), reports.grid), Fraction(1, 1 + 4)
    return frozenset(x for x, v in enumerate(HASH) if (t - v) % 1 < p)


def arcs_pair(reference: Any, reports: Any) -> Hashable:
    return arcs(reference, reports), frozenset(held(reports.invertible[0]))


@dataclass(frozen=True)
class Sampler:
    """A sampler of ours, the oracle of its mechanism, and its report in canonical form."""

    name: str
    sample: Callable[..., Any]
    decode: Decode
    more: tuple[tuple[str, object], ...] = ()

    @property
    def power(self) -> int:
        """e^epsilon = 2^power; the points of a circle are enumerated for m = 1, where they are few."""
        return 2 if self.name.endswith("Wheel") else 4

    def oracle(self) -> Oracle:
        own: dict[str, object] = {"epsilon": f"{self.power}*ln(2)", **dict(self.more)}
        optimized = self.name.startswith(("Su", "U"))
        own |= {"K": 2, "N": 1} if optimized else {"d": 3}
        own |= {} if self.name in ("GRR", "SUE", "URR", "URAP") else {"m": 1 if self.power == 2 else 2}
        own |= {"hash": ", ".join(map(str, HASH))} if self.name.endswith("Wheel") else {}
        return oracle(self.name, own)

    def mechanism(self, reference: Oracle) -> Any:
        """The mechanism with rational numbers, which samplers draw with."""
        budget = Budget.of_root(fmpq(2), self.power)
        if not isinstance(reference, MechanismOracle):
            return {"GRR": GRR, "SUE": RAPPOR}[self.name](ItemDomain.of_sizes(3), budget)
        own = {f: getattr(reference.mechanism, f) for f in reference.mechanism.__dataclass_fields__}
        return type(reference.mechanism)(**{**own, "budget": budget})

    def report(self, reference: Oracle, mechanism: Any, x: Any, coins: ArrayCoins) -> Hashable:
        """One user's report."""
        array = np.array([sorted(x)]) if isinstance(x, frozenset) else np.array([x])
        hashes = (PolynomialHashes(np.array([COEFFICIENTS]), PRIME),) if self.name.endswith("Wheel") else ()
        fine = (1,) if hashes else ()
        return self.decode(reference, self.sample(mechanism, array, *hashes, coins, *fine))


SAMPLERS = (
    Sampler("GRR", sample_grr, items),
    Sampler("SUE", sample_rappor, items),
    Sampler("GRRSplit", sample_grr_split, items),
    Sampler("GRRSplit", sample_grr_split, items, (("view", "multiset"),)),
    Sampler("GRRSample", sample_grr_sample, items),
    Sampler("RAPPORSet", sample_rappor_set, items),
    Sampler("RAPPORSample", sample_rappor_sample, items),
    Sampler("URR", sample_urr, items),
    Sampler("URAP", sample_urap, bits),
    Sampler("SuGRR", sample_sugrr, pair),
    Sampler("SuGRR", sample_sugrr, subset_pair, (("view", "set"),)),
    Sampler("SuGRR", sample_sugrr, positions, (("view", "position"),)),
    Sampler("SuGRR", sample_sugrr, pair, (("view", "padded"),)),
    Sampler("SuGRRSample", sample_sugrr_sample, single),
    Sampler("SuRAP", sample_surap, bits),
    Sampler("SuRAPSample", sample_surap_sample, bits),
    Sampler("PrivSet", sample_privset, subset, (("k", 1),)),
    Sampler("Wheel", sample_wheel, arcs),
    Sampler("SuWheel", sample_suwheel, arcs_pair),
)


def laws(sampler: Sampler, kind: Any = OneChoiceBelow) -> dict[Any, dict[Hashable, fmpq]]:
    reference = sampler.oracle()
    report = partial(sampler.report, reference, sampler.mechanism(reference))
    return {x: output_law(lambda coins, x=x: report(x, kind(coins)), ONE) for x in reference.inputs}  # type: ignore[misc]


def name_of(sampler: Sampler) -> str:
    return "-".join([sampler.name, *(str(value) for _, value in sampler.more)])


@pytest.mark.parametrize("sampler", SAMPLERS, ids=name_of)
def test_the_samplers_conform_exactly(sampler: Sampler) -> None:
    rows = law_rows(laws(sampler), sampler.oracle())
    assert {row.verdict for row in rows} - {Verdict.INFO} == {Verdict.CONFORMS}, rows


class Biased(OneChoiceBelow):
    """Bits are 1 too seldom; integers below a bound are never the last one."""

    def bernoulli(self, p: Any, shape: Any) -> Any:
        return super().bernoulli(p * fmpq(9, 10), shape)

    def below(self, bounds: Any, shape: Any) -> Indices:
        return super().below(np.maximum(np.asarray(bounds) - 1, 1), shape)


@pytest.mark.parametrize("sampler", SAMPLERS, ids=name_of)
def test_biased_coins_are_found(sampler: Sampler) -> None:
    assert law_rows(laws(sampler, Biased), sampler.oracle())[0].verdict is Verdict.FAULT


def test_as_they_run_they_are_consistent() -> None:
    for sampler in SAMPLERS[-10::3]:
        reference, coins = sampler.oracle(), ArrayCoins(np.random.default_rng(5))
        report = partial(sampler.report, reference, sampler.mechanism(reference))
        target = Reporter(lambda _, x: report(x, coins), 0)  # noqa: B023
        rows = audit_samples(target, reference, sampling=Sampling(limit=300, first=100))
        assert Verdict.FAULT not in {row.verdict for row in rows if row.check != "privacy"}
