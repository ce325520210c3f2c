"""privadjust 1.0.13."""

from typing import Any

from dp_studies.libraries.base import Audited, Library, Repair, Texts, exact

SIZES: dict[str, object] = {"d": 3, "epsilon": "ln(3)", "m": 4, "k": 2}
GIVEN = ("d", "epsilon", "k", "m")
LOCAL = (
    "the object draws hash functions when it is made; here they are given, and moments are those given these functions",
)


def _texts(module: str, name: str, counter: str = "", estimator: str = "estimate_client") -> Texts:
    """An object of a client, and what counts the reports: by default it, in its own simulation of the server."""
    return {
        "made": f"lambda size: {name}(epsilon, k, m, frame(d, size))",
        "client": "made(d)",
        "report": "client.client(item)",
        "facts": "{'hashes': tables(d, k, m)}",
        "server": "[]",
        "aggregate": "server.append(report)",
        "estimate": f"[counter.{estimator}(item) for counter in [added({counter}(made(len(server))), server)] "
        "for item in range(d)]",
        "reproduce": (
            f"import pandas as pd; from privadjust.{module} import {name}",
            "data = pd.DataFrame({{'value': range({d})}})",
            f"print({name}({{epsilon}}, {{k}}, {{m}}, data).client({{{{input}}}}))",
        ),
        # their mean is the number of values, if they are unbiased
        "reproduce_estimate": (
            f"import pandas as pd; from privadjust.{module} import {name}; "
            "data = pd.DataFrame({{'value': [0] * 20000}})",
            f"made = {name}({{epsilon}}, {{k}}, {{m}}, data)",
            "print(made.server_simulator([made.client(0) for _ in range(20000)])[0])",
        ),
    }


def _hadamard(counter: str = "", estimator: str = "estimate_client") -> Texts:
    return _texts("hadamard_count_mean.private_hcms_client", "privateHCMSClient", counter, estimator)


SERVER: Texts = {
    **_hadamard("server_of", "estimate_server"),
    "reproduce_estimate": (
        "import pandas as pd; from privadjust.hadamard_count_mean.private_hcms_server import privateHCMSServer",
        "data = pd.DataFrame({{'value': [0, 1]}})",
        "privateHCMSServer({epsilon}, 2, 4, data, [])",
    ),
}
"""The server is made as its command makes it."""


def _sketch(texts: Texts, oracle: str, repair: Repair | None = None) -> Audited:
    options: dict[str, Any] = {"unit": "counts", "handed": GIVEN, "asks": True, "users": (1,), "reused": True}
    return exact(texts, oracle, SIZES, notes=LOCAL, repair=repair, **options)


LIBRARY = Library(
    name="privadjust",
    environment="further",
    adapter="privadjust.py",
    protocols={
        "privateCMSClient": _sketch(_texts("count_mean.private_cms_client", "privateCMSClient"), "CMS"),
        "privateHCMSClient": _sketch(
            _hadamard(),
            "HCMS",
            Repair(
                "`c_e = (np.exp(self.epsilon) + 1) / (np.exp(self.epsilon) - 1)` in `update_sketch_matrix` (client and "
                "server): the client perturbs one sign with epsilon, not a vector with epsilon / 2",
                _hadamard("doubled"),
            ),
        ),
        "privateHCMSServer": _sketch(
            SERVER,
            "HCMS",
            Repair(
                "`self.df = df` at the beginning of privateHCMSServer's `__init__`, and the constant as for "
                "privateHCMSClient",
                {**_hadamard("repaired_server", "estimate_server"), "reproduce_estimate": SERVER["reproduce_estimate"]},
            ),
        ),
    },
    notes=(
        "its hash functions apply Python's `hash`, which is another one in every process for text: reports can only be "
        "counted in the process that made them",
        "installed without what its plots, tables and search for parameters use",
    ),
    without_oracle={"CMSClient": "a sketch without privacy"},
)
