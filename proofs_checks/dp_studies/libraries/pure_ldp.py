"""pure-ldp 1.2.0: frequency oracles with the defaults of its README. Its items are 1 .. d, its estimates counts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dp_studies.libraries.base import FAR, LN3, Audited, Library, Repair, Texts, evaluated

SEED = (3,)
"""Seed 3 of xxh32: cells 0, 0, 1 (g = 2), 0, 1, 1 (g = 3) and 0, 2, 1 (g = 4) of the items 0, 1, 2."""
IMPORTS = "from pure_ldp.frequency_oracles import *; from pure_ldp.core import *"


def _client(call: str, **more: object) -> Texts:
    """A client, as reproductions show it: with braces around parameters."""
    reproduce = (
        f"from collections import Counter; {IMPORTS}",
        f"client = {call}",
        "print(Counter(repr(client.privatise({{input}} + 1)) for _ in range(10000)))",
    )
    return {"client": evaluated(call), "report": "client.privatise(item + 1)", "reproduce": reproduce, **more}


def _pair(client: str, server: str = "", reports: str = "report", **more: object) -> Texts:
    """A client, and a server that is given `reports`: where there is no text of it, it differs in the word at `*`."""
    client, server = client.replace("*", "Client"), server or client.replace("*", "Server")
    return {
        **_client(client),
        "server": evaluated(server),
        "aggregate": "server.aggregate(report)",
        "estimate": "server.estimate_all(range(1, d + 1), suppress_warnings=True)",
        "reproduce_estimate": (
            f"import numpy as np; {IMPORTS}",
            f"server = {server}; [server.aggregate({reports}) for report in {{{{reports}}}}]",
            "print(server.estimate_all(range(1, {d + 1}), suppress_warnings=True))",
        ),
        **more,
    }


def _hashed(call: str) -> Texts:
    """Local hashing, given the seed; the mechanism's report is the cell."""
    return _pair(
        call,
        made=evaluated(call).replace("*", "Client"),
        canonical="int(report[0])",
        conditions="[int(report[1])]",
        facts="{'hash': cells(d, conditioned[0], made.g)}",
    )


def _fast(client: str, server: str) -> Texts:
    """Local hashing with k hash functions."""
    facts = "{'hashes': [cells(d, seed, made.g) for seed in range(k)]}"
    return _pair(client, server, made=evaluated(client), facts=facts)


def _sketch(server: str, client: str, reports: str) -> Texts:
    """A server and a client with k hash functions into m columns. Items are text: the library hashes str(item)."""
    facts = "{'hashes': tables(made.get_hash_funcs(), d)}"
    return _pair(client, server, reports, made=evaluated(server), facts=facts)


def _count_mean_sketch(hadamard: bool) -> Texts:
    return _sketch(
        f"CMSServer({{epsilon}}, {{k}}, {{m}}, {hadamard})",
        f"CMSClient({{epsilon}}, generate_hash_funcs({{k}}, {{m}}), {{m}}, {hadamard})",
        "(np.array(report[0]), *report[1:])",
    )


def _count_sketch(median: bool) -> Texts:
    """Private count sketch. It has k functions of signs, too."""
    functions = "list(zip(generate_hash_funcs({k}, {m}), generate_hash_funcs({k}, 2)))"
    texts: Mapping[str, Any] = _sketch(
        f"PCSServer({{epsilon}}, {{k}}, {{m}}, {median})",
        f"PCSClient({{epsilon}}, {{k}}, {{m}}, {functions})",
        "(np.array(report[0]), report[1])",
    )
    *first, last = texts["reproduce_estimate"]
    comment = "# with a numpy before 2.4: later ones refuse the zeros(None) of its server"
    facts = "{name: tables(h, d) for name, h in zip(('hashes', 'signs'), zip(*made.get_hash_funcs()))}"
    return {**texts, "facts": facts, "reproduce_estimate": (*first, f"{last}  {comment}")}


