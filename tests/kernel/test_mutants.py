"""Faults planted in the kernel: each makes it accept a false certificate, reject a real one, or compute another law."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from typing import Any

import pytest

from corpus.certificates import accepted_about, planted
from dp_kernel.finite import channels, instances, sentences
from dp_kernel.laws import grammar, moments
from dp_kernel.numbers import polynomial
from dp_kernel.numbers.polynomial import bound_of
from dp_spec.frequency import grr, rappor, sugrr, surap
from dp_spec.vocabulary.statement import Ratio
from independent import brute_force as plain
from independent.definition_examples import disagreements, split_disagreements
from mutants import kernel
from mutants.kernel import always, unless

LATER = {"sentence": 1, "definition": 2, "implies": 3}
"""Types of statements whose certificates take longer than all the others: they are judged after them."""
SIZES = ((1, 0, 1), (2, 1, 1), (1, 2, 2), (2, 1, 2), (1, 1, 2), (3, 0, 2), (2, 2, 3))
ROOT = Fraction(3, 2)


@cache
def genuine() -> list[Any]:
    certificates = accepted_about("laws", "sketches", "additive", "shuffle").values()
    return sorted(certificates, key=lambda certificate: LATER.get(certificate["statement"]["type"], 0))


@cache
def false() -> dict[str, Any]:
    return planted("formulas", "laws", "estimators", "channels")


Expected = Callable[[plain.Items], plain.Law]


def expected_laws(k: int, n: int, m: int, t: Fraction) -> Iterator[tuple[Any, str, Fraction, Expected]]:
    """Table, view, root of e^eps and the law by brute force, which shares no line with the kernel."""
    d = k + n
    for view in ("set", "multiset", "position", "padded"):
        yield sugrr.SUGRR, view, t**2, partial(plain.sugrr, sensitive=k, t=t, view=view)
    yield sugrr.SUGRR_SAMPLE, "one", t ** (2 * m), partial(plain.sugrr_sample, sensitive=k, t=t, m=m)
    yield surap.SURAP, "sen", t, partial(plain.surap, sensitive=k, d=d, t=t)
    yield surap.SURAP_SAMPLE, "sen", t**m, partial(plain.surap_sample, sensitive=k, d=d, t=t, m=m)
    if n == 0:
        yield grr.GRR_SPLIT, "vector", t**2, partial(plain.grr_split, d=d, t=t, view="vector")
        yield rappor.RAPPOR_SET, "sen", t, partial(plain.rappor_set, d=d, root=t)


def other_laws() -> Iterator[str]:
    """Where the kernel's laws are not those of the brute force."""
    for k, n, m in SIZES:
        for law, view, root, expected in expected_laws(k, n, m, ROOT):
            term = Ratio(law, view, "marginal").json()["law"]["term"]  # type: ignore[arg-type]
            numbers = grammar.valued(
                term, {law.base: root, **{x: Fraction(y) for x, y in zip("KNm", (k, n, m), strict=True)}}
            )
            for s in grammar.sets_of([m], k, n):
                probabilities = grammar.output_law(numbers, s, m, grammar.World(k, n))
                if {named_output(term, view, y): p for y, p in probabilities.items() if p} != expected(frozenset(s)):
                    yield f"{law.mechanism} ({view}) at {(k, n, m)}: {s}"


def named_output(term: Any, view: str, y: Any) -> Any:
    y0, kept = y
    if grammar.is_sensitive(term):
        return y0
    return (frozenset(y0) if view == "set" else y0, frozenset(kept))


LONG = {"definition_on_endless_channels", "every_coordinate_as_membership"}
"""They take longer than all the others together."""


def misjudged() -> Iterator[str]:
    """False certificates that are accepted, real ones that are rejected, laws that are others: what is judged in no
    time first."""
    yield from kernel.misjudged({name: false for name, false in false().items() if name not in LONG}, ())
    yield from other_laws()
    yield from kernel.misjudged({}, genuine())
    yield from split_disagreements()
    yield from disagreements()
    yield from kernel.misjudged({name: false()[name] for name in LONG}, ())


