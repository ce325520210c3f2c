"""Formulas as text: a table, and all that the ledger says."""

import re

import pytest

from dp_checks.certify import all_statements
from dp_checks.ledger import load_ledger
from dp_checks.pages.witness import one_line
from dp_checks.runtime.tex import formula, terminal_text
from dp_spec.vocabulary.exceptions import DomainError

FORMULAS = (
    (r"e^{\epsilon/m}-1", "e^(ε/m) - 1"),
    (r"\epsilon_0\le\frac12", "ε_0 ≤ 1/2"),
    (r"\frac{1+x}{n\epsilon^2}", "(1 + x)/(nε^2)"),
    (r"\frac{-ab}c", "-ab/c"),
    (r"\frac{\frac ab}{c_i}", "(a/b)/c_i"),
    (r"\frac ab\frac cd", "(a/b)·(c/d)"),
    (r"2\,\frac ab", "2·(a/b)"),
    (r"\frac1n\sum_{i\in[n]}x_i", "(1/n) Σ_{i∈[n]} x_i"),
    (r"\frac{\log n}n+\frac{\ln(2/\delta)}{\mathrm{err}(N)}", "(log n)/n + ln(2/δ)/err(N)"),
    (r"\Bigl(\tfrac{p}{1-p}\Bigr)^2", "(p/(1 - p))^2"),
    (r"{\frac ab}^2", "(a/b)^2"),
    (r"\sum_{j=0}^m(x-1)^j/j!", "Σ_{j=0..m} (x - 1)^j/j!"),
    (r"\max_A\lvert P(A)-Q(A)\rvert", "max_A |P(A) - Q(A)|"),
    (r"\min(m,K)", "min(m, K)"),
    (r"\lim_{N\to\infty}\dfrac{\log_2^3N}{N}", "lim_{N→∞} (log_2^3 N)/N"),
    (r"m^2K^2(n-1)", "m^2 K^2 (n - 1)"),
    (r"\binom nm\gamma^m(1-\gamma)^{n-m}", "binom(n, m) γ^m (1 - γ)^(n - m)"),
    (r"8\sqrt{e^{\epsilon_0}/n}+\sqrt2x", "8√(e^(ε_0)/n) + √2 x"),
    (r"f(X_{\rm non})=x_{i+1}^{10}", "f(X_non) = x_(i+1)^10"),
    (r"\hat f_x\ne\overline{\mathrm{coef}}_A", "f̂_x ≠ overline(coef)_A"),
    (r"s^{\prime}\subseteq\{0,\dots,h-1\}", "s′ ⊆ {0, …, h - 1}"),
    (r"\left.M(y'\mid s)\right|", "M(y′ | s)|"),
    (r"((ax+b)\bmod P)\bmod m", "((ax + b) mod P) mod m"),
    (r"A=\begin{pmatrix}1&-1\\\frac12&0\end{pmatrix}", "A = [1 -1; 1/2 0]"),
    (r"-e^{-\epsilon|z|}", "-e^(-ε|z|)"),
    (r"r\in\mathbb N, \mathcal H, 0.5\ 1", "r ∈ ℕ, H, 0.5 1"),
)


@pytest.mark.parametrize(("tex", "text"), FORMULAS)
def test_formulas_are_text_on_one_line(tex: str, text: str) -> None:
    assert formula(tex) == text


def test_text_around_formulas_is_kept() -> None:
    assert terminal_text(r"1\% of `a_b`, $x\ge1$: $$y$$.") == "1% of `a_b`, x ≥ 1: y."
    with pytest.raises(DomainError, match=r"a formula without \\hbar"):
        terminal_text(r"$\hbar$")


def test_nothing_that_the_ledger_says_is_left_as_tex() -> None:
    ledger, statements = load_ledger(), all_statements()
    said = {str(text) for e in ledger.values() for text in (e.statement, e.data["place"], e.evidence["scope"])}
    said |= {
        one_line(statements[i], e.evidence.get("witness", {})) for i, e in ledger.items() if "witness" in e.evidence
    }
    texts = [terminal_text(text) for text in said]
    assert len(texts) > 1000
    assert [text for text in texts if re.search(r"[\\$]|\^\{", text)] == []
