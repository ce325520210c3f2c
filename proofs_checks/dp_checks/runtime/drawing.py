"""How pictures are made of a document: in one style, the same bytes every time."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

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
METADATA: Mapping[str, Any] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
"""Kinds of files, with what is left out of them."""
KINDS = tuple(METADATA)


def files(name: str, drawn: Figure, kinds: Sequence[str]) -> dict[str, bytes]:
    """File names and contents, one for each kind. To be called in the style that the figure was drawn in."""
    contents = {}
    laid_out(drawn)
    for kind in kinds:
        buffer = BytesIO()
        drawn.savefig(buffer, format=kind, dpi=130, metadata=METADATA[kind])
        contents[f"{name}.{kind}"] = buffer.getvalue()
    return contents


def laid_out(drawn: Figure) -> Figure:
    """The same figure, its layout found once and for all: it takes longer than to draw, and would be found for each."""
    if engine := drawn.get_layout_engine():
        engine.execute(drawn)
        drawn.set_layout_engine(None)
    return drawn


def write_all(content: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write the pictures."""
    for name, data in content.items():
        write_file(folder / name, data)
    return [folder / name for name in content]
