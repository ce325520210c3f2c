"""Claims of source 000 on which no formal statement can be decided here."""

from dp_spec.vocabulary.claim import Formal, Unchecked


def _bits(setting: str, users: int) -> Unchecked:
    return Unchecked(
        f"{setting} and epsilon <= 1 leave no fewer than {users} users, each with a bit for every item: too many for "
        "all multisets to be listed, and the bounds that hold for all data sets are about randomized response"
    )


FORMAL: dict[str, Formal] = {
    "000.thm1.count@bin-mean": Unchecked(
        "in the stated range there are 54 dummies or more in the mean: too many for all multisets to be listed, and "
        "the bounds that hold for all data sets are about numbers of dummies that are not random"
    ),
    "000.base.aue.privacy@r50-range": _bits("r >= 1/2", 70),
    "000.base.aue.privacy@r200-range": _bits("r <= 1/2", 555),
}
"""Every id with the reason."""
