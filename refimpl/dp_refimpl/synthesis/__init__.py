"""Synthetic tables: exact programs of source 003, from the count table to the published records."""
