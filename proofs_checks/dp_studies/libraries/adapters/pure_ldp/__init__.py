"""pure-ldp 1.2.0: clients and servers of its frequency oracles. Its items are 1 .. d, its estimates counts.

Parameters and defaults as in its documentation and example.py. Hash functions that a server draws when it is made (they
are public and shared with the clients) are drawn once, with fixed seeds.
"""

from .protocols import *  # noqa: F403 - every class there is a protocol
from .repairs import *  # noqa: F403
from .updates import *  # noqa: F403
