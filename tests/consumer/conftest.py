"""The suites of the consumers run in environments of their own, with the wheel (`test_wheel.py`)."""

collect_ignore = ["audit_project"]
