"""The card *blanket* and the rules on shuffled reports, beside enumerations that share no code with the kernel; and
faults planted in the rules: each accepts a false certificate, rejects a real one, or enumerates something else.

Bounds with few bits and narrow windows, and faults in them: `test_tails`.
"""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from cases.divergences import ALL, BLANKET, RESPONSE, THIRD, anything, law, mixed, row, stated
from corpus.certificates import accepted, misjudged, rejected
from dp_kernel import Rejected
from dp_kernel.amplification.broken_lines import broken_line
from dp_kernel.cards import blanket
from dp_kernel.cards.blanket import Shuffled
from dp_kernel.certificate.check import check
from dp_kernel.shuffle import divergences
from independent import brute_force_shuffle as plain
from independent.shuffle_bounds import full
from mutants.rewriting import Fault, planted

F = Fraction


def fraction(x: Fraction) -> Any:
    return ["div", x.numerator, x.denominator]


# --- bounds of the card -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("labels", "users"), [(2, 4), (3, 3), (4, 2), (5, 2)])
def test_the_blanket_is_what_is_computed(labels: int, users: int) -> None:
    """With wide windows the bound is (1/n) E[(...)_+] / q, which is not below any data set: in blocks of all numbers of
    uniform messages, by a broken line with all knots, or at once, without third messages."""
    for e, a in ((F(3), F(2)), (F(9, 2), F(1)), (F(7), F(5))):
        q = 1 / (e + labels - 1)
        s, hint, gains = Shuffled(labels, users, 0, q, a), full(users), (e - a, 1 - a * e, 1 - a)
        exact = plain.positive_part(users, (q, q, (labels - 2) * q), gains) / users
        assert exact <= blanket.above(s, hint) <= exact + F(1, 2**30)
        assert labels == 2 or exact <= broken_line(s, hint) <= exact + F(1, 2**30)
        alone = plain.positive_part(users, (q, q, F(0)), gains) / users
        assert exact <= alone <= blanket.above(s, hint._replace(knots=(0,))) <= alone + F(1, 2**30)


@pytest.mark.parametrize(("labels", "users", "extra"), [(2, 2, 1), (3, 2, 2), (4, 1, 2)])
def test_uniform_messages_are_a_mixture(labels: int, users: int, extra: int) -> None:
    """With wide windows and a block for each number, the bound is the mean of D."""
    e, a = F(5), F(2)
    q = 1 / (e + labels - 1)
    gains = tuple(g * q for g in (e - a, 1 - a * e, 1 - a))
    exact = F(0)
    for b, mass in enumerate(plain.binomial(users - 1, labels * q)):
        n, each = b + extra + 1, F(1, labels)
        exact += mass * min(F(1), plain.positive_part(n, (each, each, (labels - 2) * each), gains) * labels / n)
    assert exact <= blanket.above(Shuffled(labels, users, extra, q, a), full(users)) <= exact + F(1, 2**30)


EASIER: dict[str, list[tuple[int, int, F, F]]] = {
    "users": [(users, 0, F(1, 9), F(2)) for users in (1, 2, 3, 4)],
    "users beside messages": [(users, 1, F(1, 9), F(3, 2)) for users in (1, 2, 3)],
    "messages": [(2, extra, F(1, 9), F(2)) for extra in range(4)],
    "messages of two": [(3, extra, F(1, 20), F(6)) for extra in range(3)],
    "q": [(3, 0, q, F(2)) for q in (F(0), F(1, 20), F(1, 5), F(1, 3))],
    "q beside messages": [(2, 1, q, F(5, 4)) for q in (F(0), F(1, 20), F(1, 5), F(1, 4))],
    "e^eps": [(3, 0, F(1, 9), a) for a in (F(1), F(3, 2), F(4), F(7))],
    "e^eps beside messages": [(2, 2, F(1, 9), a) for a in (F(1), F(3, 2), F(4), F(7))],
    "all": [(1, 0, F(1, 20), F(1)), (2, 1, F(1, 9), F(2)), (3, 2, F(1, 8), F(9, 4))],
}
"""Users, uniform messages, q, e^eps: each point harder than the next one (card, *Harder points*)."""


@pytest.mark.slow
@pytest.mark.parametrize("name", EASIER)
def test_harder_points_have_larger_deltas(name: str) -> None:
    """Of randomized response, and of hashing with all functions or with some that collide."""
    functions = plain.all_functions(2, 3), [(F(1, 3), (0, 1)), (F(2, 3), (2, 2))]
    for of in (None, *functions):
        deltas = []
        for users, extra, q, a in EASIER[name] if of is None else (x for x in EASIER[name] if x[0] + x[1] <= 3):
            rows = plain.hashed(of, 3, q) if of else plain.response(3, q)
            noise = [plain.hashed_uniform(of, 3) if of else plain.uniform(3)] * extra
            deltas.append(plain.largest(rows, users, a, *noise))
        assert deltas == sorted(deltas, reverse=True)
        assert of or deltas[0] > deltas[-1]
    items = [plain.largest(plain.response(3, F(0)), users, F(2), *[plain.uniform(3)] * 4) for users in (1, 2, 3)]
    assert items == sorted(items, reverse=True)  # items as they are, hidden by messages alone


