"""Checks of input from outside: arrays, columns, text, documents."""
