"""Hypothesis for shared machines: no deadlines, and the same examples on every run of continuous integration."""

import os

from hypothesis import settings

settings.register_profile("evenhand", deadline=None, max_examples=60)
settings.register_profile("ci", settings.get_profile("evenhand"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "evenhand")
