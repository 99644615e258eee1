"""Benchmarks: each module prints one table of an issue, measured in one run."""
