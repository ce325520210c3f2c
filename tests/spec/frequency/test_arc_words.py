"""The words for arcs in sentences say what the programs do: `Coverage` in every reading, the server's `hit`."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, get_args

import pytest
from flint import fmpq

from dp_kernel.finite.models import model_at
from dp_kernel.finite.sentences import evaluated
from dp_refimpl.frequency.arcs import Coverage
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.suwheel import SuWheel
from dp_spec.frequency.arcs import Membership, everywhere, in_arc, is_member
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain

DOMAIN = ItemDomain.of_sizes(1, 0)
CIRCLES = [(n, p) for n in range(3, 9) for p in range(1, n) if 2 * p < n]


WORDS: Mapping[str, Callable[..., Any]] = {
    "arc": in_arc,
    **{reading: partial(is_member, reading) for reading in get_args(Membership)},
}


@pytest.mark.parametrize("reading", WORDS)
def test_words_are_programs(reading: Any) -> None:
    for n, p in CIRCLES:
        model, wheel = model_at(everywhere("mod1").json(), {"n": n}), SuWheel(DOMAIN, Budget.of_root(fmpq(n, p) - 1), 1)
        assert wheel.p == fmpq(p, n)
        for v, tau in product(range(n + 1), range(n)):
            at = dict(zip(("tau", "v", "p"), map(Fraction, (tau, v, p)), strict=True))
            said = evaluated(["number", WORDS[reading]("tau", "v", "p", "n")], model, at)
            value, point = fmpq(v, n), fmpq(tau, n)
            if reading == "server":
                done = bool(wheel.hit(0, HashFunction((0,), (value,)), point))
            else:
                done = Coverage((value,), wheel.p, "mod1" if reading == "arc" else reading).covers(point)
            assert said == done, (n, p, v, tau)
