"""The child program: the one folder of ours that runs where the audited code runs, in the environment of its library.

It is copied whole, so that nothing that the code does can change ours, and run as

    python FOLDER MODE [ARGUMENT ...]

* `enumerate` and `observe`: a job, one JSON line, comes on the standard input, JSON lines go to the standard output.
  `enumerate` computes exact laws, with all randomness replaced (`interceptor`); `observe` runs the code as its users
  do, with nothing replaced (`unmodified`). With the argument `kept`, job after job is answered in copies of the
  process.
* `evaluate`: a job, as above, is a declared map or an accountant, evaluated as it is (`maps`). With `kept`, all are
  answered in the one process.
* `serve`: answers the protocol of audited programs, request by request (`server`).

A mode imports what it needs only, and `interceptor` no other mode does. All modules import the standard library and
numpy only, by relative imports, are valid for Python 3.8, and none is named as a module of the standard library. In our
own process the same folder is the package `dp_audit.run.child`; in the child it is `dp_child`.
"""