def test_collisions_hide() -> None:
    """Any hash functions, mixed with constant ones: delta falls, and is largest without collisions."""
    q, a = F(1, 8), F(2)
    deltas = [
        plain.largest(plain.hashed([*(((1 - c) * p, f) for p, f in apart), *((c * p, f) for p, f in one)], 3, q), 2, a)
        for apart, one in [([(F(1), (0, 1, 2))], [(F(1), (0, 0, 0))])]
        for c in (F(0), F(1, 4), F(1, 2), F(3, 4))
    ]
    assert deltas == sorted(deltas, reverse=True)
    assert deltas[0] == plain.largest(plain.response(3, q), 2, a)


# --- statements -------------------------------------------------------------------------------------------------------


def is_accepted(statement: Any, verdict: str, evidence: Any) -> bool:
    try:
        check(statement, verdict, evidence)
    except Rejected:
        return False
    return True


def everywhere(by: Any, **values: Any) -> Any:
    return {"instances": [{"values": values, **by}]}


def misenumerated() -> Iterator[str]:
    """Data sets one by one: largest and single divergences, of labels, hashed labels, bits, several and thinned
    messages, with uniform ones."""
    for what, of, at, rows, noise in LAWS:
        for users, extra in ((1, 0), (2, 0), (2, 1), (3, 0)):
            if (extra and noise is None) or users * len(rows) > 6:
                continue
            messages = [noise] * extra if noise is not None else []
            for a in (F(1), F(3, 2)):
                body = stated(of, e_eps=fraction(a), users=users, dummies=extra, at=at)
                hashes = {"hashes": {"hash": FUNCTIONS}} if "mix" in str(of["term"]) else {}
                point = divergences.point(body, {})
                deltas = {x[:3]: x[3] for x in divergences.enumerated(body, point, a, hashes)}
                exact = {x: plain.shown(rows, *x, a, *messages) for x in plain.neighbors(len(rows), users)}
                if deltas != exact:
                    yield f"{what}: {users} users, {extra} uniform messages"
                worst = max(exact, key=lambda x: exact[x])
                data = {"values": {}, **ALL, "data": [*worst[:2], *worst[2]], **hashes}
                for delta, holds in ((exact[worst], True), (exact[worst] * F(99, 100), False)):
                    claim = {**body, "delta": fraction(delta)}
                    if exact[worst] and is_accepted(claim, "refuted", data) == holds:
                        yield f"{what}: refuted, {delta}"
                    if not hashes and exact[worst] and is_accepted(claim, "proved", everywhere(ALL)) != holds:
                        yield f"{what}: proved, {delta}"


E = F(3)
"""The base of all laws: e^eps0 of some."""
FUNCTIONS: Any = [["1/2", [0, 1, 1]], ["1/3", [1, 1, 0]], ["1/6", [0, 1, 0]]]
_LISTED = [(F(p), tuple(image)) for p, image in FUNCTIONS]
_Q = 1 / (E + 1)
_BITS = row(["div", "x", ["add", "x", 1]], 0)


def _bits(values: int, held: Fraction, other: Fraction) -> list[plain.Law]:
    """Laws of bits: what is sent are the places of 1s, here as one message per vector."""
    laws: list[plain.Law] = []
    for x in range(values):
        rows = [{1: held, 0: 1 - held} if y == x else {1: other, 0: 1 - other} for y in range(values)]
        vectors: plain.Law = {(): F(1)}
        for bit in rows:
            vectors = {(*v, b): p * q for v, p in vectors.items() for b, q in bit.items()}
        laws.append(vectors)
    return laws


LAWS: list[tuple[str, Any, Any, list[plain.Law], plain.Law | None]] = [
    ("labels", law(), {"x": 3, "K": 3}, plain.response(3, 1 / (E + 2)), plain.uniform(3)),
    ("a drawn label", law(["drawn", RESPONSE]), {"x": 3, "K": 2}, plain.response(2, _Q), plain.uniform(2)),
    (
        *("hashed labels", mixed(), {"x": 3, "K": 3, "b": 2}),
        *(plain.hashed(_LISTED, 2, _Q), plain.hashed_uniform(_LISTED, 2)),
    ),
    (
        "a thinned label",
        law(["thinned", ["div", 1, 3], RESPONSE]),
        {"x": 3, "K": 2},
        [{**{y: p / 3 for y, p in sent.items()}, None: F(2, 3)} for sent in plain.response(2, _Q)],
        None,
    ),
]


