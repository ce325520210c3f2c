"""Pictures of laws as inline SVG: the target's probabilities beside the oracle's, and their difference."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dp_audit.report.text import number
from dp_checks.runtime.drawing import content, laid_out
from dp_checks.runtime.escapes import printable

BARS = 12
"""With more outputs than this, laws are drawn as heat maps instead of bars."""
MOST_INPUTS, MOST_OUTPUTS = 16, 256
_TARGET, _ORACLE, _INK = "#d95f02", "#1f78b4", "#010203"
"""The last one stands for the color of the page's text."""
Law = Mapping[str, Mapping[str, float]]
_SETTINGS = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def picture(laws: Mapping[str, Mapping[str, Mapping[str, str]]], name: str) -> str:
    """Return the picture of a audit's laws as an SVG element whose ids begin with `name`; empty if there is nothing to
    draw.

    Laws with too many inputs or outputs to be told apart by eye are not drawn.
    """
    if not laws:
        return ""
    target, oracle = (
        {x: {y: number(p) for y, p in row.items()} for x, row in laws[k].items()} for k in ("target", "oracle")
    )
    outputs = list(dict.fromkeys(y for law in (oracle, target) for row in law.values() for y in row))
    inputs = list(target)
    if not inputs or len(inputs) > MOST_INPUTS or len(outputs) > MOST_OUTPUTS:
        return ""
    settings: Any = {**_SETTINGS, "svg.hashsalt": name}
    with mpl.rc_context(settings):
        draw = _bars if len(outputs) <= BARS else _maps
        return _svg(draw(target, oracle, inputs, outputs), name, _description(target, oracle, inputs, outputs))


def _bars(target: Law, oracle: Law, inputs: Sequence[str], outputs: Sequence[str]) -> Figure:
    """Return a panel for each input, a pair of bars for each output."""
    columns = min(len(inputs), 4)
    rows = -(-len(inputs) // columns)
    figure = Figure(figsize=(min(2.2 * columns + 0.6, 10), 1.8 * rows + 0.6), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for i, axes in enumerate(panels.flat):
        if i >= len(inputs):
            axes.set_axis_off()
            continue
        x = inputs[i]
        for law, color, shift in ((target, _TARGET, -0.2), (oracle, _ORACLE, 0.2)):
            heights = [law.get(x, {}).get(y, 0.0) for y in outputs]
            axes.bar([j + shift for j in range(len(outputs))], heights, 0.4, color=color)
        axes.set_title(f"input {_label(x)}")
        _ticks(axes, outputs)
    handles = [mpl.patches.Patch(color=color) for color in (_TARGET, _ORACLE)]
    figure.legend(handles, ["audited", "oracle"], loc="outside lower center", ncols=2, frameon=False)
    return figure


def _maps(target: Law, oracle: Law, inputs: Sequence[str], outputs: Sequence[str]) -> Figure:
    """Return three heat maps: audited, oracle, difference."""
    ours, theirs = ([[law.get(x, {}).get(y, 0.0) for y in outputs] for x in inputs] for law in (oracle, target))
    gaps = [[b - a for a, b in zip(p, q, strict=True)] for p, q in zip(ours, theirs, strict=True)]
    figure = Figure(figsize=(9, 1.1 + 3 * (0.6 + 0.16 * len(inputs))), layout="constrained")
    top = max(max(map(max, ours)), max(map(max, theirs)))
    edge = max(max(map(abs, row)) for row in gaps) or 1.0
    panels = (("audited", theirs, "viridis", 0.0, top), ("oracle", ours, "viridis", 0.0, top))
    drawn = (*panels, ("audited minus oracle", gaps, "PuOr", -edge, edge))
    for axes, (title, values, colors, low, high) in zip(figure.subplots(3, 1), drawn, strict=True):
        image = axes.pcolormesh(values, cmap=colors, vmin=low, vmax=high)
        axes.set_title(title, loc="left")
        axes.set_yticks([i + 0.5 for i in range(len(inputs))], [_label(x) for x in inputs])
        axes.set_xticks([])
        axes.invert_yaxis()
        axes.set_ylabel("input")
        figure.colorbar(image, ax=axes, aspect=8)
    axes.set_xlabel(f"the {len(outputs)} outputs, in the order of the table")
    return figure


def _ticks(axes: Axes, outputs: Sequence[str]) -> None:
    labels = [_label(y) for y in outputs]
    steep = max(map(len, labels)) > 2
    axes.set_xticks(range(len(outputs)), labels, rotation=90 if steep else 0)


def _label(text: str) -> str:
    text = printable(text)
    return text if len(text) <= 16 else text[:15] + "…"


def _description(target: Law, oracle: Law, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    gaps = {(x, y): abs(target[x].get(y, 0.0) - oracle.get(x, {}).get(y, 0.0)) for x in inputs for y in outputs}
    x, y = max(gaps, key=gaps.__getitem__)
    return (
        f"Probabilities of {len(outputs)} outputs for {len(inputs)} inputs, audited and of the oracle; "
        f"the largest difference is {gaps[x, y]:.3g}, for input {_label(x)} and output {_label(y)}"
    )


def _svg(figure: Figure, name: str, description: str) -> str:
    svg = content(laid_out(figure), "svg", transparent=True).decode()
    svg = svg[svg.index("<svg") :].replace(_INK, "currentColor")
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)  # ids are unique in a page with several pictures
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1))
    title = f"{name}-title"
    said = description.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    head = f'<svg role="img" aria-labelledby="{title}"'
    svg = svg.replace("<svg", head, 1)
    end = svg.index(">") + 1
    return f'{svg[:end]}<title id="{title}">{said}</title>{svg[end:]}'
