"""Counts the rows of arrays, data frames and database tables."""