def test_data_sets_are_enumerated() -> None:
    assert list(misenumerated()) == []


def miscopied() -> Iterator[str]:
    """Two reports of each user are those of two users who hold the same."""
    rows, a = plain.response(3, F(1, 5)), F(3, 2)
    body = stated(law(["copies", 2, RESPONSE]), users=2, e_eps=fraction(a))
    for x0, x1, others, delta in divergences.enumerated(body, divergences.point(body, {}), a, {}):
        one, two = (plain.multisets([rows[z] for z in (x, x, *others, *others)]) for x in (x0, x1))
        if delta != plain.divergence(one, two, a):
            yield f"two reports of {x0}, {x1} beside {others}"


def test_two_reports_of_each_user_are_enumerated() -> None:
    assert list(miscopied()) == []


def test_vectors_of_bits_are_sent_bit_by_bit() -> None:
    """Places of 1s, shuffled all together, show less than vectors."""
    held, other = F(3, 4), F(1, 4)
    sen = {"1": ["div", "x", ["add", "x", 1]], "0": ["div", 1, ["add", "x", 1]]}
    of = law(["each", "items", ["row", {"sen1": sen, "sen0": {"1": sen["0"], "0": sen["1"]}}]])
    body = stated(of, users=2, at={"x": 3, "K": 2})
    deltas = {x[:3]: x[3] for x in divergences.enumerated(body, divergences.point(body, {}), F(3, 2), {})}
    rows = _bits(2, held, other)
    for (x0, x1, others), delta in deltas.items():
        laws = []
        for x in (x0, x1):
            masses: dict[Any, Fraction] = {}
            for v, p in rows[x].items():
                for w, q in rows[others[0]].items():
                    counts = tuple(a + b for a, b in zip(v, w, strict=True))
                    masses[counts] = masses.get(counts, F(0)) + p * q
            laws.append(masses)
        assert delta == plain.divergence(laws[0], laws[1], F(3, 2))


def test_budgets_in_intervals() -> None:
    """e^eps0 and e^eps known by enclosures: what is shown holds at both ends of any that are wider."""
    for of, at in ((law(), {"x": ["exp", 1], "K": 3}), (None, {"x": ["exp", 1]})):
        about: Any = stated if of else anything
        low, high = F(2718, 1000), F(2719, 1000)
        exact = [
            plain.largest(plain.response(3 if of else 2, 1 / (e + (2 if of else 1))), 3, F(3, 2)) for e in (low, high)
        ]
        for delta, holds in ((exact[1] * F(3, 2), True), (exact[0] * F(99, 100), False)):
            body = about(delta=fraction(delta), users=3, e_eps=["div", 3, 2], at=at)
            assert is_accepted(body, "proved", everywhere({**BLANKET, "knots": [0, 1, 2, 3]})) == holds
            assert not (holds and is_accepted(body, "refuted", {"values": {}, **THIRD, "data": [3]}))


# --- faults -----------------------------------------------------------------------------------------------------------


FALSE = [line for line in rejected().values() if line.subject in ("shuffle laws", "shuffle bounds") and not line.of]
GENUINE = [line for line in accepted().values() if line.subject == "shuffle"]


def wrong() -> Iterator[str]:
    yield from misjudged([*FALSE, *GENUINE])
    yield from misenumerated()
    yield from miscopied()


def test_nothing_is_enumerated_or_copied_wrongly() -> None:
    assert [*misenumerated(), *miscopied()] == []


