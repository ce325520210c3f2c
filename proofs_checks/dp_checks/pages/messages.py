"""Statements and counterexamples about users who send several messages, in words."""

from collections.abc import Mapping
from typing import Any

from dp_checks.pages.domains import constraint
from dp_checks.pages.estimators import MOMENTS, estimated, moment, ratio, smallest
from dp_checks.pages.notation import display, exact, indefinite, latex
from dp_checks.pages.subjects import Words, followed
from dp_checks.registry import Key
from dp_spec.vocabulary.error_statements import Mean, Variance
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Mse, Ratio, Smallest, Statement, Unbiased
from dp_spec.vocabulary.term import var

Data = Mapping[str, Any]
MECHANISMS = {
    "messages-grr": "every user sends the output of randomized response on $K$ items and $c$ uniform dummies",
    "messages-plain": "every user sends the item and $c$ uniform dummies",
    "messages-shared": "every user sends a randomized response to one of $b$ labels and $c$ uniform labels, all with "
    "one public function",
    "messages-fresh": "every user sends a randomized response to one of $b$ labels and $c$ uniform labels, each with a "
    "public function of its own",
    "messages-aue": r"every user sends the item and, for each of $K$ items, one more message with chance $\rho$",
}


def estimate(statement: Unbiased) -> str:
    """The estimator as LaTeX."""
    return rf"\hat f_x = {latex(estimated(statement.estimator))}"


def _estimate(statement: Unbiased) -> list[str]:
    return ["With $F_x$ the number of messages that support $x$, the estimator", "", *display(estimate(statement))]


def _unbiased(statement: Unbiased) -> list[str]:
    return [*_estimate(statement), "is unbiased for every data set.", ""]


def _moment(statement: Mse) -> list[str]:
    assert statement.formula is not None
    lead = f"has for every data set of $n$ users the {MOMENTS[statement.type][0]}"
    return [*_estimate(statement), lead, "", *moment(statement, latex(statement.formula))]


def _about(statement: Any) -> list[str]:
    law: Law = statement.law
    words = [MECHANISMS.get(law.mechanism, f"law `{law.mechanism}`")]
    if law.families:
        words.append(f"any two items have the same label with chance ${latex(next(iter(law.families.values())))}$")
    where = [constraint(c) for c in statement.where]
    words += [f"where {indefinite(where)}"] if where else []
    words += [f"${latex(var(name))}\\ge{least}$" for name, least in law.integers.items()]
    words += [f"for every $0<{latex(var(name))}<1$" for name in law.parameters]
    return [f"*{'; '.join(words)}; every $\\epsilon>0$.*", ""]


def one_line(statement: Statement, data: Data) -> str | None:
    """A refutation in one line; None for other statements."""
    law = getattr(statement, "law", None)
    if not isinstance(law, Law) or law.unit != "messages":
        return None
    names = [name for name in ("K", *law.integers, law.base, *law.parameters) if name in data["instance"]]
    at = ", ".join(f"${latex(var(name))}={data['instance'][name]}$" for name in names)
    if "hashes" in data:
        first = next(iter(data["hashes"].values()))
        at += f", functions {', '.join(str(tuple(labels)) for _, labels in first)}"
    if isinstance(statement, Ratio) and "probability" in data:
        p, q = exact(data["probability"]), exact(data["other_probability"])
        messages = str(data["output"][0]).replace("[", "(").replace("]", ")")
        items = data["s"][0], data["other"][0]
        return f"{at}: the messages {messages} have probability {p} from item {items[0]}, {q} from item {items[1]}"
    numbers = f"{exact(data['exact'])}, not {exact(data['stated'])}"
    if isinstance(statement, Smallest):
        return f"{at}: the smallest constant is {numbers}"
    users = ", ".join(str(s[0]) for s in data["users"])
    name = MOMENTS.get(statement.type, ("expected estimate", ""))[0]
    return f"{at}, users with {users}: the {name} for item {data['item']} is {numbers}"


def lines(statement: Statement, data: Data) -> list[str] | None:
    """A refutation as Markdown lines; None for other statements."""
    line = one_line(statement, data)
    return None if line is None else [f"With {line}.", ""]


_WORDS: dict[type, Words] = {
    Ratio: ratio(),
    Smallest: smallest(),
    Unbiased: _unbiased,
    **dict.fromkeys((Mean, Mse, Variance), _moment),
}
FORMAL: dict[Key, Words] = dict(followed(_WORDS, _about, unit="messages"))
"""What statements of this family say."""
