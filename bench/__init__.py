"""Benchmarks: ratios measured in one run, since machines are noisy."""
