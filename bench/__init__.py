"""Benchmarks. They report ratios within one run, since absolute times are noisy."""
