"""Seconds of DataSynthesizer's scores; runs in the environment of the audited libraries, without anything of ours.

    python scores.py FILE PAIRS

FILE is a table as numpy saves arrays, PAIRS a JSON list of pairs of a column and a list of others. Prints a JSON list
of [seconds, score]; values are turned into text before, once, as in the library.
"""

import json
import sys
import time
from importlib import import_module


def main(file: str, pairs: str) -> None:
    numpy, pandas = import_module("numpy"), import_module("pandas")
    score = import_module("DataSynthesizer.lib.utils").mutual_information
    data = pandas.DataFrame(numpy.load(file)).astype(str)
    rows = []
    for x, parents in json.loads(pairs):
        start = time.perf_counter()
        value = score(data[x], data[parents])
        rows.append([time.perf_counter() - start, float(value)])
    print(json.dumps(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
