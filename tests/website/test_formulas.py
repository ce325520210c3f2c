"""Formulas of the documentation as MathML: what each construct becomes, and that no formula is left as it is."""

from runpy import run_path

import pytest

from structure.tree import ROOT

FORMULAS = run_path(str(ROOT / "docs" / "formulas.py"))
SET = {
    r"\frac12": "<mfrac><mn>1</mn><mn>2</mn></mfrac>",
    r"\binom{K}{k}": '<mfrac linethickness="0"><mi>K</mi><mi>k</mi></mfrac>',
    r"e^{\epsilon}": "<msup><mi>e</mi><mi>ϵ</mi></msup>",
    r"\hat f_x": '<mover accent="true">',
    r"\sum_{i=1}^n i": "<munderover>",
    r"X_{\rm sen}": "<mi>sen</mi>",
    r"\mathrm{MSE}": "<mi>MSE</mi>",
    r"x\text{ if }y": "<mtext>\u00a0if\u00a0</mtext>",
    r"\begin{gathered} a \\ b \end{gathered}": "<mtr><mtd><mi>a</mi></mtd></mtr><mtr>",
    r"\begin{cases} a \\ b \end{cases}": ">{</mo>",
    r"\begin{pmatrix} a & b \end{pmatrix}": "<mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd>",
}
WRONG = [r"\unknown x", r"\frac{1}{", "a_1_2", r"\begin{gathered} a", r"\left( a"]


@pytest.mark.parametrize("text", SET)
def test_a_formula_is_set(text: str) -> None:
    markup = FORMULAS["mathml"](text, True)
    assert SET[text] in markup
    assert "\\" not in markup


@pytest.mark.parametrize("text", WRONG)
def test_a_formula_that_cannot_be_set_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(FORMULAS["FormulaError"]) as caught:
        FORMULAS["mathml"](text, False)
    assert f"in {text}" in str(caught.value)
