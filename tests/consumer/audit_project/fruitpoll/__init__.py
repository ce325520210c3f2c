"""A poll about fruit under local differential privacy: somebody else's package, whose tests use the pytest plugin."""
