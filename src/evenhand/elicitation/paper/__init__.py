"""The algorithms of the paper."""
