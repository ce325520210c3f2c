"""Adapters: how to build the client and server of an audited library, in the library's own environment.

An adapter file is loaded by the child process of an audit and imports nothing of ours. Its `Texts` (of `texts.py`) is
what the rows of `dp_studies.libraries` say, evaluated with the names that the file has. What is no expression is a
class, made from the parameters of the audit, with `client()`, `privatize(client, item)`, `server()`,
`aggregate(server, report)` and `estimate(server)`; items are 0 .. d-1 and an estimate is the list of the library's
numbers for them.
"""
