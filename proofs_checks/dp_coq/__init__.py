"""A second root of trust: what statements mean, in Coq, and a checker of certificates that is proved to be right.

`meaning/` is what has to be read; `checker/` and `theorems/` are proofs about it. The modules beside them translate
statements (trusted) and evidence (not trusted: a wrong one is refused), run Coq, and compare with what is committed.
"""
