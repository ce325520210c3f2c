"""What the signals' audits are run on: a function that takes its time, and (run as a file) a process that does."""

import json
import random
import sys
import time
from typing import Any


def slow(item: int, d: int, epsilon: float) -> int:
    """Some report; every path takes a while."""
    time.sleep(0.2)
    return item if random.random() < 0.6 else random.randrange(d)


def answer(request: Any) -> Any:
    """One answer of the protocol, after a while."""
    time.sleep(0.5)
    if request["op"] == "estimate":
        return {"id": request["id"], "error": "no estimates"}
    return {"id": request["id"], "reports": [random.randrange(3) for _ in range(request["count"])]}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
