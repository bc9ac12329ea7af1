"""A whole elicitation by A/B tests finds the model that the population's outcomes favour, with fewer users."""

from functools import cache

from bench.population import FIXED, SEQUENTIAL, Elicitation, elicited


@cache
def runs(design: str) -> list[Elicitation]:
    return [elicited(seed, design) for seed in range(4)]


def test_sequential_tests_find_the_best_model_with_fewer_users_than_fixed_samples() -> None:
    assert all(run.found_best for run in runs(SEQUENTIAL))
    sequential, fixed = (sum(sum(run.users) for run in runs(design)) for design in (SEQUENTIAL, FIXED))
    assert sequential < 0.75 * fixed


def test_large_differences_take_few_users() -> None:
    clear = [
        users / planned
        for run in runs(SEQUENTIAL)
        for users, planned, difference in zip(run.users, run.planned, run.differences, strict=True)
        if difference >= 0.04
    ]
    assert clear
    assert max(clear) < 0.25
