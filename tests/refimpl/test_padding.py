"""Padding and sampling: exactly m items, with the law of the print."""

from itertools import product
from typing import Any

from flint import fmpq
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.padding import pad_and_sample, padded_domain
from dp_spec.vocabulary.items import ItemDomain
from independent import brute_force as plain
from independent.cases import plain_rows

SIZES = ((1, 0), (2, 1), (1, 3), (4, 0))
ONE = fmpq(1)


def test_sets_have_the_law_of_the_print() -> None:
    """By brute force, over all sets of all sizes."""
    for (k, n), new in product(SIZES, (True, False)):
        d, domain = k + n, ItemDomain.of_sizes(k, n)
        for m in range(1, d + (3 if new else 1)):
            fakes: list[Any] = [f"fake{i}" for i in range(m)] if new else []
            inputs = domain.subsets(range(d + 1))

            def padded(s: Any, coins: Any, m: int = m, domain: Any = domain, fakes: Any = fakes) -> Any:
                return pad_and_sample(s, m, domain, fakes, coins, ONE)

            rows = plain_rows(exact_channel(padded, inputs, ONE))
            for s in inputs:
                assert rows[s] == plain.padded(frozenset(int(str(x)) for x in s), m, d, fakes)


def test_where_the_fakes_go() -> None:
    domain = ItemDomain.of_sizes(1, 2)
    assert padded_domain(domain, ["f"], "sensitive") == ItemDomain((0, "f"), (1, 2))
    assert padded_domain(domain, ["f"], "nonsensitive") == ItemDomain((0,), (1, 2, "f"))
    assert padded_domain(domain, [], "existing") == domain


DOMAIN = ItemDomain.of_sizes(1, 2)


def pad(items: Any, m: Any, fakes: Any) -> Any:
    return pad_and_sample(items, m, ItemDomain.of_sizes(3), fakes, SamplingCoins(default_rng(0)), ONE)


HELD = frozenset({0})
test_refusals = refusal_test(
    refuses_each("items", pad, ({0}, 2, ["f", "g"]), (frozenset({9}), 2, ["f", "g"])),
    refuses("m", lambda m: pad(HELD, m, []), -1, True, 1.0, 4),
    refuses("m", lambda: pad(HELD, 0, ["f"])),
    refuses_each("fakes", pad, (HELD, 3, ["f"]), (HELD, 3, ["f", "f"]), (HELD, 2, [1])),
    refuses("fakes", lambda: padded_domain(DOMAIN, ["f"], "existing")),
    refuses("items", lambda: padded_domain(DOMAIN, [1], "sensitive")),
    refuses("items", lambda: padded_domain(DOMAIN, ["f", "f"], "nonsensitive")),
    refuses("kind", lambda kind: padded_domain(DOMAIN, ["f"], kind), "other"),
)
