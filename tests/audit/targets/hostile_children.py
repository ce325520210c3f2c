"""Children that speak the audit protocol badly: python hostile_children.py BEHAVIOR. Standard library only.

The answers are those of GRR with d = 2, e^epsilon = 3; most misbehaviors start with the second answer, so that there
is a first one to be kept.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

BEHAVIOR = sys.argv[1] if __name__ == "__main__" else ""
RANDOM = random.SystemRandom()


def reports(request: dict[str, Any], p: float = 0.75) -> list[int]:
    return [request["input"] if RANDOM.random() < p else 1 - request["input"] for _ in range(request["count"])]


def estimates(request: dict[str, Any]) -> list[float]:
    n = len(request["reports"])
    return [(request["reports"].count(x) / n - 0.25) / 0.5 for x in (0, 1)]


def good(request: dict[str, Any]) -> dict[str, Any]:
    if request["op"] == "estimate":
        return {"id": request["id"], "estimates": estimates(request)}
    if request["input"] not in (0, 1):
        return {"id": request["id"], "error": "no such input"}
    return {"id": request["id"], "reports": reports(request)}


def counted(request: dict[str, Any]) -> dict[str, Any]:
    answer = good(request)
    if "reports" not in answer:
        return answer
    drawn = answer["reports"]
    return {"id": request["id"], "counts": [[y, drawn.count(y)] for y in (0, 1)]}


def biased(request: dict[str, Any]) -> dict[str, Any]:
    answer = good(request)
    return answer | ({"reports": reports(request, 0.9)} if "reports" in answer else {})


def wrong_estimates(request: dict[str, Any]) -> dict[str, Any]:
    return good(request) | ({"estimates": [0.5, "1/3"]} if request["op"] == "estimate" else {})


def short_estimates(request: dict[str, Any]) -> dict[str, Any]:
    return good(request) | ({"estimates": [1]} if request["op"] == "estimate" else {})


def no_estimates(request: dict[str, Any]) -> dict[str, Any]:
    return {"id": request["id"], "error": "only samples"} if request["op"] == "estimate" else good(request)


def accepts_everything(request: dict[str, Any]) -> dict[str, Any]:
    if request["op"] == "sample" and request["input"] not in (0, 1):
        return {"id": request["id"], "reports": [0] * request["count"]}
    return good(request)


def seeded(request: dict[str, Any]) -> dict[str, Any]:
    global RANDOM
    if request["id"] == 1:
        RANDOM = random.Random(7)  # type: ignore[assignment]
    return good(request)


def seeded_by_request(request: dict[str, Any]) -> dict[str, Any]:
    global RANDOM
    RANDOM = random.Random(7)  # type: ignore[assignment]
    return counted(request)


def copies(request: dict[str, Any]) -> dict[str, Any]:
    """Every report twice."""
    answer = good(request)
    if "reports" in answer:
        drawn = answer["reports"]
        answer["reports"] = [y for y in drawn for _ in (0, 1)][: len(drawn)]
    return answer


def tells_the_truth_and_dies(request: dict[str, Any]) -> dict[str, Any]:
    if request["id"] == 6:  # two requests for each input come before the audit proper
        sys.exit(5)
    return {"id": request["id"], "reports": reports(request, 1 if request["id"] == 5 else 0.75)}


def refuses(request: dict[str, Any]) -> dict[str, Any]:
    return {"id": request["id"], "error": "not today"}


def crashes_outside(request: dict[str, Any]) -> dict[str, Any]:
    assert request.get("input", 0) in (0, 1)
    return good(request)


def _outside(request: dict[str, Any], drawn: Callable[[int], list[int]]) -> dict[str, Any]:
    """Reports on what is no item, of which `drawn` gives so many."""
    if request["op"] == "sample" and request["input"] not in (0, 1):
        return {"id": request["id"], "reports": drawn(request["count"])}
    return good(request)


def reports_what_is_no_item(request: dict[str, Any]) -> dict[str, Any]:
    """Seldom: in one report of 16."""
    return _outside(request, lambda n: [request["input"] if RANDOM.random() < 1 / 16 else 0 for _ in range(n)])


def takes_it_for_another(request: dict[str, Any]) -> dict[str, Any]:
    return _outside(request, lambda n: reports({"input": 1, "count": n}))


def takes_it_for_another_sometimes(request: dict[str, Any]) -> dict[str, Any]:
    if RANDOM.random() < 1 / 2 and request.get("input", 0) not in (0, 1):
        return {"id": request["id"], "error": "no such input"}
    return takes_it_for_another(request)


def lies_less_outside(request: dict[str, Any]) -> dict[str, Any]:
    return _outside(request, lambda n: reports({"input": 1, "count": n}, 0.97))


def _estimates(request: dict[str, Any], counted: Callable[[int], float]) -> dict[str, Any]:
    """Of counts that are kept in some way."""
    if request["op"] != "estimate":
        return good(request)
    n = len(request["reports"])
    return {"id": request["id"], "estimates": [(counted(request["reports"].count(x)) / n - 0.25) / 0.5 for x in (0, 1)]}


def counts_in_a_byte(request: dict[str, Any]) -> dict[str, Any]:
    return _estimates(request, lambda count: count % 256)


def counts_in_two_bytes(request: dict[str, Any]) -> dict[str, Any]:
    return _estimates(request, lambda count: count % 65536)


def refuses_long_lists(request: dict[str, Any]) -> dict[str, Any]:
    if len(request.get("reports", ())) > 1000:
        return {"id": request["id"], "error": "at most 1000 reports"}
    return good(request)


def dies_of_long_lists(request: dict[str, Any]) -> dict[str, Any]:
    if len(request.get("reports", ())) > 1000:
        sys.exit(1)
    return good(request)


ANSWERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    f.__name__: f
    for f in (
        *(good, counted, biased, wrong_estimates, short_estimates, no_estimates, accepts_everything, seeded),
        *(seeded_by_request, copies, refuses, crashes_outside, tells_the_truth_and_dies),
        *(reports_what_is_no_item, takes_it_for_another, takes_it_for_another_sometimes, lies_less_outside),
        *(counts_in_a_byte, counts_in_two_bytes, refuses_long_lists, dies_of_long_lists),
    )
}

RAW = {
    "not_json": b"hello\n",
    "empty_line": b"\n",
    "array": b"[1]\n",
    "number": b"1\n",
    "python_dict": b"{'id': 2, 'reports': [0]}\n",
    "invalid_utf8": b'{"id":2,"reports":["\xff"]}\n',
    "wrong_id": b'{"id":9,"reports":[0]}\n',
    "text_id": b'{"id":"2","reports":[0]}\n',
    "boolean_id": b'{"id":true,"reports":[0]}\n',
    "no_id": b'{"reports":[0]}\n',
    "extra_field": b'{"id":2,"reports":[0],"note":"x"}\n',
    "both": b'{"id":2,"reports":[0],"counts":[[0,1]]}\n',
    "estimates_instead": b'{"id":2,"estimates":[0]}\n',
    "repeated_key": b'{"id":2,"reports":[1],"reports":[0]}\n',
    "too_few": b'{"id":2,"reports":[]}\n',
    "too_many": b'{"id":2,"reports":[0,0]}\n',
    "negative": b'{"id":2,"counts":[[0,2],[1,-1]]}\n',
    "fractional": b'{"id":2,"counts":[[0,1.0]]}\n',
    "boolean_count": b'{"id":2,"counts":[[0,true]]}\n',
    "twice": b'{"id":2,"counts":[[0,0],[0,1]]}\n',
    "adds_up_wrong": b'{"id":2,"counts":[[0,1],[1,1]]}\n',
    "no_pairs": b'{"id":2,"counts":[[0]]}\n',
    "counts_object": b'{"id":2,"counts":{"0":1}}\n',
    "reports_text": b'{"id":2,"reports":"0"}\n',
    "nan": b'{"id":2,"reports":[NaN]}\n',
    "infinity": b'{"id":2,"counts":[[0,Infinity]]}\n',
    "overflow": b'{"id":2,"reports":[1e999]}\n',
    "float_report": b'{"id":2,"reports":[0.0]}\n',
    "boolean_report": b'{"id":2,"reports":[true]}\n',
    "nested_boolean": b'{"id":2,"reports":[[0,false]]}\n',
    "unsorted_set": b'{"id":2,"reports":[{"set":[1,0]}]}\n',
    "repeated_member": b'{"id":2,"reports":[{"set":[1,1]}]}\n',
    "unreduced": b'{"id":2,"reports":[{"fraction":"2/4"}]}\n',
    "integer_fraction": b'{"id":2,"reports":[{"fraction":"2/1"}]}\n',
    "bad_fraction": b'{"id":2,"reports":[{"fraction":"1/0"}]}\n',
    "bad_bytes": b'{"id":2,"reports":[{"bytes":"0"}]}\n',
    "tagged": b'{"id":2,"reports":[{"item":0}]}\n',
    "two_tags": b'{"id":2,"reports":[{"set":[],"bytes":""}]}\n',
    "bad_error": b'{"id":2,"error":1}\n',
    "nested": b'{"id":2,"reports":[' + b"[" * 100_000 + b"]" * 100_000 + b"]}\n",
    "huge_integer": b'{"id":2,"reports":[' + b"1" * 100_000 + b"]}\n",
    "truncated": b'{"id":2,"rep',
}


def misbehave() -> None:
    """In place of the second answer."""
    out = sys.stdout.buffer
    if BEHAVIOR in RAW:
        out.write(RAW[BEHAVIOR])
        out.flush()
        if BEHAVIOR == "truncated":
            sys.exit(0)
    elif BEHAVIOR == "prompts":
        out.write(b'> {"id":2,"reports":[0]}\n')
        out.flush()
    elif BEHAVIOR == "exits":
        print("no licence", file=sys.stderr)
        sys.exit(3)
    elif BEHAVIOR == "exits_zero":
        sys.exit(0)
    elif BEHAVIOR == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif BEHAVIOR == "closes_stdout":
        os.close(1)
        time.sleep(600)
    elif BEHAVIOR == "hangs":
        time.sleep(600)
    elif BEHAVIOR == "one_line_forever":
        while True:
            out.write(b"0" * 65536)
    elif BEHAVIOR == "lines_forever":
        while True:
            out.write(b'{"id":2,"reports":[0]}\n' * 1000)
    elif BEHAVIOR == "complains_forever":
        while True:
            os.write(2, b"x" * 65536)
    elif BEHAVIOR == "eats_memory":
        kept = [bytearray(b"x") * (1 << 24) for _ in range(4096)]
        out.write(b'{"id":2,"reports":[%d]}\n' % (len(kept) % 2))
    elif BEHAVIOR in ("leaves_a_child", "leaves_a_session"):
        script = [sys.executable, "-c", "import time; time.sleep(600)"]
        left = subprocess.Popen(script, start_new_session=BEHAVIOR == "leaves_a_session")
        os.write(2, b"left %d" % left.pid)
        os._exit(4)
    else:
        raise SystemExit(f"unknown behavior {BEHAVIOR}")


def main() -> None:
    if BEHAVIOR == "never_reads":
        time.sleep(600)
    if BEHAVIOR == "hangs_at_once":
        sys.stdin.readline()
        time.sleep(600)
    if BEHAVIOR == "greets":
        print("Welcome to GRR 1.0", flush=True)
    for number, line in enumerate(sys.stdin, 1):
        request = json.loads(line)
        if number == 2 and BEHAVIOR not in (*ANSWERS, "greets", "talks_after", "two_answers", "ignores_the_end"):
            misbehave()
            continue
        answer = json.dumps(ANSWERS.get(BEHAVIOR, good)(request))
        print(answer, *([answer] if BEHAVIOR == "two_answers" else []), sep="\n", flush=True)
    if BEHAVIOR == "talks_after":
        print("bye", flush=True)
    if BEHAVIOR == "ignores_the_end":
        time.sleep(600)


if __name__ == "__main__":
    main()
