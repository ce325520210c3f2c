"""What smartnoise-sql hands to its mechanisms: a file that `audit map` runs in the environment of the library.

A query is answered by mechanisms with noise of a scale, and the library says what epsilon they cost together. Here
they do not add the noise: they record their scale and the value. `NAMES` are the instances of `smartnoise_sql.toml`
beside this file.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from runpy import run_path
from typing import Any


@dataclass(frozen=True)
class Query:
    """A query of a table R with these columns, of which each has a type and bounds; neighbors differ by one row."""

    text: str
    columns: Mapping[str, Mapping[str, Any]]
    epsilon: float = 1.0

    def reader(self, member: Sequence[Any]) -> Any:
        """Return the library's reader of a list of rows."""
        import pandas  # type: ignore[import-untyped]
        import snsql  # type: ignore[import-not-found]

        frame = pandas.DataFrame(list(member), columns=list(self.columns))
        table = {"row_privacy": True, **self.columns}
        return snsql.from_df(frame, privacy=snsql.Privacy(epsilon=self.epsilon), metadata={"": {"T": {"R": table}}})

    def cost(self) -> float:
        """Return the epsilon that the library says the query costs."""
        return float(self.reader(()).get_privacy_cost(self.text)[0])


def calls(query: Query, member: Sequence[Any]) -> list[tuple[float, float]]:
    """The scale of every mechanism that answers the query, and the value that it would make noisy.

    Raises `RuntimeError` unless all mechanisms that the library counts are seen.
    """
    made: list[tuple[float, float]] = []
    reader = query.reader(member)
    with _replaced(made), warnings.catch_warnings(action="ignore"):
        reader.execute(query.text)
    if len(made) != len(reader._get_mechanism_costs(query.text)):
        raise RuntimeError(f"other mechanisms answer than were replaced: {query.text}")
    return made


@contextmanager
def _replaced(made: list[tuple[float, float]]) -> Iterator[None]:
    from snsql.sql._mechanisms.laplace import Laplace  # type: ignore[import-not-found]

    def recorded(self: Any, values: Sequence[Any]) -> Sequence[Any]:
        made.extend((float(self.scale), float(value)) for value in values)
        return values

    kept = Laplace.release
    Laplace.release = recorded
    try:
        yield
    finally:
        Laplace.release = kept


def spent(query: Query, member: Sequence[Any]) -> list[float]:
    """Every value in the scale of its noise: the sum of what neighbors differ by is the epsilon that they spend."""
    return [value / scale for scale, value in calls(query, member)]


def handed(query: Query, member: Sequence[Any]) -> list[float]:
    """The scales, which are not noisy, and may not depend on the rows."""
    return [scale for scale, _ in calls(query, member)]


INSTANCES: Mapping[str, Any] = run_path(str(Path(__file__).with_name("instances.py")))["instances"](
    __file__, {each.__name__: each for each in (Query, spent, handed)}
)
NAMES = tuple(INSTANCES)
globals().update(INSTANCES)
