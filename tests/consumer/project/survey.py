"""An outside project: collects protected answers, and refuses to run on claims that have not been proved."""

from collections.abc import Sequence
from typing import assert_type

import numpy as np
from flint import fmpq

from dp_checks.ledger import load_ledger
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.frequency.grr import GRR
from dp_spec.vocabulary.budget import Budget, rational_budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain

RELIED_ON = ("002.base.grr.eq5.norm", "002.base.grr.eq5.privacy", "002.base.grr.unbiased")


class NotProvedError(Exception):
    """A claim that this project relies on is not proved."""


def require_proved(claims: Sequence[str]) -> None:
    """The gate. Raises `NotProvedError` naming every claim whose verdict is not `proved`."""
    ledger = load_ledger()
    missing = {claim: ledger[claim].verdict for claim in claims if ledger[claim].verdict != "proved"}
    if missing:
        raise NotProvedError(missing)


def survey(answers: Sequence[Item], items: Sequence[Item], epsilon: str, seed: int) -> dict[Item, fmpq]:
    """Estimated frequency of every item, from answers randomized one by one."""
    require_proved(RELIED_ON)
    share = assert_type(rational_budget(epsilon), Budget[fmpq])
    mechanism = assert_type(GRR(ItemDomain(tuple(items)), share), GRR[fmpq])
    coins = SamplingCoins(np.random.default_rng(seed))
    reports = [mechanism.randomize(answer, coins) for answer in answers]
    return mechanism.estimate(reports)


def main() -> None:
    answers = ["tea"] * 300 + ["coffee"] * 100
    estimate = survey(answers, ["tea", "coffee", "water"], "ln(3)", seed=1)
    print({item: str(value) for item, value in estimate.items()})
    if sum(estimate.values(), fmpq(0)) != 1:
        raise SystemExit("frequencies of one item per person sum to 1")
    try:
        require_proved(["002.base.grr.eq5.privacy", REFUTED])
    except NotProvedError as error:
        print("the gate holds:", error)
    else:
        raise SystemExit("a refuted claim passed the gate")
    try:
        survey(["tea", "cocoa"], ["tea", "coffee"], "ln(3)", seed=1)
    except DomainError as error:
        print("refused:", error)
    else:
        raise SystemExit("an unknown item was accepted")


REFUTED = next(name for name, entry in load_ledger().items() if entry.verdict == "refuted")

if __name__ == "__main__":
    main()
