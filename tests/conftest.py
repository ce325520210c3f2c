"""Settings for the whole suite: the hypothesis profile and a matplotlib that needs no screen."""

import gc
import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")

pytest_plugins = ("consumer.wheel_environment",)

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci", max_examples=50, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

gc.disable()  # until all tests are collected: they stay, and looking through them takes a third of the time


def pytest_collection_finish() -> None:
    """Seventeen thousand tests stay alive: nobody looks through them again, neither the collector nor an audit that
    scans all objects for generators of random numbers."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, 100)  # what is old is kept results: the collector looks through it ten times less often
