"""multi-freq-ldpy 0.2.5: functions X_Client and X_Aggregator_MI. Its items are 0 .. d-1, its estimates frequencies.

Its aggregators take the list of all reports; here the list is the server. Arguments are those of its documentation,
with its defaults. In multidimensional protocols an item is a list, and estimates are all of attribute 0, then all of
attribute 1, ...
"""

from .common import prepare as prepare
from .one import *  # noqa: F403 - every class there is a protocol
from .several import *  # noqa: F403
