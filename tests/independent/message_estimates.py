"""Means and variances of source 000 decided again: all outcomes of one user's messages listed in plain fractions."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from independent.brute_force_messages import Case, cases, data_sets, law, moments

Holds = Callable[[], bool]
Estimate = Callable[[Case, int], tuple[Fraction, Fraction]]
"""From the case and n: what is subtracted from the number of messages, and what the rest is divided by."""


def t2(case: Case, n: int) -> tuple[Fraction, Fraction]:
    return n * case.q + Fraction(n * case.dummies, case.labels), n * (1 - 2 * case.q)


def t3(case: Case, n: int) -> tuple[Fraction, Fraction]:
    return n * case.q + Fraction(n * case.dummies, case.labels), n * (case.p - case.q)


def s2(case: Case, n: int) -> tuple[Fraction, Fraction]:
    return Fraction(n * (case.dummies + 1), case.labels), n * (case.p - Fraction(1, case.labels))


def s2_less(case: Case, n: int) -> tuple[Fraction, Fraction]:
    return Fraction(n, case.labels), s2(case, n)[1]


def t2a(gamma: int, inner: bool = False) -> Estimate:
    def estimate(case: Case, n: int) -> tuple[Fraction, Fraction]:
        h = case.labels
        share = (Fraction(h, h - 1) if gamma == 1 else h) * case.q
        less = n * share * (1 - Fraction(1, h)) * (n * (case.dummies + 1) if inner else 1)
        return less + Fraction(n * case.dummies, h), n * (1 - 2 * share * (1 - Fraction(1, h)))

    return estimate


def pure(case: Case, n: int) -> tuple[Fraction, Fraction]:
    return Fraction(n * case.dummies, case.labels), Fraction(n)


def aue(case: Case, n: int) -> tuple[Fraction, Fraction]:
    return n * case.chance, Fraction(n)


def unbiased(model: str, estimate: Estimate, dummies: tuple[int, ...] = (0, 1, 2)) -> Holds:
    def holds() -> bool:
        for case in cases(model, dummies):
            for users in data_sets(case):
                less, by = estimate(case, len(users))
                for v in range(case.items) if by else ():
                    if (moments(case, users, v)[0] - less) / by != Fraction(users.count(v), len(users)):
                        return False
        return True

    return holds


def counts(model: str, stated: Callable[[Case, Fraction], Fraction]) -> Holds:
    """The mean number of messages by n."""
    return lambda: all(
        moments(case, users, v)[0] / len(users) == stated(case, Fraction(users.count(v), len(users)))
        for case in cases(model)
        for users in data_sets(case)
        for v in range(case.items)
    )


Stated = Callable[[Case, int, Fraction], Fraction]


def varies(
    model: str, estimate: Estimate, stated: Stated, nobody: bool = False, dummies: tuple[int, ...] = (0, 1, 2)
) -> Holds:
    """The variance for every data set, or for items that nobody holds."""
    return lambda: all(
        moments(case, users, v)[1] / estimate(case, len(users))[1] ** 2
        == stated(case, len(users), Fraction(users.count(v), len(users)))
        for case in cases(model, dummies)
        for users in data_sets(case)
        for v in range(case.items)
        if not (nobody and v in users)
    )


def coin(labels: int) -> Fraction:
    return Fraction(labels - 1, labels**2)


def exact(case: Case, n: int, f: Fraction, other: Fraction, by: Fraction) -> Fraction:
    p = case.p
    return (f * p * (1 - p) + (1 - f) * other * (1 - other) + case.dummies * coin(case.labels)) / (n * by**2)


def line1(case: Case, n: int, f: Fraction) -> Fraction:
    p, q = case.p, case.q
    reports = n * f * p * (1 - p) + n * (1 - f) * q * (1 - p)
    return (reports + n * case.dummies * coin(case.labels)) / (n * (p - q)) ** 2


def line2(case: Case, n: int, f: Fraction = Fraction(0)) -> Fraction:
    p, q = case.p, case.q
    return (n * q * (1 - q) + n * case.dummies * coin(case.labels)) / (n * (p - q)) ** 2


def theorem3(square: Callable[[Fraction, int], Fraction]) -> Stated:
    def stated(case: Case, n: int, f: Fraction) -> Fraction:
        w, h = case.w, case.labels
        return (w + h - 2) / (n * (w - 1) ** 2) + Fraction(case.dummies * (h - 1), n * h**2) * square(w, h)

    return stated


def printed(w: Fraction, h: int) -> Fraction:
    return ((w + h - 2) / (w - 1)) ** 2


def plain(w: Fraction, h: int) -> Fraction:
    return (w + h - 2) / (w - 1) ** 2


def right(w: Fraction, h: int) -> Fraction:
    return ((w + h - 1) / (w - 1)) ** 2


def all_sums(case: Case) -> bool:
    """Variances of the number of messages: of the reports, of the dummies, each its own."""
    reports = case._replace(dummies=0)
    return all(
        moments(case, users, v)[1] == moments(reports, users, v)[1] + len(users) * case.dummies * coin(case.labels)
        for users in data_sets(case)
        for v in range(case.items)
    )


def average(case: Case, uniform: bool) -> bool:
    """The average over the items is the variance of every single one."""
    for users in data_sets(case):
        held = {users.count(x) for x in range(case.items)}
        if len(held) > 1 and uniform:
            continue
        variances = [moments(case, users, v)[1] for v in range(case.items)]
        if any(x != sum(variances) / len(variances) for x in variances):
            return False
    return True


def affine(case: Case) -> bool:
    """The average over items is the variance where the frequency is 1/d."""
    by = case.p - Fraction(1, case.labels)
    for users in data_sets(case):
        n, d = len(users), case.items
        variance = sum(moments(case, users, v)[1] for v in range(d)) / d / (n * by) ** 2
        if variance != exact(case, n, Fraction(1, d), Fraction(1, case.labels), by):
            return False
    return True


def public(family: list[tuple[int, ...]], with_collisions: bool = False, w: Fraction = Fraction(2)) -> bool:
    """The mean of the estimator of OLH with functions of this list to two labels: what is held, and 2 kappa - 1 for
    another item that shares its label under a share kappa."""
    p = w / (w + 1)
    for x, v in product((0, 1), repeat=2):
        hits = [p if h[x] == h[v] else 1 - p for h in family]
        kappa = Fraction(sum(h[x] == h[v] for h in family), len(family))
        stated = 2 * kappa - 1 if with_collisions and x != v else Fraction(x == v)
        if (sum(hits, Fraction(0)) / len(family) - Fraction(1, 2)) / (p - Fraction(1, 2)) != stated:
            return False
    return True


def bundles(case: Case) -> bool:
    """The law of the sorted labels of the model without hashing: as printed."""
    for x in range(case.labels):
        for c, chance in law(case, x).items():
            m, arrangements = case.dummies, 1
            for k in range(1, m + 1):
                arrangements *= k
            stated = Fraction(arrangements, case.labels**m) * (case.q * (m + 1) + (case.p - case.q) * c[x])
            for number in c:
                for k in range(1, number + 1):
                    stated /= k
            if stated != chance:
                return False
    return True


def largest(case: Case) -> bool:
    laws = [law(case, x) for x in range(case.items)]
    return max(a[c] / b[c] for a in laws for b in laws for c in a) == case.w


def ratio(family: list[tuple[int, ...]], w: Fraction = Fraction(3)) -> Fraction:
    """The largest ratio of the reports of two items, two labels."""
    p, q = w / (w + 1), 1 / (w + 1)
    return max(
        (p if h[x] == y else q) / (p if h[z] == y else q)
        for h in family
        for x in (0, 1)
        for z in (0, 1)
        for y in (0, 1)
    )


def thinned(rho: Fraction, labels: int) -> tuple[Fraction, Fraction]:
    """Variances of what one dummy adds that is sent with chance rho: less 1/h where it is sent; less rho/h."""
    outcomes = [(1 - rho, 0, 0), (rho / labels, 1, 1), (rho * (1 - Fraction(1, labels)), 0, 1)]
    realized = [(chance, hit - Fraction(sent, labels)) for chance, hit, sent in outcomes]
    expected = [(chance, hit - rho / labels) for chance, hit, _ in outcomes]
    assert [sum(c * x for c, x in values) for values in (realized, expected)] == [0, 0]
    first, second = (sum((c * x * x for c, x in values), Fraction(0)) for values in (realized, expected))
    return first, second


def best(w: Fraction) -> bool:
    """n times the variance at f = 0 over real numbers of labels."""

    def error(h: Fraction) -> Fraction:
        return (w + h - 1) ** 2 / ((h - 1) * (w - 1) ** 2)

    return all(error(w + 1) < error(w + 1 + x) for x in (Fraction(1, 7), Fraction(3), Fraction(-1, 5), 1 - w))


def best_central(m: Fraction) -> bool:
    def error(h: Fraction) -> Fraction:
        w = m - h + 1
        p, q = w / (w + h - 1), 1 / h
        assert q * (1 - q) / (p - q) ** 2 == m**2 / ((m - h) ** 2 * (h - 1))
        return m**2 / ((m - h) ** 2 * (h - 1))

    h = (m + 2) / 3
    assert m - h + 1 == 2 * h - 1
    least = 27 * m**2 / (4 * (m - 1) ** 3)
    return error(h) == least and all(error(h + x) > least for x in (Fraction(1, 9), Fraction(-1, 9)))


def per_case(model: str, holds: Callable[[Case], bool], dummies: tuple[int, ...] = (0, 1, 2)) -> Holds:
    return lambda: all(holds(case) for case in cases(model, dummies))


EVERY: list[tuple[int, ...]] = [(0, 0), (0, 1), (1, 0), (1, 1)]


def t3_grr(case: Case, n: int, f: Fraction) -> Fraction:
    return exact(case, n, f, case.q, case.p - case.q)


def t3_olh(case: Case, n: int, f: Fraction) -> Fraction:
    return exact(case, n, f, Fraction(1, case.labels), case.p - case.q)


def s2_olh(case: Case, n: int, f: Fraction) -> Fraction:
    return exact(case, n, f, Fraction(1, case.labels), case.p - Fraction(1, case.labels))


def printed_count(case: Case, f: Fraction) -> Fraction:
    return f * (1 - case.q) + (1 - f) * case.q + Fraction(case.dummies, case.labels)


DECIDED: dict[str, Holds] = {
    "000.def3.eq3.ldp": lambda: all(ratio(f) <= 3 for f in (EVERY, EVERY[:1], EVERY[1:2])),
    "000.def3.eq3.tight@anyfamily": lambda: all(ratio(f) == 3 for f in (EVERY, EVERY[:1])),
    "000.def3.eq3.tight@separating": lambda: all(ratio(f) == 3 for f in (EVERY, EVERY[:2])),
    "000.def3.universal@exact": lambda: public(EVERY) and public(EVERY[:2]),
    "000.def3.universal@atmost": lambda: public(EVERY[1:2]) and public(EVERY),
    "000.sec2.est@exact": lambda: public(EVERY) and unbiased("shared", s2, (0,))(),
    "000.sec2.est@universal": lambda: public(EVERY[1:2]) and public(EVERY),
    "000.sec2.est@universal.corrected": lambda: all(public(f, True) for f in (EVERY, EVERY[:1], EVERY[:2], EVERY[1:2])),
    "000.sec2.est@public": lambda: all(public([h]) for h in EVERY),
    "000.alg1.est@reports": unbiased("fresh", s2, (0,)),
    "000.alg1.est@allmsg-each": lambda: unbiased("shared", s2)() and unbiased("fresh", s2)(),
    "000.alg1.est@allmsg-n": unbiased("shared", s2_less, (1, 2)),
    "000.alg1.est-random@samevar": lambda: all(a == b for a, b in [thinned(Fraction(1, 2), h) for h in (2, 3)]),
    "000.alg1.est-random@samevar.corrected": lambda: all(
        b - a == x * (1 - x) / h**2
        for x in (Fraction(1, 2), Fraction(1, 5))
        for h in (2, 3)
        for a, b in [thinned(x, h)]
    ),
    "000.thm2.form2@olh": unbiased("shared", t2),
    "000.thm2.form2@grr": unbiased("grr", t2),
    "000.thm2.form2@olh.corrected": unbiased("shared", s2),
    "000.thm2.form2@grr.corrected": unbiased("grr", t3),
    "000.thm2.form1@outer-g1-olh": unbiased("shared", t2a(1)),
    "000.thm2.form1@outer-g1-grr": unbiased("grr", t2a(1)),
    "000.thm2.form1@outer-g2-olh": unbiased("shared", t2a(2)),
    "000.thm2.form1@outer-g2-grr": unbiased("grr", t2a(2)),
    "000.thm2.form1@inner-g1-grr": unbiased("grr", t2a(1, True)),
    "000.thm2.form1@inner-g1-olh": unbiased("shared", t2a(1, True)),
    "000.thm2.expect@olh": counts("shared", printed_count),
    "000.thm2.expect@grr": counts("grr", printed_count),
    "000.thm2.expect@olh.corrected": counts(
        "shared", lambda case, f: f * case.p + (1 - f + case.dummies) / case.labels
    ),
    "000.thm2.expect@grr.corrected": counts(
        "grr", lambda case, f: f * case.p + (1 - f) * case.q + Fraction(case.dummies, case.labels)
    ),
    "000.thm3.form3@olh": unbiased("shared", t3),
    "000.thm3.form3@grr": unbiased("grr", t3),
    "000.eq11.additive@fresh": per_case("fresh", all_sums),
    "000.eq11.additive@shared": per_case("shared", all_sums),
    "000.eq11.line1@grr": varies("grr", t3, line1),
    "000.eq11.line1@olh": varies("shared", t3, line1),
    "000.eq11.line1@grr.corrected": varies("grr", t3, t3_grr),
    "000.eq11.line1@olh.corrected": varies("shared", t3, t3_olh),
    "000.eq11.line2@grr-all": varies("grr", t3, line2),
    "000.eq11.line2@grr-zero": varies("grr", t3, line2, nobody=True),
    "000.eq11.line2@olh-zero": varies("shared", t3, line2, nobody=True),
    "000.thm3.var@sq-grr": varies("grr", t3, theorem3(printed), nobody=True),
    "000.thm3.var@sq-olh": varies("shared", t3, theorem3(printed), nobody=True),
    "000.thm3.var@sq-s2": varies("shared", s2, theorem3(printed), nobody=True),
    "000.thm3.var@nosq-grr": varies("grr", t3, theorem3(plain), nobody=True),
    "000.thm3.var@nosq-olh": varies("shared", t3, theorem3(plain), nobody=True),
    "000.thm3.var@sq-grr.corrected": varies("grr", t3, theorem3(right), nobody=True),
    "000.thm3.var@sq-olh.corrected": varies(
        "shared",
        t3,
        lambda case, n, f: (case.dummies + 1) * coin(case.labels) * right(case.w, case.labels) / n,
        nobody=True,
    ),
    "000.thm3.var@sq-s2.corrected": varies(
        "shared",
        s2,
        lambda case, n, f: (case.dummies + 1) * right(case.w, case.labels) / (n * (case.labels - 1)),
        nobody=True,
    ),
    "000.thm3.var-m0@grr": varies("grr", t3, theorem3(printed), nobody=True, dummies=(0,)),
    "000.thm3.var-m0@olh": varies("shared", t3, theorem3(printed), nobody=True, dummies=(0,)),
    "000.eq12.final@avg-h": per_case("shared", lambda case: case.items != case.labels or average(case, False)),
    "000.eq12.final@avg-d": per_case("shared", lambda case: average(case, False)),
    "000.eq12.final@avg-d-uniform": per_case("shared", lambda case: average(case, True)),
    "000.eq12.final@avg-d.corrected": per_case("shared", affine),
    "000.prose.olh-domain": lambda: varies("shared", s2, s2_olh)() and varies("fresh", s2, s2_olh)(),
    "000.def3.optimal@local": lambda: all(best(w) for w in (Fraction(2), Fraction(7, 2))),
    "000.def3.optimal@central": lambda: all(best_central(m) for m in (Fraction(3), Fraction(20))),
    "000.base.olh.var": lambda: varies(
        "shared",
        s2,
        lambda case, n, f: (case.w + case.labels - 1) ** 2 / (n * (case.labels - 1) * (case.w - 1) ** 2),
        nobody=True,
        dummies=(0,),
    )(),
    "000.base.murs.var": lambda: all(best_central(m) for m in (Fraction(3), Fraction(20))),
    "000.base.sh.unbiased": unbiased("grr", t3, (0,)),
    "000.base.sh.var": varies("grr", t3, t3_grr, dummies=(0,)),
    "000.base.puredump.unbiased": unbiased("plain", pure),
    "000.base.puredump.var": varies("plain", pure, lambda case, n, f: Fraction(case.dummies * coin(case.labels), n)),
    "000.base.mixdump.unbiased": unbiased("grr", t3),
    "000.base.mixdump.var": varies("grr", t3, t3_grr),
    "000.base.aue.unbiased": unbiased("aue", aue, (0,)),
    "000.base.aue.var": varies("aue", aue, lambda case, n, f: case.chance * (1 - case.chance) / n, dummies=(0,)),
    "000.supp.bundle": per_case("grr", bundles),
    "000.supp.bundle.ratio": per_case("grr", largest),
}

"""By claim, whether it holds in all of these cases."""
