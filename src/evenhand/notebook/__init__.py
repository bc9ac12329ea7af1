"""Interviews in a notebook: the pages' cards in a cell, and the answers in the next one."""

from evenhand.notebook.oracle import NotebookOracle

__all__ = ["NotebookOracle"]
