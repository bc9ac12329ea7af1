"""`make bench`: all benchmarks, one after the other, each printing what it measured."""

from bench import adaptive, durability, honesty, imports, latency, questions, region, scoring, tables

if __name__ == "__main__":
    for benchmark in (imports, questions, tables, scoring, region, latency, durability, honesty, adaptive):
        print(f"\n{(benchmark.__doc__ or '').splitlines()[0]}")
        benchmark.run()
