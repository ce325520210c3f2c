"""The commands of `dp-refimpl` that read, derive and re-check verdicts."""
