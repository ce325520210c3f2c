"""Exact output laws of foreign Python code: its randomness is replaced by coins, replayed until every path is taken.

Probabilities are `fractions.Fraction`. What each replaced primitive is modeled as:

* a uniform double (`random.random`, `SystemRandom().random`, `numpy.random.random`, `.rand`, `.uniform`, ...):
  k / 2^53, k uniform on 0 .. 2^53 - 1, which is what the libraries return given perfect random bits. It is lazy:
  undetermined until it is compared with a constant or rounded to an integer. Arithmetic with constants is the float
  arithmetic of the target, so that every comparison is decided on the very doubles, by bisection for the k at which
  its outcome changes. Equality with a constant, signs and absolute values are comparisons; a remainder is the draw
  less a multiple that is chosen.
  `Generator.random(dtype=float32)`: k / 2^24, one draw, which is compared only (an array of them is not modeled: what
  type it is compared in depends on the other side).
  An element of an array, and what is made with a scalar of numpy, stands for a `numpy.float64`, so that comparing it
  gives a `numpy.bool`; other draws for a `float`.
* `log`, `log1p`, `log2`, `log10`, `exp`, `expm1`, `sqrt` of `math` and numpy, of a lazy draw: the function of this
  machine on the very doubles; bisection takes it to be monotone on them (known for sqrt, so in practice otherwise).
* `laplace`, `gumbel`, `logistic` of `RandomState` and `Generator`, `exponential` of `RandomState`,
  `Generator.standard_exponential(method="inv")`: lazy; numpy's C formula of one uniform double, with this machine's
  log, which is monotone in the same sense. numpy redraws a uniform 0 for the first three: k is on 1 .. 2^53 - 1.
  `random.expovariate` and the like are the standard library's own code on a lazy uniform double.
* `Generator.exponential` is a ziggurat in numpy. Idealized: -scale log(1 - u) for a uniform double u (a
  probability of this law differs from that of the exponential law by about 2^-53).
* `geometric(p)`: for p >= 1/3 numpy's search on one uniform double, given that it ends; for p < 1/3
  ceil(log1p(-u) / log1p(-p)), which is numpy's formula for `RandomState`, and idealized for `Generator` (a ziggurat).
* `choice(p=...)`: numpy's own rule on the doubles: cdf = cumsum(p) / last, index = number of cdf entries <= uniform;
  without replacement, numpy's rounds of it.
* `random.choices` with weights: the standard library's bisection on the doubles u * total.
* integers, permutations, shuffles, samples, `choice` without p, `random.SystemRandom` (also one made before the
  interception), `secrets`, `os.urandom`: exactly uniform. Single integers of `random`, `secrets` and numpy are lazy:
  undetermined until they are compared, reduced, shifted or masked, which splits what is left of them; any other use
  enumerates it. So is the single integer that `choice` and `choices` draw from a list, with weights or without, until
  it is compared; a remainder of more values than there may be paths (what it was taken of is then not used again); and
  bytes, until an integer is made of them. Where compiled code takes real integers only, all are enumerated from the
  start.
* in functions of the target's file, `int(x)`, `float(x)`, `members[x]` and `int.from_bytes(x)` are rewritten so that
  an undetermined x stays so (`rewrite`); a file that binds the name `int` or `float` keeps its own.
* what an output holds of one draw, at any depth of lists and tuples, is counted jointly (`joint_outcomes`); whatever is
  undetermined elsewhere in it is enumerated first.
* a generator that is seeded with such a draw among 2^32 or more, of which nothing else is asked: as an unseeded one.
* `binomial(n, p)`: the binomial law at the exact rational value of the double p. (numpy computes its thresholds with
  `exp` and `log`, so that its law differs from this in the last bits: idealized.)
* `multinomial(n, p)`: the multinomial law at the exact rational values of the doubles p (idealized likewise).
* children that an unseeded generator, bit generator or `SeedSequence` spawns: independent unseeded ones.
* an integer draw with too many outcomes to enumerate has an outcome that the job gives, if it gives any
  (`Limits.conditioned`), and so has one outside the audited call. The law is that given these outcomes. A generator
  that is seeded with such an outcome (outside the audited call: with any integer) is the real one.

Paths are walked from the most probable on, until at most 2^-60 of the probability is left: a loop has no last path.
What modules draw and seed while they are imported is not the target's (they draw from real generators); generators
that the target's file makes then are replaced, and those it seeds raise `Seeded` when they are drawn from.

`Law.models` names what was used. Everything else raises `UnmodeledRandomness`: other distributions, other lazy draws
compared with each other, a lazy draw that is used as a number, a draw from a generator that was not replaced, a draw in
another thread, the start of a thread or a process, devices of randomness, `random` or `numpy.random` imported afresh or
patched by the target. A seed of the target's own raises `Seeded`. The first 500 paths of a law (fewer, where there are
laws on more than 40 inputs), and then every 16th, are run twice on the same coins, and a difference raises too. This
finds what is unmodeled by mistake; it is no fence against code that means to deceive it, and C code that draws on its
own account (through cffi, or inside an extension module) is seen only if two runs differ.
"""