@pytest.mark.slow
def test_laws_are_those_of_the_brute_force() -> None:
    """(Predicates are compared in `spec/vocabulary/test_definitions`.)"""
    assert list(other_laws()) == []


coefficients, related, observed = polynomial._coefficients, instances.related, instances.observed
cells, outcome = grammar._cells, grammar.outcome_law
per_user = moments.per_user
is_shown = sentences.is_shown


def ignoring_strictness(poly: Any, bounds: Any, strictly: bool) -> bool:
    return coefficients(poly, bounds, False)


def both_ways(relation: str, s: Any, other: Any, k: int) -> bool:
    return related(relation, s, other, k) or (relation == "deniability" and related(relation, other, s, k))


judged, channel = channels._judged, channels.channels


def with_premises(data: Any, first: Any, *rest: Any) -> Any:
    return judged(data, [], *rest)


def not_shown_is_false(of: Any, truth: bool, model: Any, at: Any) -> bool:
    return is_shown(of, True, model, at) == truth


def weakly(value: Any, bounds: Any, *, strictly: bool = False) -> bool:
    return polynomial.is_nonnegative(value, bounds)


def the_first(data: Any) -> Any:
    return islice(channel(data), 1)


def by_length(relation: str, s: Any, other: Any, k: int) -> bool:
    exchanged = len(set(s) - set(other)) == 1 == len(set(other) - set(s))
    return exchanged if relation == "deniability" else related(relation, s, other, k)


def all_pairs(relation: str, s: Any, other: Any, k: int) -> bool:
    return relation == "samenon" or related(relation, s, other, k)


def without_condition(law: Any, relation: str, s: Any, other: Any, counted: str) -> Any:
    return observed(law, "ldp" if relation == "joint" else relation, s, other, counted)


def empties_always(law: Any, relation: str, s: Any, other: Any, counted: str) -> Any:
    return observed(law, relation, s, other, "all")


def shown_as_kept(kinds: Any, kind: str, x: int, k: int) -> Any:
    """r is p."""
    return cells(kinds, "sen1" if kind == "non1" else kind, x, k)


def first_drawn(term: Any, s: Any, m: int, world: Any) -> Any:
    return outcome(term[1] if term[0] == "drawn" else term, s[:1] if term[0] == "drawn" else s, m, world)


def reversed_results(term: Any, s: Any, m: int, world: Any) -> Any:
    law = outcome(term, s, m, world)
    return {y[::-1]: p for y, p in law.items()} if term[:2] == ["each", "held"] else law


def fixed_counts(spec: Any, held: int, values: Any) -> Any:
    """A variance of nothing."""
    return per_user(spec, held, values)[0], polynomial.lift(0)


def everybody(spec: Any, held: int, values: Any) -> Any:
    """f is 1."""
    return per_user(spec, 1, values)


def whole_laws(law: Any, *_: Any) -> Any:
    return law


def from_zero(name: str, bounds: Any) -> Any:
    return bound_of(name, bounds)._replace(low=Fraction(0))


