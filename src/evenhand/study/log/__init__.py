"""The log of a study: rows are only ever added."""
