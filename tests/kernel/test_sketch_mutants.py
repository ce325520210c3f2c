"""Faults planted in the kernel's rules about sketches: certificates are misjudged, or other numbers are computed."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from corpus.certificates import accepted_about, planted, rejected
from dp_kernel import Rejected
from dp_kernel.formulas import terms
from dp_kernel.laws import families, grammar, moments, ratios
from dp_kernel.numbers.polynomial import lift, substituted, variable
from mutants import kernel
from mutants.kernel import always, unless

F = Fraction
SLOW = {"ratio refuted for several reports"}


@cache
def genuine() -> tuple[Any, ...]:
    return tuple(certificate for name, certificate in accepted_about("sketches").items() if name not in SLOW)


@cache
def false() -> dict[str, Any]:
    of_no_choice = "unbiased proved for colliding labels: 21"  # a premise of no family
    return planted("sketches") | {of_no_choice: rejected()[of_no_choice].certificate()}


def other_numbers() -> Iterator[str]:
    """Numbers of small cases that are not those computed by hand."""
    functions: families.Functions = [(F(1, 4), (0, 0, 1)), (F(3, 4), (0, 1, 1))]
    if families.averages(functions, 0, [1, 2, 0, 0]) != {"kappa1": F(1, 16), "kappa2": F(1, 64), "squared": F(1, 8)}:
        yield "kappa"
    row = ["row", {"sen": {"own": F(2, 3), "other": F(1, 3)}}]
    world = grammar.World(3, 0, (), {"rows": functions})
    thinned = ["thinned", F(1, 5), ["mix", "rows", 2, row]]
    law = grammar.output_law(thinned, (1,), 1, world)
    expected = {((0, 0),): F(1, 30), ((0, 1),): F(1, 60), ((1, 0),): F(1, 20), ((1, 1),): F(1, 10), (): F(4, 5)}
    if law != {(y, ()): p for y, p in expected.items()}:
        yield "a thinned law"
    if terms.evaluate(["sum", "j", 2, 4, ["mul", "j", "x"]], {"x": F(1, 2), "j": F(9)}) != F(9, 2):
        yield "a sum"


def misjudged() -> Iterator[str]:
    yield from kernel.misjudged(false(), genuine())
    try:
        yield from other_numbers()
    except (Rejected, ArithmeticError, LookupError) as error:
        yield f"no number: {error}"


def test_numbers_are_those_worked_out_by_hand() -> None:
    assert list(other_numbers()) == []


X = "dp_kernel."
averages, kappa, premise = families.averages, families.shared, families._require_premise
outcome_law, evaluate, along = grammar.outcome_law, terms.evaluate, terms._along
contributions, averaged, factors, labels = (
    moments.contributions,
    moments._averaged,
    ratios.factors,
    ratios._require_labels,
)


def premise_of(checked: Callable[[Any], bool]) -> Callable[..., None]:
    return lambda functions, stated, values: premise(functions, stated, values) if checked(stated) else None


def premise_of_two_items(functions: Any, stated: Any, values: Any) -> None:
    premise([(p, image[:2]) for p, image in functions], stated, values)


def squared_average(functions: Any, x: int, users: Any) -> Any:
    means = averages(functions, x, users)
    return means | {"kappa2": means["kappa1"] ** 2}


def with_holders(functions: Any, x: int, users: Any) -> Any:
    kappas = [kappa(functions, x, y) for y in users]
    return {f"kappa{j}": sum(k**j for k in kappas) / len(users) for j in (1, 2)}


def square_of_the_sum(other: Any) -> Any:
    average, once = averaged(other), variable("kappa1")
    return substituted(average, {"kappa2": once * once})


def always_sent(term: Any, s: Any, m: int, world: Any) -> Any:
    law = outcome_law(term, s, m, world)
    return {y: p for y, p in law.items() if y != ()} if term[0] == "thinned" else law


def nothing_counts(term: Any, item: str, groups: Any, values: Any) -> Any:
    counts = contributions(term, item, groups, values)
    return [(n, 1 - (1 - success) * values["rho"]) for n, success in counts] if term[0] == "thinned" else counts


def two_labels_always(term: Any, *of: Any, **third: Any) -> Any:
    return factors(["mix", term[1], F(2), term[3]] if term[0] == "mix" else term, *of, **third)


def one_label_always(term: Any, *of: Any, **third: Any) -> Any:
    return [ratios.SAME] if term[0] == "mix" else factors(term, *of, **third)


def no_thinning(term: Any, item: str, groups: Any, values: Any) -> Any:
    return contributions(term[2] if term[0] == "thinned" else term, item, groups, values)


def always_shared(term: Any, item: str, groups: Any, values: Any) -> Any:
    names = {name: lift(0) for name in values if name.startswith("[") and name != "[A]"}
    return contributions(term, item, groups, {**values, **names})


def floor_of_the_low_end(tree: Any, values: Any, bits: int = 0, ranges: Any = None) -> Any:
    if isinstance(tree, list) and tree[0] == "floor" and bits:
        return F(terms.Interval.of(evaluate(tree[1], values, bits)).low // 1)
    return evaluate(tree, values, bits, ranges)


def one_term_less(tree: Any, values: Any, ranges: Any) -> Any:
    return iter(list(along(tree, values, ranges))[:-1])


def captured(tree: Any, values: Any, ranges: Any) -> Any:
    """The variable that a sum runs over is one of the domain."""
    return ({**at, tree[1]: values.get(tree[1], at[tree[1]])} for at in along(tree, values, ranges))


def the_same_in_sums(tree: Any, values: Any, ranges: Any) -> Any:
    """What is written in a sum has the value that it has around it."""
    return ({**values, **at} for at in along(tree, values, ranges))


def put_anywhere(tree: Any, values: Any) -> Any:
    if isinstance(tree, list):
        return [tree[0], *(put_anywhere(argument, values) for argument in tree[1:])]
    return values.get(tree, tree) if isinstance(tree, str) else tree


def undefined_in_sums(tree: Any, values: Any, bits: int = 0, ranges: Any = None) -> Any:
    return evaluate(tree, values, bits, None if isinstance(tree, list) and tree[0] == "sum" else ranges)


over_draws = moments._over_draws


def as_threewise(independence: str) -> Callable[..., Any]:
    return lambda spec, *of: over_draws(
        {**spec, "independence": spec["independence"].replace(independence, "threewise")}, *of
    )


def one_row(spec: Any, *of: Any) -> Any:
    return over_draws({**spec, "rows": 1}, *of)


FAULTS: dict[str, kernel.Fault] = {
    "families: no premise": ([X + "laws.families._require_premise"], always(None)),
    "families: separating is no premise": (
        [X + "laws.families._require_premise"],
        premise_of(lambda p: p != "separating"),
    ),
    "families: only separating is one": (
        [X + "laws.families._require_premise"],
        premise_of(lambda p: p == "separating"),
    ),
    "families: two items stand for all": ([X + "laws.families._require_premise"], premise_of_two_items),
    "families: any chances": ([X + "numbers.json_numbers.require"], unless("not a law on functions")),
    "families: any number of collisions": ([X + "laws.stochastic.require"], unless("no family has")),
    "families: one label separates": (
        [X + "laws.stochastic.require"],
        unless("separates nothing"),
    ),
    "kappa: labels differ": ([X + "laws.families.shared"], always(F(0))),
    "kappa: always": ([X + "laws.families.shared"], always(F(1))),
    "kappa2 is the square of kappa1": ([X + "laws.moments.averages", X + "laws.families.averages"], squared_average),
    "kappa: of users with the item, too": ([X + "laws.families.averages"], with_holders),
    "kappa2: the square of a sum": ([X + "laws.moments._averaged"], square_of_the_sum),
    "kappa: no collisions": ([X + "laws.moments.contributions"], always_shared),
    "kappa: none is unnamed": ([X + "laws.moments.unnamed"], always("")),
    "i.i.d. users: kappa is fixed": ([X + "laws.moments.require"], unless("varies with g")),
    "laws: what is thinned is sent": ([X + "laws.grammar.outcome_law"], always_sent),
    "counts: a report that is not sent counts": ([X + "laws.moments.contributions"], nothing_counts),
    "laws: thinned with any chance": ([X + "laws.stochastic.require"], unless("no chance")),
    "laws: anything is sorted": ([X + "laws.grammar.require"], unless("push sorted")),
    "counts: all reports are sent": ([X + "laws.moments.contributions"], no_thinning),
    "counts: T is n": ([X + "laws.moments.sent"], always(lift(1))),
    "counts: T is certain": ([X + "laws.moments.require"], unless("covariance")),
    "ratios: one label is two": ([X + "laws.ratios.factors"], two_labels_always),
    "ratios: all labels are one": ([X + "laws.ratios.factors"], one_label_always),
    "ratios: some two items are any": (
        [X + "laws.ratios._require_labels"],
        lambda term, law: labels(term[2] if term[0] == "each" else term, law),
    ),
    "ratios: anything separates": ([X + "laws.ratios._require_labels"], always(None)),
    "ratios: one function is all functions": ([X + "laws.ratios.require"], unless("over all functions")),
    "shared: pairwise is threewise": ([X + "laws.moments._over_draws"], as_threewise("pairwise")),
    "shared: any number is prime": ([X + "laws.moments.require"], unless("modulo a prime")),
    "shared: any labels": ([X + "laws.moments.require"], unless("not the labels")),
    "shared: any rows": ([X + "laws.moments.natural"], always(None)),
    "shared: kappa of one draw": ([X + "laws.moments.require"], unless("kappa is drawn")),
    "shared: rows are one": ([X + "laws.moments._over_draws"], one_row),
    "shared: rows are drawn again": ([X + "laws.moments._over_draws"], as_threewise("distinct")),
    "shared: other functions exist": ([X + "laws.moments.require"], unless("so many different")),
    "sums: one term less": ([X + "formulas.terms._along"], one_term_less),
    "sums: a variable of the domain": ([X + "formulas.terms._along"], captured),
    "sums: undefined terms": (
        [X + "formulas.terms.evaluate", X + "formulas.domains.evaluate"],
        undefined_in_sums,
    ),
    "sums: anything is put into them": ([X + "laws.error_terms.put"], put_anywhere),
    "sums: e^x is the same in all terms": ([X + "formulas.terms._along"], the_same_in_sums),
    "floors: the low end": (
        [X + "formulas.terms.evaluate", X + "formulas.domains.evaluate"],
        floor_of_the_low_end,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine(), false()  # certificates are made before the kernel is broken
    kernel.plant(FAULTS[fault], monkeypatch)
    assert next(misjudged(), None) is not None
