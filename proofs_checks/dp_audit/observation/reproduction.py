"""Lines of Python that show a deviation: they call what was audited on `{input}`, its server on `{reports}`."""

import math
import re
from collections.abc import Sequence

from dp_spec.vocabulary.items import Item

_SHOWN = re.compile(r"repr\((.*)\) for _ in ")


def of_one_client(lines: Sequence[str], inputs: str) -> tuple[str, ...]:
    """Return lines that show reports on `{input}` changed to show those of one client on some inputs in turn."""
    match = _SHOWN.search(lines[-1])
    if match is None:
        return ()
    call, alone = match[1].replace("{input}", "x"), PRIVATIZE.partition("{input}")[0]
    turns = f"[{call} for x in {inputs}]"
    if call.startswith(alone):
        again = f"adapter.privatize(client, {call.removeprefix(alone)}"
        turns = f"(lambda client: [{again} for x in {inputs}])(adapter.client())"
    return (*lines[:-1], lines[-1].replace(match[1], turns))


def with_numpy(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines that import numpy, if they name it."""
    if not any("numpy." in line for line in lines):
        return tuple(lines)
    return (f"import numpy; {lines[0]}", *lines[1:])


PRIVATIZE = "adapter.privatize(adapter.client(), {input})"


def expression(item: Item) -> str:
    """Return an input as a Python expression."""
    if isinstance(item, tuple):
        return "(" + ", ".join(map(expression, item)) + ("," if len(item) == 1 else "") + ")"
    if isinstance(item, float) and not math.isfinite(item):
        return f"float({str(item)!r})"
    return repr(item)
