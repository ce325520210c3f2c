"""A target whose import seeds numpy's global generator, draws from that of `random`, and leaves a process behind."""

import os
import random
import time
from typing import Any

import numpy as np

np.random.seed(7)
SALT = random.random()


class Late:
    """A report of one fair bit."""

    def client(self) -> Any:
        return None

    def privatize(self, client: Any, item: Any) -> Any:
        return random.randint(0, 1)


def leave_a_process() -> None:
    """In a session of its own, which no signal to the target's group reaches, with the pipes still open."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(30)
        os._exit(0)


leave_a_process()
