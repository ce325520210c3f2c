"""Enumerate, prove, refute, certify, audit: where specification and implementation meet."""
