"""Small cases of all randomizers of the shuffle model, with rational numbers."""

from collections.abc import Callable
from typing import Any

from flint import fmpq

from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction, PublicFunctions
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.blanket import DDPS, SH
from dp_refimpl.shuffle.dummies import Binomial, Constant, Listed
from dp_refimpl.shuffle.dump import MixDUMP, PureDUMP
from dp_refimpl.shuffle.hpsdp import SRR
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain

TWO, THREE = ItemDomain((0, 1)), ItemDomain((0, 1, 2))
BUDGET = Budget.of_root(fmpq(3))
IDEAL = AllFunctions((0, 1), 2)
WIDE = AllFunctions((0, 1, 2), 2)
PUBLIC = PublicFunctions((LabelFunction((0, 1, 2), (0, 1, 1), 2),))
UNEVEN = PublicFunctions((LabelFunction((0, 1, 2), (0, 1, 1), 2), LabelFunction((0, 1, 2), (0, 0, 1), 2)))
RANDOM = Listed((fmpq(1, 2), fmpq(1, 3), fmpq(1, 6)))

RANDOMIZERS: dict[str, Callable[[], Any]] = {
    "sh": lambda: SH(THREE, fmpq(1, 3)),
    "ddps": lambda: DDPS(3, fmpq(1)).randomizer,
    "puredump": lambda: PureDUMP(THREE, Constant(2)),
    "puredump random": lambda: PureDUMP(TWO, RANDOM, "expected"),
    "mixdump": lambda: MixDUMP(THREE, BUDGET, Constant(1)),
    "mixdump random": lambda: MixDUMP(TWO, BUDGET, Binomial(2, fmpq(1, 3))),
    "mixdump expected": lambda: MixDUMP(TWO, BUDGET, Binomial(2, fmpq(1, 3)), "expected"),
    "aue": lambda: AUE(TWO, fmpq(1, 4)),
    "solh": lambda: SOLH(TWO, BUDGET, IDEAL),
    "solh uneven": lambda: SOLH(THREE, BUDGET, UNEVEN),
    "srr": lambda: SRR(THREE, WIDE, fmpq(1, 3)),
    "nohash": lambda: ODHP(TWO, BUDGET, Constant(1), hashes="nohash", form="t3"),
    "nohash domain": lambda: ODHP(TWO, BUDGET, RANDOM, hashes="nohash", form="t2b", value="domain"),
    "fresh": lambda: ODHP(TWO, BUDGET, Constant(1), IDEAL, "fresh"),
    "fresh domain": lambda: ODHP(THREE, BUDGET, RANDOM, PUBLIC, "fresh", "domain", "s2-n"),
    "shared": lambda: ODHP(TWO, BUDGET, Constant(2), IDEAL, "shared", form="t3"),
    "shared random": lambda: ODHP(TWO, BUDGET, RANDOM, IDEAL, "shared", form="t2a-outer-g1", subtracted="expected"),
    "shared domain": lambda: ODHP(THREE, BUDGET, Constant(2), WIDE, "shared", "domain"),
    "shared uneven": lambda: ODHP(THREE, BUDGET, RANDOM, UNEVEN, "shared", "domain", "t2a-outer-g2"),
    "sharedsmall": lambda: ODHP(TWO, BUDGET, Constant(1), hashes="sharedsmall", form="t2b"),
    "sharedsmall domain": lambda: ODHP(
        TWO, BUDGET, Constant(2), hashes="sharedsmall", value="domain", form="t2a-inner-g1", users=2
    ),
}
"""Of every mechanism and of every reading of Algorithm 1 at least one."""
