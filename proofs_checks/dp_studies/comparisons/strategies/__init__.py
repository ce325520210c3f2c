"""Strategies for workloads of linear queries."""