K = "dp_kernel."
FAULTS: dict[str, kernel.Fault] = {
    "positivity: > as >=": ([K + "numbers.polynomial._coefficients"], ignoring_strictness),
    "positivity: signs are not looked at": ([K + "numbers.polynomial._coefficients"], always(True)),
    "positivity: nothing is shown": ([K + "numbers.polynomial._coefficients"], always(False)),
    "positivity: bounds are taken as 0": ([K + "numbers.polynomial.bound_of"], from_zero),
    "positivity: multipliers are not checked": ([K + "formulas.domains.is_nonnegative"], always(True)),
    "definedness: poles are allowed": (
        [K + "formulas.terms.is_nonzero"],
        always(None),
    ),
    "domains: points are not checked": (
        [K + "formulas.domains.require_inside", K + "formulas.relations.require_inside"],
        always(None),
    ),
    "domains: integers are not": (
        [K + "formulas.domains.require_integer", K + "laws.error_terms.require_integer"],
        always(None),
    ),
    "shape: any statement": ([K + "certificate.check.require_statement"], always(None)),
    "shape: any evidence": ([K + "certificate.check.require_evidence"], always(None)),
    "laws: any table": ([K + "certificate.check.require_law"], always(None)),
    "sizes: none are needed": ([K + "certificate.check.require_sizes"], always(None)),
    "sizes: every instance fits": (
        [K + f"{m}.fits" for m in ("finite.instances", "laws.moments", "finite.models")],
        always(True),
    ),
    "related: deniability in both directions": ([K + "finite.instances.related"], both_ways),
    "related: deniability of any item": ([K + "finite.instances.related"], by_length),
    "related: samenon compares all sets": ([K + "finite.instances.related"], all_pairs),
    "observed: joint without its condition": ([K + "finite.instances.observed"], without_condition),
    "observed: empty y0 counts": ([K + "finite.instances.observed"], empties_always),
    "constants: everything is implied": ([K + f"{m}.implied" for m in ("laws.ratios", "laws.sizes")], always(True)),
    "constants: any number of exchanges": ([K + "laws.sizes.prove"], always(None)),
    "constants: quotients are not compared": ([K + "laws.ratios.is_nonnegative"], always(True)),
    "constants: never attained": ([K + "laws.sizes.require_witness"], always(None)),
    "refuted: nothing is enumerated": ([K + "laws.ratios.comparisons"], always(())),
    "moments: Bernoulli variables without variance": ([K + "laws.moments.per_user"], fixed_counts),
    "moments: shown numbers are not compared": (
        [K + "laws.moments.require"],
        unless("at the witness", "numbers are"),
    ),
    "moments: everybody holds x": ([K + "laws.moments.per_user"], everybody),
    "laws: r is p": ([K + "laws.grammar._cells"], shown_as_kept),
    "laws: a drawn item is the first": ([K + "laws.grammar.outcome_law"], first_drawn),
    "laws: results in reverse order": ([K + "laws.grammar.outcome_law"], reversed_results),
    "channels: everything holds": ([K + "finite.channels.holds"], always(True)),
    "channels: nothing holds": ([K + "finite.channels.holds"], always(False)),
    "channels: families are empty": ([K + "finite.channels.channels"], always(())),
    "channels: families have one channel": ([K + "finite.channels.channels"], the_first),
    "channels: any channel has the premises": ([K + "finite.channels._judged"], with_premises),
    "channels: any family is one": ([K + "finite.channels._looks"], always(False)),
    "sentences: every case holds": ([K + "finite.models.all"], always(True)),
    "sentences: every case is one that fails": ([K + "finite.sentences.any"], always(True)),
    "sentences: there are no cases": ([K + "finite.models.cases"], always(())),
    "sentences: what is not shown is false": ([K + "finite.sentences.is_shown"], not_shown_is_false),
    "sentences: > as >=": ([K + "finite.sentences.is_at_least_zero"], weakly),
    "sentences: nothing is shown": ([K + "finite.sentences.is_at_least_zero"], always(False)),
    "sentences: everything is shown": ([K + "finite.sentences.is_at_least_zero"], always(True)),
    "sentences: no sets of outputs": ([K + "finite.sentences._subsets"], always(())),
    "sentences: every datum is empty": ([K + "finite.sentences.is_empty"], always(True)),
    "sentences: no datum is empty": ([K + "finite.sentences.is_empty"], always(False)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine(), false()  # certificates are made before the kernel is broken
    kernel.plant(FAULTS[fault], monkeypatch)
    assert next(misjudged(), None) is not None
