"""The certificate kernel: re-checks evidence with the standard library's exact integers and fractions only.

It trusts nothing that found the evidence: it derives numerators, domains and comparisons from the certificate's
statement, and recomputes the laws of the papers' tables with its own few lines. What acceptance does not show: that a
table is the law of the program in `dp_refimpl` (`dp-refimpl verify --replay` re-enumerates that).
"""

from dp_kernel.certificate.check import verify
from dp_kernel.meter import Rejected

__all__ = ["Rejected", "verify"]
