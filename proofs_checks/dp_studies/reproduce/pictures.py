"""Pictures of a reproduction: exact lines, simulated points with their intervals, the same bytes every time.

The module `draw` of a source lists its pictures as functions that draw them, with what they show.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dp_checks.runtime.drawing import KINDS, STYLE, files, write_all
from dp_checks.runtime.parallel import HERE, Workers, spread

Document = Mapping[str, Any]
Points = Sequence[Document]
GRAY = "#444444"
_FAR = 6
"""Intervals without an upper end are drawn up to so many times the mean, as arrows."""


class Drawing(NamedTuple):
    """The name of a picture, and the function that draws it of these arguments; all of it is pickled."""

    name: str
    function: Callable[..., Figure]
    arguments: tuple[Any, ...]


def pictures(drawings: Iterable[Drawing], by: Workers = HERE, kinds: Sequence[str] = KINDS) -> dict[str, bytes]:
    """File names and contents: a PNG and an SVG (or files of other kinds) of every picture."""
    images: dict[str, bytes] = {}
    for drawn in spread(partial(_files, kinds), list(drawings), by):
        images |= drawn
    return dict(sorted(images.items()))


def write(drawings: Iterable[Drawing], folder: Path, by: Workers = HERE) -> list[Path]:
    """Write the pictures."""
    return write_all(pictures(drawings, by), folder)


def _files(kinds: Sequence[str], drawing: Drawing) -> dict[str, bytes]:
    with rc_context(STYLE):
        return files(drawing.name, drawing.function(*drawing.arguments), kinds)


@dataclass(frozen=True)
class Mark:
    """How a simulated mean looks: the sizes of its marker where the exact value is inside and outside."""

    color: str
    marker: str = "o"
    sizes: tuple[float, float] = (4.0, 9.0)

    def draw(self, axes: Axes, place: tuple[float, float], inside: bool, zorder: int) -> None:
        """Filled, or large and empty where the exact value is outside."""
        face, size = (self.color, self.sizes[0]) if inside else ("none", self.sizes[1])
        (x, mean), looks = place, dict[str, Any](color=self.color, markerfacecolor=face, markersize=size)
        axes.plot([x], [mean], self.marker, zorder=zorder, **looks)

    def arrow(self, axes: Axes, place: tuple[float, float]) -> None:
        """An interval without an upper end."""
        x, mean = place
        axes.annotate("", (x, mean * _FAR), (x, mean), arrowprops={"arrowstyle": "->", "color": self.color, "lw": 0.8})


def legend(drawn: Figure, handles: Sequence[Artist]) -> None:
    """Below the picture."""
    drawn.legend(handles=list(handles), loc="outside lower center", ncols=4, frameon=False, fontsize=8)


def fraction(text: str) -> float:
    """A number as written: an integer, a decimal number, or a fraction of two."""
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)