FAULTS: dict[str, dict[str, tuple[str, str]]] = {
    "divergence": {
        "verdicts: any scope": ("require(bool(points)", "require(True"),
        "verdicts: one point of many": ('require((verdict == "verified") ==', "require(True or"),
        "verdicts: any fields": ("schema.require_shape(INSTANCE, instance)", "pass"),
        "verdicts: any proof": ("require(judged(statement, instance)", "require(True or judged(statement, {})"),
        "verdicts: any refutation": ("judged(statement, evidence) is False", "True"),
        "verdicts: what is not decided fails": ("evidence) is False", "evidence) is not True"),
        "verdicts: what is not decided holds": ("instance) is True", "instance) is not False"),
    },
    "enclosed": {
        "proofs: numbers about": ("most if a.low == a.high else Fraction(0)", "most"),
        "proofs: the best data sets": ("max(x[-1]", "min(x[-1]"),
        "bounds: of one side": ("Interval(Fraction(0), every(", "Interval.of(every("),
        "refutations: from above": ("shown(statement, at, a.high", "every(statement, at, a.high"),
    },
    "judged": {
        "proofs: the other way round": ("x[-1], y[-1])", "y[-1], x[-1])"),
        "proofs: one pair is enough": ("return all(", "return any("),
        "proofs: compared at about": ("require(a.low == a.high and", "require("),
        "compared laws: any": ('require_law(statement["than"]["law"])', "pass"),
    },
    "decided": {
        "refutations: equal numbers": ('(op == "lt" and left.low == right.high)', "left.low == right.high"),
    },
    "point": {
        "points: outside": ("require_inside(", "(lambda *x: None)("),
        "points: any budget": ("require(inside and whole", "require(whole"),
        "points: shares of all": ("and (not bound.unit or x.high < 1)", ""),
        "points: budgets about 1": ("x.low > bound.low", "x.high > bound.low"),
    },
    "ends": {
        "ends: any": ("require(a.low >= 1", "require(True or a.low >= 1"),
        "ends: any delta": ("and delta.low >= 0", ""),
    },
    "every": {
        "all data sets: less private": ("high=True", "high=False"),
        "all data sets: of more users": ("users <= point.users and ", ""),
        "all data sets: beside more messages": ("extra <= point.extra and ", ""),
        "all data sets: at a larger epsilon": (" and eased <= a", ""),
    },
    "shown": {
        "data sets: third values of two": ("else 3", "else 2"),
    },
    "randomized_response": {
        "responses: other parts": ('kinds["sen"].keys() <= {"own", "other"}', 'kinds["sen"].keys() >= {"own"}'),
        "responses: labels outside": ('{**at, "K": Fraction(k)}', "at"),
        "responses: the other end": ("q.low if high else q.high", "q.high if high else q.low"),
        "responses: uniform messages of any": ("require(extra == 0", "require(True"),
        "responses: copies": ('["drawn", ["row", kinds]]', '["drawn" | "copies", *_, ["row", kinds]]'),
        "responses: thinned": ('["drawn", ["row", kinds]]', '["drawn" | "thinned", *_, ["row", kinds]]'),
    },
    "_require_family": {
        "families: of any values": ('at["K"] >= items', "True"),
        "families: any": ("free = separating and", "free ="),
        "families: all": ('and "functions" not in statement', ""),
    },
    "_counts": {
        "numbers: any": ("map(natural, numbers)", "map(int, numbers)"),
        "numbers: one value": ('(2 if "law" in statement else 1)', "1"),
    },
    "enumerated": {
        "enumeration: of any size": ("labels <= 8", "labels <= 9"),
        "enumeration: of fewer users": ("len(only) == users + 1 > 1 and", ""),
        "enumeration: no neighbors": (" and only[0] != only[1]", ""),
        "enumeration: one uniform message": ("in range(extra)", "in range(min(extra, 0))"),
        "enumeration: in one order": ("permutations(range(labels), 2)", "[(0, 1)]"),
        "enumeration: no epsilon": ("p - a * two", "p - two"),
        "enumeration: absolute differences": ("max(Fraction(0), p - a", "abs(p - a"),
        "enumeration: others of the second row": ("beside[held[:-1]]", "beside[held[:0]]"),
    },
    "bag": {
        "bags: outcomes in order": ("tuple(sorted(messages(term, y, world)))", "tuple(messages(term, y, world))"),
    },
    "together": {
        "unions: in order": ("tuple(sorted((*x, *y)))", "(*x, *y)"),
    },
    "messages": {
        "messages: without the function": ("(world.families[family][outcome[0]][1], z) for", "z for"),
        "messages: one of several": ("for y in outcome]", "for y in outcome[:1]]"),
        "messages: of any law": ('raise Rejected(f"{term[0]} sends no messages")', "return [outcome]"),
    },
    "_uniform": {
        "uniform messages: of an item": ('{"*": {"any": Fraction(1, labels)}}', '{"*": {"0": Fraction(1)}}'),
        "uniform messages: of any law": ('raise Rejected("no uniform message")', "return term"),
    },
    "_free": {
        "names: of sizes": ('sensitive and {"m", "N"}.isdisjoint({*statement["at"], *variables})', "sensitive"),
        "names: items of any kind": ("require(sensitive and", "require("),
        "names: twice": ("require(variables.isdisjoint", "require(True or variables.isdisjoint"),
        "names: a law and a number": ('or statement["delta"] == 0', "or True"),
    },
}
"""By function: what its text says, and what the mutant's says."""


MUTANTS = {
    wrong: Fault(f"{divergences.__name__}.{name}", *words, "")
    for name, lines in FAULTS.items()
    for wrong, words in lines.items()
}


@pytest.mark.parametrize("fault", MUTANTS)
def test_planted_faults_are_caught(fault: str) -> None:
    with planted(MUTANTS[fault]), suppress(ArithmeticError, LookupError, TypeError):
        assert next(wrong(), None) is not None
