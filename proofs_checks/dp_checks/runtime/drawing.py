"""How pictures are made of a document: in one style, the same bytes every time, as short as a browser reads them."""

import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from matplotlib.figure import Figure

from dp_checks.runtime.outputs import write_file

STYLE: Any = {
    "svg.hashsalt": "dp-refimpl",
    "svg.fonttype": "none",  # letters are text, not drawings of letters
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 9,
    "axes.titlesize": 10,
}
METADATA: Mapping[str, Any] = {
    "png": {"Software": None},
    "svg": dict.fromkeys(("Date", "Creator", "Format", "Type")),
}
"""Kinds of files, with what is left out of them."""
KINDS = tuple(METADATA)
SVG = "http://www.w3.org/2000/svg"
NUMBERS = ("d", "x", "y", "width", "height", "points", "x1", "y1", "x2", "y2")
"""Attributes that are coordinates: a hundredth of a point is enough for them."""
DRAWN = tuple(f"{{{SVG}}}{name}" for name in ("path", "use", "text"))
INHERITED = (
    *("fill", "font-size", "font-style", "text-anchor", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap"),
    *("stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit"),
)
"""What is gathered in groups, and which parts of its look it has from a group."""
FONTS = re.compile(r"font-family: ('DejaVu Sans'(?:, [^;]*)?)(; |$)")
"""The list of fonts of letters (of formulas its first one), which stands once, in the whole picture."""
_LONG = re.compile(r"-?\d+\.\d{3,}")
_UNTURNED = re.compile(r"rotate\(-?0( [-\d. ]+)?\)")
_STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")


def files(name: str, drawn: Figure, kinds: Sequence[str]) -> dict[str, bytes]:
    """File names and contents, one for each kind. To be called in the style that the figure was drawn in."""
    laid_out(drawn)
    return {f"{name}.{kind}": content(drawn, kind) for kind in kinds}


def content(drawn: Figure, kind: str, transparent: bool = False) -> bytes:
    """The file of one kind. To be called in the style that the figure was drawn in."""
    buffer = BytesIO()
    drawn.savefig(buffer, format=kind, dpi=130, metadata=METADATA[kind], transparent=transparent)
    return shortened(buffer.getvalue()) if kind == "svg" else buffer.getvalue()


def laid_out(drawn: Figure) -> Figure:
    """The same figure, its layout found once and for all: it takes longer than to draw, and would be found for each."""
    if engine := drawn.get_layout_engine():
        engine.execute(drawn)
        drawn.set_layout_engine(None)
    return drawn


def write_all(pictures: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write the pictures."""
    for name, data in pictures.items():
        write_file(folder / name, data)
    return [folder / name for name in pictures]


def shortened(svg: bytes) -> bytes:
    """The same picture, to a hundredth of a point: without names that nothing refers to, the list of fonts once."""
    for prefix, address in (("", SVG), ("xlink", "http://www.w3.org/1999/xlink")):
        ElementTree.register_namespace(prefix, address)
    root = ElementTree.fromstring(svg)
    used = set(re.findall(r"#([\w.-]+)", svg.decode()))
    styles = [element.get("style", "") for element in root.iter()]
    fonts = max((listed[1] for style in styles if (listed := FONTS.search(style))), key=len, default="")
    for element in root.iter():
        _shorten(element, used)
    _flatten(root)
    _gather(root)
    if fonts:
        root.set("font-family", fonts)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _shorten(element: Element, used: set[str]) -> None:
    if element.get("id") not in used:
        element.attrib.pop("id", None)
    for name in NUMBERS:
        if name in element.attrib:
            element.set(name, _LONG.sub(_hundredths, element.attrib[name]))
    if "d" in element.attrib:
        element.set("d", _path(element.attrib["d"]))
    if "transform" in element.attrib and not _UNTURNED.sub("", element.attrib["transform"]).strip():
        del element.attrib["transform"]
    if "style" in element.attrib:
        element.set("style", FONTS.sub("", element.attrib["style"]).strip("; ").replace("; ", ";").replace(": ", ":"))
    if not (element.text or "").strip():
        element.text = None
    if not (element.tail or "").strip():
        element.tail = None


def _hundredths(number: re.Match[str]) -> str:
    short = f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _path(steps: str) -> str:
    """A path, its letters only where they change, of lines along an axis the number that changes."""
    written, before, at = "", "", ["", ""]
    for letter, numbers in _STEP.findall(steps):
        point = numbers.split()
        same = [letter == "L" and old == new for old, new in zip(at, point, strict=False)]
        at = point[-2:]
        if any(same):
            letter, point = ("H", point[:1]) if same[1] else ("V", point[1:])
        written += (" " if letter == before else letter) + " ".join(point)
        before = letter
    return written


def _flatten(parent: Element) -> None:
    """Put the parts of a group that says nothing of them in its place."""
    for child in [*parent]:
        _flatten(child)
    parts = [[*child] if child.tag == f"{{{SVG}}}g" and not child.attrib else [child] for child in parent]
    parent[:] = [part for group in parts for part in group]


def _gather(parent: Element) -> None:
    """Say once, in a group, what neighbors have in common: where they are cut, and how they are drawn."""
    for child in parent:
        _gather(child)
    gathered: list[Element] = []
    for _, same in groupby(parent, _look):
        run = [*same]
        own = [part for part in _parts(run[0]) if part.partition(":")[0] in INHERITED]
        common = [part for part in own if all(part in _parts(element) for element in run)]
        looks = {"clip-path": run[0].get("clip-path", ""), "style": ";".join(common)}
        if len(run) > 2 and run[0].tag in DRAWN and any(looks.values()):
            group = Element(f"{{{SVG}}}g", {name: look for name, look in looks.items() if look})
            for element in run:
                rest = ";".join(part for part in _parts(element) if part not in common)
                element.attrib.pop("clip-path", None)
                element.attrib.pop("style", None)
                element.attrib.update({"style": rest} if rest else {})
                group.append(element)
            run = [group]
        gathered += run
    parent[:] = gathered


def _look(element: Element) -> tuple[str, str | None, tuple[str, ...]]:
    drawn = tuple(part for part in _parts(element) if not part.startswith("fill:"))
    return element.tag, element.get("clip-path"), drawn


def _parts(element: Element) -> list[str]:
    return element.attrib["style"].split(";") if "style" in element.attrib else []
