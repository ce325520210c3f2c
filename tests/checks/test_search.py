"""What words find: a table of what people type, with the first thing that they are shown."""

from functools import cache

import pytest

from dp_checks.ledger import load_ledger
from dp_checks.search import Hit, NothingFoundError, about, claims, mechanisms, search
from dp_spec.vocabulary.exceptions import DomainError

FIRST = (
    ("OUE variance", "lit.wang2017.oue.var"),
    ("variance of OUE", "lit.wang2017.oue.var"),
    ("k-subset", "PrivSet"),
    ("SubsetSelection", "SubsetSelection"),
    ("randomised response", "GRR"),
    ("generalized randomized response tight", "002.base.grr.eq5.tight"),
    ("hockey stick", "000.def1.eq1"),
    ("local hashing unbiased", "lit.wang2017.olh.unbiased"),
    ("Laplace sensitivity", "001.base.laplace"),
    ("shuffler amplification Feldman", "lit.feldman2021.closed"),
    ("privbayes sens", "003.base.privbayes.sens-i"),
    ("multiset-marginal-nonempty", "002.thm1.sugrr.eq11@multiset-marginal-nonempty"),
)


LEDGER = load_ledger()


@cache
def things() -> tuple[Hit, ...]:
    return (*mechanisms(), *claims(LEDGER))


@pytest.mark.parametrize(("asked", "first"), FIRST)
def test_the_first_thing_is_what_was_asked_for(asked: str, first: str) -> None:
    assert search(asked, things())[0].name == first


def test_all_words_are_needed_and_names_come_before_sentences() -> None:
    made = [Hit("oracle", name, text) for name, text in (("B", "GRR, tight"), ("GRR", "tight"), ("C", "GRR"))]
    assert [thing.name for thing in search("direct encoding tight", made)] == ["GRR", "B"]
    assert [thing.name for thing in search("tigh", made)] == ["B", "GRR"]


@pytest.mark.parametrize(
    ("asked", "advice"),
    [
        ("privelett", "did you mean privelet"),
        ("oue laplace", "without 'oue' [0-9]+ are found"),
        ("xqzw", "try a mechanism"),
        ("grr privelet matrix hmprivbayes", "nothing has all these words"),
    ],
)
def test_where_nothing_is_found_the_message_says_what_to_try(asked: str, advice: str) -> None:
    with pytest.raises(NothingFoundError, match=advice):
        search(asked, things())


def test_text_without_words_is_refused() -> None:
    with pytest.raises(DomainError, match="WORDS"):
        search("-- !", things())


@pytest.mark.parametrize(
    ("name", "among", "not_among"),
    [
        ("suWheel", "002.thm7.eq11@joint", "002.thm1.sugrr.eq11"),
        ("sugrr", "002.thm1.sugrr.eq11@set-joint", "002.thm1.sugrrsample.tight"),
        ("SUE", "002.base.rappor.unbiased", "002.base.grr.eq5.tight"),
        ("HM", "lit.bassily2017.hr.var", "lit.wang2017.oue.var"),
        ("subset-selection", "002.base.privset.tight", "lit.wang2017.oue.var"),
        ("PrivSCBN", "003.fig4.safer", "003.base.privbayes.dp"),
    ],
)
def test_entries_about_a_mechanism_are_found_by_any_of_its_names(name: str, among: str, not_among: str) -> None:
    ids = about(name, LEDGER)
    assert among in ids
    assert not_among not in ids
