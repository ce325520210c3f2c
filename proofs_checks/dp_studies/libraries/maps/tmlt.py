"""Declared maps of tmlt-core, read off its objects: a file that `audit map` runs in the environment of the library.

`NAMES` are the instances of `tmlt.toml` beside this file. Data frames are those of Spark, which wants a Java runtime;
measurements need none. Of a measurement the law is assumed, not observed: its row says so.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, prod
from pathlib import Path
from runpy import run_path
from typing import Any

METRICS = {
    "SymmetricDifference": "symmetric",
    "HammingDistance": "change-one",
    "AbsoluteDifference": "absolute",
    "SumOf AbsoluteDifference": "L1",
    "RootSumOfSquared AbsoluteDifference": "L2",
    "SumOf SymmetricDifference": "L1 of symmetric",
    "RootSumOfSquared SymmetricDifference": "L2 of symmetric",
    "PureDP": "max-divergence",
    "RhoZCDP": "zero-concentrated",
    "ApproxDP": "max-divergence",
}
"""What metrics and measures are called here. Both of data sets look at multisets; of records with identifiers, at
identifiers with all their records (`owners`)."""

Rows = Sequence[tuple[Any, ...]]
Law = Mapping[Any, Fraction]
ONE = Fraction(1)


def metric(described: object) -> str:
    """The name of a metric or measure that an object of the library says; columns are where the members have them."""
    words = re.findall(r"\w+(?=\()", re.sub(r"'[^']*'|(OnColumn|IfGroupedBy)\(", "", repr(described)))
    return METRICS[" ".join(words)]


def exact(number: Any) -> Any:
    """An exact number of the library: a fraction, or the next double above."""
    if not number.is_finite:
        return inf
    if number.expr.is_Rational:
        return Fraction(int(number.expr.p), int(number.expr.q))
    return number.to_float(round_up=True)


def asked(distance: Any) -> Any:
    """A distance as the library takes it, exactly."""
    import sympy  # type: ignore[import-not-found]

    return sympy.Rational(distance.numerator, distance.denominator)


# --- data frames ------------------------------------------------------------------------------------------------------


@cache
def session() -> Any:
    """The small session of Spark, the first time started. Raises `RuntimeError` without a Java runtime."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise RuntimeError("data frames of tmlt-core are those of Spark, which needs a Java runtime (java on the PATH)")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.ui.showConsoleProgress": "false",
    }
    settings = " ".join(f"--conf {name}={value}" for name, value in options.items())
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--master local[1] {settings} pyspark-shell"
    from pyspark.sql import SparkSession  # type: ignore[import-not-found]

    return SparkSession.builder.getOrCreate()


def frame(domain: Any, member: Rows) -> Any:
    """A data frame of these records, in this order; its values are written in SQL."""
    schema = domain.spark_schema
    if not member:
        return session().createDataFrame([], schema)
    columns = ", ".join(f"cast({field.name} as {field.dataType.simpleString()}) {field.name}" for field in schema)
    values = ", ".join("(" + ", ".join(map(_literal, row)) + ")" for row in member)
    return session().sql(f"select {columns} from values {values} as t({', '.join(domain.schema)})")


def _literal(value: Any) -> str:
    return "null" if value is None else f"'{value}'"


def rows(data: Any) -> list[tuple[Any, ...]]:
    """The records of a data frame."""
    return [tuple(row) for row in data.collect()]


def owners(member: Rows, *places: int) -> list[Any]:
    """Identifiers, which stand at these places of a record, each with its records: what one of them owns is one
    record of the metric."""
    return [[key, sorted(of, key=repr)] for key, of in parts(member, *places).items()]


def parts(member: Rows, *places: int) -> dict[Any, list[Any]]:
    """Records by what stands at these places."""
    made: dict[Any, list[Any]] = {}
    for row in member:
        made.setdefault(tuple(row[place] for place in places), []).append(row)
    return made


def whole(member: Any) -> list[Any]:
    """The records of all owners, or of all parts."""
    return [row for _, of in (member.items() if isinstance(member, dict) else member) for row in of]


def validates(domain: Any, value: Any) -> bool:
    """Whether the library takes a value for a member of a domain."""
    domain.validate(value)
    return True


def splits(declared: Callable[[Any, Any], Any], distance: Any) -> Any:
    """The largest number declared of two tables whose distances have this sum."""
    return max(exact(declared(first, distance - first)) for first in range(int(distance) + 1))


# --- laws, of budgets of which e^epsilon is rational ------------------------------------------------------------------


def geometric(base: int, value: int, ends: int = 3) -> Law:
    """The law of two-sided geometric noise, mass proportional to base^-|k|, cut to -ends ... ends by its user."""
    ratio = Fraction(1, base)
    law = {y: (1 - ratio) / (1 + ratio) * ratio ** abs(y - value) for y in range(-ends + 1, ends)}
    law[ends], law[-ends] = ratio ** (ends - value) / (1 + ratio), ratio ** (ends + value) / (1 + ratio)
    return law


def both(*laws: Law) -> Law:
    """The law of independent answers."""
    return {
        tuple(y for y, _ in each): prod((p for _, p in each), start=ONE)
        for each in product(*(law.items() for law in laws))
    }


def quantile(made: Any, base: int, member: Iterable[int]) -> Law:
    """The law of a quantile between integers: a unit between two of them weighs base^-|rank - target|, where base is
    e^(epsilon / (2 times the larger part)); ranks are those of the intervals that the library makes."""
    from tmlt.core.measurements.pandas_measurements import series  # type: ignore[import-not-found]

    values = list(member)
    target = Fraction(made.quantile) * len(values)
    weights = {}
    for interval in series._get_intervals_with_ranks(values, made.lower, made.upper):
        rank, low, high = (int(float(part)) for part in interval)
        power = abs(rank - target) * 2
        weights.update({unit: Fraction(1, base ** int(power)) for unit in range(low, high)})
    return {unit: weight / sum(weights.values()) for unit, weight in weights.items()}


FRAMES = (session, frame, rows, owners, parts, whole)
NUMBERS = (metric, exact, asked, validates, splits)
LAWS = (geometric, both, quantile)
INSTANCES: Mapping[str, Any] = run_path(str(Path(__file__).with_name("instances.py")))["instances"](
    __file__, {each.__name__: each for each in (*FRAMES, *NUMBERS, *LAWS)}
)
NAMES = tuple(INSTANCES)
globals().update(INSTANCES)
