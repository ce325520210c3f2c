"""Libraries of the npm registry: differential-privacy 1.1.2 and weighted-random 0.1.0, asked through the protocol."""

from dp_studies.libraries.base import Audited, Library, Repair

LAPLACE: dict[str, object] = {"sensitivity": 1, "epsilon": 1.0, "low": -3, "high": 6}
SELECTION: dict[str, object] = {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1}
SCALE = (
    "`Decimal.ln` in place of `Decimal.log`, which is the logarithm to base 10; and the sensitivity as an argument: "
    "the largest minus the smallest value on the data set without one record is no sensitivity on all data sets, and "
    "for a count it is 0"
)
MAKE = (
    "Object.defineProperty(globalThis, 'crypto', {value: globalThis.crypto, writable: true}); "
    "const {privatize, newArrayView} = require('differential-privacy');"
)


def _one(adapter: str, values: tuple[int, int], query: str, data: str, expression: str, what: str) -> Audited:
    return Audited(
        adapter,
        "Laplace",
        ({"values": values, **LAPLACE},),
        method="process",
        outside=(),
        repair=Repair(
            SCALE,
            "repaired",
            (
                MAKE,
                f"const noisy = () => privatize({query}, {{maxEpsilon: 1, newShadowIterator: v => "
                f"v.newShadowIterator()}})(newArrayView({data})).then(r => r.result);",
                f"Promise.all(Array.from({{length: 10000}}, noisy)).then(xs => console.log({expression})); // {what}",
            ),
        ),
    )


SUM = "v => v.map(x => x).reduce((a, b) => a + b, 0)"
DIFFERENTIAL_PRIVACY = Library(
    name="differential-privacy",
    adapter="javascript.js",
    environment="javascript",
    protocols={
        "privatize, sum of bits": _one(
            "sum",
            (1, 2),
            SUM,
            "[1, 0, 0]",
            "xs.reduce((a, x) => a + Math.abs(x - 1), 0) / 10000",
            "1 / epsilon for Laplace noise, here 1",
        ),
        "privatize, sum of bits, one data set of ones": _one(
            "sum_of_equal", (1, 2), SUM, "[1, 1]", "new Set(xs)", "the true sum, and nothing else"
        ),
        "privatize, count": _one(
            "count",
            (2, 3),
            "v => v.map(() => 1).reduce((a, b) => a + b, 0)",
            "[0, 0]",
            "new Set(xs)",
            "the true count, and nothing else",
        ),
    },
    notes=(
        "as installed it cannot be loaded: tslib is not among its dependencies, and current node has a read-only "
        "crypto, which it assigns to; the audit installs the one and makes the other writable",
        "in JavaScript: tested statistically through the protocol, with nothing intercepted",
    ),
    without_oracle={"other queries": "any function of the data can be one; a sum and a count are audited"},
)
WEIGHTED_RANDOM = Library(
    name="weighted-random",
    adapter="javascript.js",
    environment="javascript",
    protocols={
        "exponential mechanism": Audited(
            "weighted",
            "Exponential",
            ({**SELECTION, "epsilon": 1.0}, {**SELECTION, "epsilon": 6.0}),
            method="process",
            outside=(),
        ),
    },
    notes=(
        "it promises no privacy: it draws an index by weights, here those of the exponential mechanism",
        "in JavaScript: tested statistically through the protocol, with nothing intercepted",
    ),
)