def _updated(texts: Mapping[str, Any]) -> Texts:
    """Client and server made for half of epsilon, then updated to it."""
    kinds = ("made", "client", "server")
    changed = {name: f"updated(lambda epsilon: {texts[name]}, epsilon)" for name in kinds if name in texts}
    reproduction = {
        name: _halved(kind, *texts[name]) for name, kind in (("reproduce", "client"), ("reproduce_estimate", "server"))
    }
    return {**texts, **changed, **reproduction}


def _halved(kind: str, first: str, made: str, last: str) -> tuple[str, str, str]:
    made, semicolon, rest = made.partition("; ")
    halved = made.replace("{epsilon}", "{epsilon / 2}")
    return first, f"{halved}; {kind}.update_params(epsilon={{epsilon}}){semicolon}{rest}", last


FAMILY = "[[generate_hash({m}, c * {k} + j) for j in range({k})] for c in range({cohorts})]"
TEXTS: Mapping[str, Mapping[str, Any]] = {
    "GRR": _pair("DE*({epsilon}, {d})"),
    "SUE": _pair("UE*({epsilon}, {d}, use_oue=False)", reports="np.array(report)"),
    "OUE": _pair("UE*({epsilon}, {d}, use_oue=True)", reports="np.array(report)"),
    # a report is what the server's thresholding makes of the client's vector, which it overwrites
    "THE": _pair(
        "HEClient({epsilon}, {d})",
        "HEServer({epsilon}, {d}, use_the=True)",
        "np.array(report, dtype=float)",
        made="HEServer(epsilon, d, use_the=True)",
        report="[int(entry > made.theta) for entry in client.privatise(item + 1)]",
        aggregate="server.aggregate(np.array(report, dtype=float))",
    ),
    "BLH": _hashed("LH*({epsilon}, {d}, use_olh=False)"),
    "OLH": _hashed("LH*({epsilon}, {d}, use_olh=True)"),
    "FLH": _fast(*(f"FastLH{kind}({{epsilon}}, {{d}}, {{k}}, use_olh=True)" for kind in ("Client", "Server"))),
    "FLH_defaults": _fast(*(f"FastLH{kind}({{epsilon}}, {{d}}, {{k}})" for kind in ("Client", "Server"))),
    "HM": _pair(
        "HadamardMech*({epsilon}, {d}, {t})",
        reports="{'[report]' if t == 1 else 'report'}",
        report="typed(client.privatise(item + 1))",
        canonical="report[1][0] if t == 1 else report[1]",
        aggregate="server.aggregate(report[1])",
    ),
    # the public permutation of the items, a server's, is the identity
    "HR": {
        **_pair("HadamardResponseClient({epsilon}, {d}, range({d}))", "HadamardResponseServer({epsilon}, {d})"),
        "client": "HadamardResponseClient(epsilon, d, HadamardResponseServer(epsilon, d).get_hash_funcs())",
    },
    "CMS": _count_mean_sketch(False),
    "HCMS": _count_mean_sketch(True),
    "PCS": _count_sketch(True),
    "PCS_mean": _count_sketch(False),
    # the server fits a regression: no exact estimator
    "RAPPOR": _client(
        f"RAPPORClient({{f}}, {{m}}, {FAMILY}, {{cohorts}})",
        made=evaluated(FAMILY),
        facts="{'filters': [[[h(str(item)) for h in hashes] for item in range(d)] for hashes in made]}",
    ),
}
CHECKED: Texts = {"report": "client.privatise(checked(item, d) + 1)"}
WHOLE: Texts = {
    "client": "WholeMatrixClient(epsilon, d, t)",
    "server": "WholeMatrixServer(epsilon, d, t)",
    "report": "typed(client.privatise(checked(item, d) + 1))",
}
SCALED: Texts = {"estimate": f"[x * (np.exp(epsilon) + 1) / (np.exp(epsilon) - 1) for x in {TEXTS['PCS']['estimate']}]"}
REFUSED = Repair("a ValueError in the client unless `0 <= index < self.d`", CHECKED)
HADAMARD = Repair(
    "`list(zip(...))` in the client's branch that perturbs; coefficients drawn, and summed by the server, below "
    "the size of the matrix, the next power of two, instead of below d; and a ValueError unless `0 <= index < self.d`",
    WHOLE,
)
UNBIASED = Repair(
    "every entry that is added to the sketch is multiplied by (e^epsilon + 1) / (e^epsilon - 1), which the client's "
    "coin divides it by",
    SCALED,
)
SKETCH: Mapping[str, Any] = {"handed": ("d", "epsilon", "k", "m"), "asks": True}
SMALL: tuple[dict[str, object], ...] = ({"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0})


def _counts(name: str, oracle: str, *parameters: Mapping[str, object], **more: Any) -> Audited:
    """A frequency oracle: the estimates of this library are counts."""
    return Audited(TEXTS[name], oracle, parameters, "counts", **more)


_PROTOCOLS = {
    "GRR": _counts(
        "GRR",
        "GRR",
        {"d": 3, "epsilon": LN3},
        {"d": 4, "epsilon": 1.0},
        *FAR,
        {"d": 8, "epsilon": 4.0},
        repair=Repair(
            "`index = int(self.index_mapper(data))` in DEClient, and a ValueError unless `0 <= index < self.d`; for a "
            "budget whose e^-epsilon is below 2^-53, coins that have more bits than one double (an integer below a "
            "large one)",
            CHECKED,
        ),
    ),
    "SUE": _counts("SUE", "SUE", *SMALL, *FAR, repair=REFUSED),
    "OUE": _counts("OUE", "OUE", *SMALL, *FAR),
    "THE": _counts(
        "THE",
        "THE",
        {"d": 2, "epsilon": 1.0, "theta": 0.6186},
        {"d": 3, "epsilon": LN3, "theta": 0.6289},
        handed=("d", "epsilon"),
        notes=(
            "the client sends d noisy numbers and the server thresholds them: the audited report is the bits",
            "its threshold is the best one rounded to 4 decimals; the oracle has the rounded one",
        ),
    ),
    **{
        name: _counts(
            name,
            "LH",
            {"d": 3, "g": g, "epsilon": LN3},
            handed=("d", "epsilon"),
            conditioned=SEED,
            notes=("expectation and variance are those given the hash function",),
        )
        for name, g in (("BLH", 2), ("OLH", 4))
    },
    "FLH": _counts(
        "FLH",
        "FLH",
        {"d": 3, "g": 4, "epsilon": LN3, "k": 3},
        handed=("d", "epsilon", "k"),
        asks=True,
        notes=("the k hash functions have the seeds 0 .. k-1, always",),
    ),
    "FLH (defaults of client and server)": _counts(
        "FLH_defaults",
        "FLH",
        {"d": 3, "g": 2, "epsilon": LN3, "k": 3},
        handed=("d", "epsilon", "k"),
        asks=True,
        notes=("the client's default is use_olh=False, the server's is use_olh=True; the oracle is the client's",),
        repair=Repair(
            "the same default of use_olh in FastLHClient and FastLHServer",
            {"server": "FastLHServer(epsilon, d, k, use_olh=False)"},
        ),
    ),
    "HM": _counts(
        "HM",
        "HM",
        {"d": 4, "epsilon": LN3, "t": 1},
        {"d": 3, "epsilon": LN3, "t": 1},
        {"d": 4, "epsilon": 37.0, "t": 1},
        notes=("the type of the report (list or zip) is part of the raw output", "t has no default"),
        repair=HADAMARD,
    ),
    "HR": _counts(
        "HR",
        "HR",
        {"d": 3, "epsilon": LN3},
        {"d": 3, "epsilon": 1.0, "blocks": 1},
        {"d": 4, "epsilon": 2.0},
        {"d": 3, "epsilon": 37.0},
        handed=("d", "epsilon"),
        notes=("the public permutation of the items, drawn by the server for epsilon > 1, is the identity here",),
        repair=Repair(
            f"{REFUSED.says}; and the server makes its scheme anew in `update_params` when epsilon crosses 1, as "
            "the client does",
            {**CHECKED, "server": "NewSchemeServer(epsilon, d)"},
        ),
    ),
    "CMS": _counts(
        "CMS",
        "CMS",
        {"d": 3, "epsilon": LN3, "m": 4, "k": 2},
        **SKETCH,
        users=(1,),
        notes=(
            "the hash functions have the seeds 0 .. k-1, always; moments are those given these functions",
            "with numpy 2.4 its server cannot be made (numpy.zeros(None)): answered here as older numpy did",
        ),
    ),
    "HCMS": _counts(
        "HCMS",
        "HCMS",
        {"d": 3, "epsilon": LN3, "m": 4, "k": 2},
        **SKETCH,
        notes=("as CMS",),
    ),
    "PCS": _counts(
        "PCS",
        "PCS",
        {"d": 3, "epsilon": LN3, "m": 3, "k": 2},
        **SKETCH,
        users=(1,),
        repair=UNBIASED,
        notes=("the default estimate is a median of k rows, equal to the mean for k = 2", "as CMS"),
    ),
    "PCS (mean)": _counts(
        "PCS_mean",
        "PCS",
        {"d": 3, "epsilon": LN3, "m": 3, "k": 2},
        **SKETCH,
        users=(1,),
        repair=UNBIASED,
    ),
    "RAPPOR": _counts(
        "RAPPOR",
        "RAPPOR",
        {"d": 3, "f": 0.5, "m": 3, "k": 2, "cohorts": 1},
        handed=("d", "f", "m", "k", "cohorts"),
        asks=True,
        users=(),
        notes=(
            "the server draws the hash functions when it is made: here they have the seeds 0, 1, ...",
            "no instantaneous response, as it documents; estimates are a regression: no exact oracle",
        ),
        repair=Repair(
            "`data[i] = 1 if ... else 0`: a bit that is set is written in both cases; and `else self.hash_family` "
            "in update_params, which forgets the hash functions",
            {"client": "ClearingClient(f, m, made, cohorts)"},
        ),
    ),
}
_FIRST = dict.fromkeys(("GRR", "SUE", "OUE", "THE", "BLH", "OLH", "FLH", "HM", "HR", "CMS", "HCMS", "PCS"), 0)
UPDATED = "client and server were made for epsilon / 2, then `update_params(epsilon=epsilon)`"
REPAIRED_UPDATES = {
    "FLH": Repair(
        "FastLHServer makes its matrix of counts anew in `update_params`, after g has changed",
        {"server": f"recounted({_updated(TEXTS['FLH'])['server']})"},
    ),
    "HM": replace(HADAMARD, adapter=_updated({**TEXTS["HM"], **WHOLE})),
    "PCS": UNBIASED,
}
_UPDATED = {
    f"{name} after update_params": replace(
        _PROTOCOLS[name],
        adapter=_updated(TEXTS[name]),
        parameters=(_PROTOCOLS[name].parameters[place],),
        input_types=("int",),
        outside=(),
        users=(1,),
        reused=False,
        notes=(UPDATED,),
        repair=REPAIRED_UPDATES.get(name),
    )
    for name, place in {**_FIRST, "HR": 1}.items()
}
LIBRARY = Library(
    name="pure-ldp",
    environment="local",
    adapter="pure_ldp.py",
    protocols={**_PROTOCOLS, **_UPDATED},
    notes=("items are 1 .. d in this library",),
    without_oracle={
        "HE (SHE)": "the report is d numbers with Laplace noise: no finite law",
        "SketchResponse": "a sketch around another frequency oracle; its default estimate is the minimum of k rows",
        "ZeroOracle": "sends nothing",
        "heavy hitters (PEM, SFP, TreeHistogram)": "built on the frequency oracles; the output is a set of strings",
    },
)
