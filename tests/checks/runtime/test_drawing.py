"""Pictures are written short: what is drawn stays, to a hundredth of a point, and what is written stays as it is."""

import re
from xml.etree import ElementTree

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

from dp_checks.runtime.drawing import STYLE, SVG, content, shortened

HEAD = f'<svg xmlns="{SVG}" xmlns:xlink="http://www.w3.org/1999/xlink">'
FONT = "font-family: 'DejaVu Sans', 'Verdana', sans-serif"
PARTS = {
    '<path d="M 0 3 \nL 1.23456 3 \nL 2 -0.001 \nz\n"/>': '<path d="M0 3H1.23L2 0z" />',
    '<path d="M 1 2 C 1 2 3 4 5 6 C 1 2 3 4 5 6.5"/>': '<path d="M1 2C1 2 3 4 5 6 1 2 3 4 5 6.5" />',
    '<path d="M 0 3 L 1 3 L 1 4 L 2 4 L 2 5 L 2 6 L 3 7 L 4 8 z"/>': '<path d="M0 3H1V4H2V5 6L3 7 4 8z" />',
    '<path d="M 0 0 L 3 0 z M 3 0 L 3 1"/>': '<path d="M0 0H3zM3 0V1" />',
    '<g id="axes_1"><g id="patch_1">\n <path d="M 0 0"/></g></g>': '<path d="M0 0" />',
    '<g style="fill: none; stroke: #102030"><path d="M 0 0"/></g>': (
        '<g style="fill:none;stroke:#102030"><path d="M0 0" /></g>'
    ),
    '<path id="m1" d="M 0 0"/><use xlink:href="#m1" x="1.005001" y="2"/>': (
        '<path id="m1" d="M0 0" /><use xlink:href="#m1" x="1.01" y="2" />'
    ),
    '<text x="1" y="2" transform="rotate(-0 1 2)">0.123456 &lt; 1</text>': '<text x="1" y="2">0.123456 &lt; 1</text>',
    '<text transform="rotate(-90 1 2)">up</text>': '<text transform="rotate(-90 1 2)">up</text>',
    '<path d="M 0 1" style="fill: red; stroke: blue"/>' * 3: (
        '<g style="fill:red;stroke:blue"><path d="M0 1" /><path d="M0 1" /><path d="M0 1" /></g>'
    ),
    "".join(
        f'<path d="M 0 1" clip-path="url(#p)" style="fill: {color}; opacity: 0.5"/>' for color in ("red", "blue", "red")
    ): (
        '<g clip-path="url(#p)"><path d="M0 1" style="fill:red;opacity:0.5" />'
        '<path d="M0 1" style="fill:blue;opacity:0.5" /><path d="M0 1" style="fill:red;opacity:0.5" /></g>'
    ),
    '<path d="M 0 1" style="fill: red"/>' * 2: '<path d="M0 1" style="fill:red" />' * 2,
    "<!-- p --><text>  p  </text>": "<text>  p  </text>",
}


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_written_short(part: str) -> None:
    assert shortened(f"{HEAD}{part}</svg>".encode()).decode().partition(">")[2].partition(">")[2] == (
        f"{PARTS[part]}</svg>\n"
    )


def test_the_list_of_fonts_stands_once_and_other_fonts_stay() -> None:
    text = f'<text style="font-size: 9px; {FONT}; fill: red">a</text><text style="font-family: \'Other\'">b</text>'
    short = shortened(f"{HEAD}{text}</svg>".encode()).decode()
    assert "font-family=\"'DejaVu Sans', 'Verdana', sans-serif\"" in short
    assert short.count("DejaVu") == 1
    assert 'style="font-size:9px;fill:red"' in short
    assert "style=\"font-family:'Other'\"" in short


def test_a_drawn_figure_keeps_its_letters_and_what_it_refers_to() -> None:
    figure = Figure(figsize=(3, 2))
    axes = figure.subplots()
    axes.plot([1, 2, 3], [1, 4, 2], marker="o", label="0.123456")
    axes.legend()
    axes.set_title("first")
    axes.set_ylabel("second")
    with rc_context(STYLE):
        drawn = content(figure, "svg")
        assert drawn == content(figure, "svg")
    root = ElementTree.fromstring(drawn)
    assert {"first", "second", "0.123456"} <= {text.text for text in root.iter(f"{{{SVG}}}text")}
    ids = {element.get("id") for element in root.iter()} - {None}
    assert set(re.findall(rb"#([a-z]\w{10})", drawn)) == {str(name).encode() for name in ids} != set()
