"""The page on certificates covers what the kernel knows; the reference has every module."""

import re

from corpus.certificates import real
from dp_checks.pages import certificates
from dp_checks.pages.evidence import EVIDENCE, explained
from dp_checks.pages.reference import reference_pages
from dp_kernel.certificate.check import FORMAT, KINDS
from dp_spec.vocabulary.term import OPERATORS
from structure.tree import PACKAGES, modules


def test_every_type_of_statement_and_kind_of_evidence_is_described() -> None:
    text = "\n".join(certificates.page())
    assert [name for name in KINDS if f"\n`{name}`\n: " not in text] == []
    assert [kind for kind in EVIDENCE if f"({explained(kind)})=\n{kind}\n: " not in text] == []
    assert FORMAT in text


def test_every_field_of_a_certificate_is_described() -> None:
    optional = {"work"}
    assert {name for name, _ in certificates.FIELDS} - optional == real("formula proved").keys() - optional


def test_every_operator_of_an_expression_tree_is_described() -> None:
    text = " ".join(f"{json} {meaning}" for json, meaning in certificates.TREES)
    assert [operator for operator in OPERATORS if f'["{operator}"' not in text and f"`{operator}`" not in text] == []


def test_the_reference_has_every_module_once() -> None:
    documented = [
        line.removeprefix(".. automodule:: ")
        for text in reference_pages().values()
        for line in text.splitlines()
        if line.startswith(".. automodule:: ")
    ]
    assert len(documented) == len(set(documented))
    makes_pages = re.compile(r"dp_(checks|studies)\.pages(\.|$)")
    expected = {
        name
        for package in PACKAGES
        for name, _ in modules(package)
        if not name.endswith("__main__") and ".adapters" not in name and not makes_pages.match(name)
    }
    assert set(documented) == expected
