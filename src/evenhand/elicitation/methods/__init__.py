"""The ways to ask, one file each."""
