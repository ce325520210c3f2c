"""Seconds per report of the audited libraries' clients; runs in their environment, without anything of ours.

    python clients.py DOMAIN_SIZE EPSILON REPORTS

Prints one JSON object: name of the client -> best mean of three rounds, after a warm-up (compilation).
"""

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module


def seconds_per_report(client: Callable[[int], object], size: int, reports: int) -> float:
    for item in range(50):
        client(item % size)
    rounds = []
    for _ in range(3):
        start = time.perf_counter()
        for number in range(reports):
            client(number % size)
        rounds.append((time.perf_counter() - start) / reports)
    return min(rounds)


def main() -> None:
    multi_freq, pure = "multi_freq_ldpy.pure_frequency_oracles", "pure_ldp.frequency_oracles"
    grr_client = import_module(f"{multi_freq}.GRR").GRR_Client
    ue_client = import_module(f"{multi_freq}.UE").UE_Client
    size, epsilon, reports = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    unary = import_module(f"{pure}.unary_encoding").UEClient(epsilon=epsilon, d=size, use_oue=False, index_mapper=int)
    direct = import_module(f"{pure}.direct_encoding").DEClient(epsilon=epsilon, d=size, index_mapper=int)
    clients: dict[str, Callable[[int], object]] = {
        "unary: pure-ldp": unary.privatise,
        "unary: multi-freq-ldpy": lambda item: ue_client(item, size, epsilon, False),
        "grr: pure-ldp": direct.privatise,
        "grr: multi-freq-ldpy": lambda item: grr_client(item, size, epsilon),
    }
    print(json.dumps({name: seconds_per_report(client, size, reports) for name, client in clients.items()}))


if __name__ == "__main__":
    main()
