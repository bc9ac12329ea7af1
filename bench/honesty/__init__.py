"""Honesty: whether intervals cover, alarms are right, rules outside the family are noticed, and sentences are true."""

from bench.honesty import alarms, costs, coverage, links, misfit, order, sampler, sentences, told, what_it_costs

PARTS = (coverage, told, links, what_it_costs, sampler, sentences, order, alarms, misfit, costs)


def run() -> None:
    """Print every part."""
    for part in PARTS:
        print(f"\n {(part.__doc__ or '').splitlines()[0]}", flush=True)
        part.run()
