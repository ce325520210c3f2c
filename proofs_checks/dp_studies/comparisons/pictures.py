"""Pictures of comparisons as files: exact until they are drawn, the same bytes every time."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from dp_checks.runtime.drawing import METADATA

STYLE: Any = {"svg.hashsalt": "dp-refimpl", "svg.fonttype": "none", "font.size": 9}


def picture(kind: str, draw: Callable[..., Figure], *arguments: object) -> bytes:
    """A file of this kind (svg or png), drawn of what is shown."""
    buffer = BytesIO()
    with rc_context(STYLE):
        draw(*arguments).savefig(buffer, format=kind, dpi=130, metadata=METADATA[kind])
    return buffer.getvalue()
