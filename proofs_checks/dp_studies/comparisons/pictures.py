"""Pictures of comparisons as files: exact until they are drawn, the same bytes every time."""

from collections.abc import Callable
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from dp_checks.runtime.drawing import content

STYLE: Any = {"svg.hashsalt": "dp-refimpl", "svg.fonttype": "none", "font.size": 9}


def picture(kind: str, draw: Callable[..., Figure], *arguments: object) -> bytes:
    """A file of this kind (svg or png), drawn of what is shown."""
    with rc_context(STYLE):
        return content(draw(*arguments), kind)
