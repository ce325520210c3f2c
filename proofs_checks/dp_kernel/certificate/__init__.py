"""Certificates: what is checked of each, what they are bound to."""
