"""The ways to ask: a file for each method, and a line here for each that is built in.

`method.py` says what a method is, and `search.py` what those that halve intervals have in common.
"""

from evenhand.elicitation.methods.adaptive import Adaptive
from evenhand.elicitation.methods.bisection import Bisection
from evenhand.elicitation.methods.method import NOT_KEPT, Method, make, method_named, names, register
from evenhand.elicitation.methods.paper import LeastSquares, Paper

for method in (Paper, LeastSquares, Bisection, Adaptive):
    register(method)

__all__ = [
    "NOT_KEPT",
    "Adaptive",
    "Bisection",
    "LeastSquares",
    "Method",
    "Paper",
    "make",
    "method_named",
    "names",
    "register",
]
