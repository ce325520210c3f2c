"""privadjust 1.0.13."""

from typing import Any

from dp_studies.libraries.base import Audited, Library, Repair, exact

SIZES = {"d": 3, "epsilon": "ln(3)", "m": 4, "k": 2}
GIVEN = ("d", "epsilon", "k", "m")
LOCAL = (
    "the object draws hash functions when it is made; here they are given, and moments are those given these functions",
)


def _sketch(adapter: str, oracle: str, repair: Repair | None = None) -> Audited:
    options: dict[str, Any] = {"unit": "counts", "handed": GIVEN, "asks": True, "users": (1,), "reused": True}
    return exact(adapter, oracle, SIZES, notes=LOCAL, repair=repair, **options)


LIBRARY = Library(
    name="privadjust",
    adapter="privadjust.py",
    environment="further",
    protocols={
        "privateCMSClient": _sketch("CMS", "CMS"),
        "privateHCMSClient": _sketch(
            "HCMS",
            "HCMS",
            Repair(
                "`c_e = (np.exp(self.epsilon) + 1) / (np.exp(self.epsilon) - 1)` in `update_sketch_matrix` (client and "
                "server): the client perturbs one sign with epsilon, not a vector with epsilon / 2",
                "HCMS_repaired",
            ),
        ),
        "privateHCMSServer": _sketch(
            "HCMS_server",
            "HCMS",
            Repair(
                "`self.df = df` at the beginning of privateHCMSServer's `__init__`, and the constant as for "
                "privateHCMSClient",
                "HCMS_server_repaired",
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
