"""Adapters: how to build the client and server of an audited library, in the library's own environment.

`texts` evaluates what the rows of a library say. Another adapter file is loaded by the interceptor's child process
in the same way and imports nothing of ours, either. It has one class per protocol,
made from the parameters of the audit, with `client()`, `privatize(client, item)`, `server()`, `aggregate(server,
report)` and `estimate(server)`; items are 0 .. d-1 and an estimate is the list of the library's numbers for them.
"""
