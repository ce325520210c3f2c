"""The certificate format: its fields, every type of statement the kernel knows, and every kind of evidence."""

import inspect

from dp_checks.pages.evidence import EVIDENCE, explained
from dp_checks.pages.notation import table
from dp_kernel.certificate.check import FORMAT, KINDS

TIES = (
    "for every law of the statement: the SHA-256 of the law as canonical JSON (names sorted, no spaces), where the "
    "program was enumerated and found to have it (sizes for every $\\epsilon$, or a value of the base and hash "
    "values), and the SHA-256 of the program's tables there; the kernel sees that no law is without one, "
    "`dp-refimpl verify --replay` runs the programs again"
)
FIELDS = (
    ("format", f"`{FORMAT}`"),
    ("id", "the id of the claim or reading"),
    ("statement", "what is claimed, as data: `type` and the fields below it; formulas are expression trees"),
    ("verdict", "`proved`, `verified`, `refuted` or `ill_posed` (`unchecked` has nothing to certify)"),
    ("evidence", "what the kernel needs to see it: the name of a rule, multipliers, a witness, a channel"),
    ("cards", "the theorems taken on trust that checking it applies, each by its name; the kernel compares"),
    ("ties", TIES),
    ("work", "optional: the units of work that checking takes, where they are more than the kernel spends by default"),
)
TREES = (
    ("`7`, `-1`", "an integer"),
    ('`"K"`', "a variable"),
    ('`["add", a, b]`', "$a+b$; likewise `sub`, `mul`, `div`, `pow`"),
    ('`["neg", a]`', "$-a$"),
    ('`["min", a, b, ...]`', "the smallest"),
    ('`["binom", n, k]`', "$\\binom{n}{k}$"),
    ('`["floor", a]`', "$\\lfloor a\\rfloor$"),
    ('`["exptrunc", m, x]`', "$\\sum_{j=0}^{m} x^j/j!$"),
    (
        '`["sum", "x", a, b, c]`',
        "$\\sum_{x=a}^{b} c$ for whole numbers $a$, $b$: added up at points, elsewhere by the forms in `sums`",
    ),
    ('`["exp", x]`', "$e^x$; likewise `log`: decided by rational enclosures only"),
)


def page() -> list[str]:
    """The page."""
    lines = ["# Certificate format", "", LEAD, "", *table(["Field", "Content"], [[f"`{n}`", t] for n, t in FIELDS])]
    lines += ["## Expression trees", "", *table(["JSON", "Meaning"], TREES), AFTER, ""]
    lines += ["## Types of statements", "", "The kernel's own words, by the name that `statement.type` has:", ""]
    for name, kind in sorted(KINDS.items()):
        lines += [f"`{name}`", f": {_described(kind.rule)}", ""]
    lines += ["## Kinds of evidence", "", EVIDENCE_LEAD, ""]
    for words, text in EVIDENCE.items():
        lines += [f"({explained(words)})=", f"{words}", f": {text}", ""]
    return lines


LEAD = (
    "A certificate is a JSON file with exactly the fields below. `dp-refimpl certify` writes one for every decided "
    "statement; they are build output and not committed. How to re-check one: [](/guide/recheck.md). What "
    "acceptance does not show: [](/guide/trust.md)."
)
AFTER = (
    'Exact numbers are strings such as `"3/2"`. Items are integers: $0,\\dots,K-1$ are sensitive, '
    "$K,\\dots,K+N-1$ are not. An output is `[y0, I]`."
)
EVIDENCE_LEAD = "What the ledger and the specification call the evidence, and what it amounts to:"


def _described(check: object) -> str:
    text = inspect.cleandoc(getattr(check, "__doc__", None) or "").replace("*", r"\*")
    return "\n  ".join(line for line in text.splitlines() if line)
