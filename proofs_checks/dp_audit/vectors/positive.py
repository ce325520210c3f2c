"""What a correct implementation does: exact laws, the nominal bound, the estimator and its moments."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement, islice, product
from typing import Any

from dp_audit.observation.values import text, thaw
from dp_audit.oracles import Number, Oracle, oracle, read_parameters
from dp_audit.oracles.base import double, exponential
from dp_audit.vectors.numbers import number
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import Item

PAIRS = 12
DATA_SETS = 6


def case(identifier: str, name: str, parameters: Mapping[str, object]) -> dict[str, Any]:
    """Return one positive vector: everything the oracle of a mechanism says at these parameters."""
    reference = oracle(name, parameters)
    vector: dict[str, Any] = {
        "id": identifier,
        "result": "valid",
        "parameters": shown(name, parameters),
        "bound": number(reference.privacy),
        "law": law(reference.inputs, reference.law),
    }
    if reference.estimate(outputs(reference)[:1]) is not None:
        vector["estimates"] = [_estimate(reference, reports) for reports in _lists_of_reports(reference)]
    if reference.expected_estimate(reference.inputs[:1]) is not None:
        vector["moments"] = [_moments(reference, data) for data in _data_sets(reference)]
    return vector


def shown(name: str, parameters: Mapping[str, object]) -> dict[str, Any]:
    """Return parameters as JSON: a budget with its text, and the exact bits of the double an implementation is
    given."""
    return {p: _as_json(value, parameters[p]) for p, value in read_parameters(name, parameters).items()}


def _as_json(value: Any, given: object) -> Any:
    if isinstance(value, Budget):
        return {"text": str(given), "double": double(value).hex(), "exponential": number(partial(exponential, value))}
    return thaw(value)


def law(inputs: Sequence[Item], of: Callable[[Item], Mapping[Hashable, Number]]) -> list[dict[str, Any]]:
    """Return the law of every input, outputs in the order of their JSON text."""
    return [{"input": thaw(x), "outputs": _outputs(partial(of, x))} for x in inputs]


def _outputs(law_of_one: Callable[[], Mapping[Hashable, Number]]) -> list[dict[str, Any]]:
    def probability(y: Hashable) -> Number:
        return law_of_one()[y]

    return [{"output": thaw(y), "probability": number(partial(probability, y))} for y in _sorted(law_of_one())]


def _sorted(values: Iterable[Hashable]) -> list[Hashable]:
    return sorted(values, key=lambda y: text(thaw(y)))


def outputs(reference: Oracle) -> list[Hashable]:
    """Return all possible outputs, in the order of their JSON text."""
    return _sorted({y for x in reference.inputs for y in reference.law(x)})


def numbers(compute: Callable[[], Sequence[Number]]) -> list[dict[str, str]]:
    """Return all numbers of a sequence."""

    def one(j: int) -> Number:
        return compute()[j]

    return [number(partial(one, j)) for j in range(len(compute()))]


def _lists_of_reports(reference: Oracle) -> Iterator[tuple[Hashable, ...]]:
    """Give all single reports, then the first pairs."""
    possible = outputs(reference)
    yield from product(possible, repeat=1)
    yield from islice(product(possible, repeat=2), PAIRS)


def _estimate(reference: Oracle, reports: Sequence[Hashable]) -> dict[str, Any]:
    return {"reports": [thaw(y) for y in reports], "estimates": numbers(lambda: reference.estimate(reports) or ())}


def _data_sets(reference: Oracle) -> Iterator[tuple[Item, ...]]:
    for users in (1, 2, 3):
        yield from islice(combinations_with_replacement(reference.inputs, users), DATA_SETS)


def _moments(reference: Oracle, data: Sequence[Item]) -> dict[str, Any]:
    moments: dict[str, Any] = {"data": [thaw(x) for x in data]}
    if reference.expected_estimate(data) is not None:
        moments["expectation"] = numbers(lambda: reference.expected_estimate(data) or ())
    if reference.variance(data) is not None:
        moments["variance"] = numbers(lambda: reference.variance(data) or ())
    return moments
