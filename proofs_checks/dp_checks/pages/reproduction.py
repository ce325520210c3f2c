"""The pictures of the documentation's page on Figures 1 to 4 of source 002: exact curves, no simulated points."""

from dp_checks.reproduce.s002.draw import pictures
from dp_checks.reproduce.s002.points import Calibration
from dp_checks.reproduce.s002.run import curves
from dp_checks.reproduce.s002.settings import figure

SHOWN: tuple[Calibration, ...] = ("paper", "joint")


def figures() -> dict[str, bytes]:
    """SVG files by name."""
    shown = [curves(figure(number), calibration) for calibration in SHOWN for number in (1, 2, 3, 4)]
    drawn = pictures({"figures": shown, "points": {}}, kinds=("svg",))
    return {f"reproduce-{name}": content for name, content in drawn.items()}
