"""Subset selection (Wang et al. 2016; Ye, Barg 2018): PrivSet for one item per user. Its law is `privset.PLAIN`."""

from dp_spec.frequency.privset import ONE_HELD, ONE_OTHER
from dp_spec.vocabulary.law import USERS, F

P, Q = ONE_HELD, ONE_OTHER
"""The chance that the user's item is in the subset, and that another one is; D = d items, subsets of k."""
VARIANCE = (F * P * (1 - P) + (1 - F) * Q * (1 - Q)) / (USERS * (P - Q) ** 2)
"""Of the estimated frequency."""
