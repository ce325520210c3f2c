"""Synthetic tables on arrays: tables of any size that fits into memory, in floats that decide no verdict."""
