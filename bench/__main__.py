"""`make bench`: runs all benchmarks, or those named on the command line, and prints what each measures.

A part of `honesty` has a name of its own, such as `honesty.coverage`.
"""

import sys

from bench import (
    ab_tests,
    adaptive,
    bisection,
    durability,
    honesty,
    imports,
    latency,
    load,
    population,
    questions,
    region,
    scoring,
    tables,
    trade_off,
    uploads,
)

ALL = (
    *(imports, questions, tables, uploads, scoring, region, latency, load, durability, honesty),
    *(bisection, trade_off, adaptive, ab_tests, population),
)

if __name__ == "__main__":
    every = [benchmark.__name__.removeprefix("bench.") for benchmark in ALL]
    named = {benchmark.__name__.removeprefix("bench."): benchmark for benchmark in (*ALL, *honesty.PARTS)}
    if unknown := set(sys.argv[1:]) - set(named):
        sys.exit(f"There is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(named)}")
    for name in sys.argv[1:] or every:
        print(f"\n{(named[name].__doc__ or '').splitlines()[0]}", flush=True)
        named[name].run()
