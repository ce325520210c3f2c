"""Certificates: what may stand in their fields, what is checked of each, what they are bound to."""
