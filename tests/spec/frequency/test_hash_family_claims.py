"""What the literature states of hash families: what is proved of all primes, and what of small ones only."""

from dp_checks.ledger import load_ledger
from dp_spec.frequency.claims.hash_families import FORMAL
from dp_spec.vocabulary.statement import Instances


def test_nothing_is_proved_of_all_primes_or_sizes_by_small_ones() -> None:
    """Identities of a proof and an enumeration, with words between them."""
    listed = {i for i, formal in FORMAL.items() if isinstance(formal, Instances)}
    ledger = load_ledger()
    assert {ledger[i].verdict for i in listed} == {"verified"}
    assert {ledger[i.split("@")[0]].verdict for i in listed} == {"verified"}
    assert {i.split("@")[0] for i in FORMAL if "@" in i} == {i.split("@")[0] for i in listed}
