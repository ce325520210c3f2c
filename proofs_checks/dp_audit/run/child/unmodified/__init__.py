"""Runs a target as its users run it, with nothing replaced, and tells what it did (`run.unmodified_runs` asks).

Reports are told as codes, indices into the list of all different reports so far, which grows by `new`. Phases, in this
order: `counted` (reports only), `first` (before any generator is seeded), `fresh` (a new client for every report, on
random items; also what is left beside the report), `typed` (items of other types), `client` (clients that are used
again and again), `memory` (the same, of mechanisms whose clients keep something for a value), `beside_reports` (if
anything was left beside any: more reports on random items), `raw` (types, order and content of reports on random
items), `updated` (after methods that set parameters), `clock` (under other clocks), `many` (estimates of long lists),
`more` (reports on all inputs, for a test by samples). Of a job with `exit` there is nothing else: processes that report
once and exit.
"""
