"""pure-ldp 1.2.0: clients and servers of its frequency oracles. Its items are 1 .. d, its estimates counts.

Parameters and defaults as in its documentation and example.py. Hash functions that a server draws when it is made (they
are public and shared with the clients) are drawn once, with fixed seeds.
"""

from .encodings import GRR, OUE, SUE, THE, GRR_repaired, SUE_repaired
from .hadamard import HM, HR, HM_repaired, HR_repaired
from .hashing import BLH, FLH, OLH, FLH_defaults, FLH_defaults_repaired
from .sketches import CMS, HCMS, PCS, RAPPOR, PCS_mean, PCS_mean_repaired, PCS_repaired, RAPPOR_epsilon, RAPPOR_repaired
from .updated import (
    BLH_updated,
    CMS_updated,
    FLH_updated,
    FLH_updated_repaired,
    GRR_updated,
    HCMS_updated,
    HM_updated,
    HM_updated_repaired,
    HR_updated,
    OLH_updated,
    OUE_updated,
    PCS_updated,
    PCS_updated_repaired,
    SUE_updated,
    THE_updated,
)

__all__ = [
    "BLH",
    "CMS",
    "FLH",
    "GRR",
    "HCMS",
    "HM",
    "HR",
    "OLH",
    "OUE",
    "PCS",
    "RAPPOR",
    "SUE",
    "THE",
    "BLH_updated",
    "CMS_updated",
    "FLH_defaults",
    "FLH_defaults_repaired",
    "FLH_updated",
    "FLH_updated_repaired",
    "GRR_repaired",
    "GRR_updated",
    "HCMS_updated",
    "HM_repaired",
    "HM_updated",
    "HM_updated_repaired",
    "HR_repaired",
    "HR_updated",
    "OLH_updated",
    "OUE_updated",
    "PCS_mean",
    "PCS_mean_repaired",
    "PCS_repaired",
    "PCS_updated",
    "PCS_updated_repaired",
    "RAPPOR_epsilon",
    "RAPPOR_repaired",
    "SUE_repaired",
    "SUE_updated",
    "THE_updated",
]
