"""Runs a target as its users run it, with nothing replaced, and tells what it did (`dp_audit.run.unmodified` asks).

This folder imports the standard library only, by relative imports, and is valid for Python 3.8: it is copied whole,
with `dp_audit.run.child_server` (numpy) in it, and runs as a child process in the environment of the audited library:

    python -s -B FOLDER          (a job, one JSON line, on stdin; JSON lines on stdout)

Reports are told as codes, indices into the list of all different reports so far, which grows by `new`. Phases, in this
order: `counted` (reports only), `first` (before any generator is seeded), `fresh` (a new client for every report, on
random items; also what is left beside the report), `typed` (items of other types), `client` (clients that are used
again and again), `memory` (the same, of mechanisms whose clients keep something for a value), `beside_reports` (if
anything was left beside any: more reports on random items), `raw` (types, order and content of reports on random
items), `updated` (after methods that set parameters), `clock` (under other clocks), `many` (estimates of long lists).
Of a job with `exit` there is nothing else: processes that report once and
exit.
"""
