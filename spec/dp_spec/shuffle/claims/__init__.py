"""The formal statements of source 000 by claim id, grouped as its sections are."""
