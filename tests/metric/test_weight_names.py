"""Every weight has a name, and every chart of weights a heading."""

from __future__ import annotations

from evenhand import Setting
from evenhand.metric.families import Gaps
from evenhand.metric.weight_names import WeightNames
from evenhand.wording.vocabulary import Words


def _names(groups: list[str]) -> WeightNames:
    even = [[1 / len(groups)] * 2] * len(groups)
    return WeightNames.of(Gaps(), Words.plain(Setting(["yes", "no"], groups, even)))


def test_with_several_pairs_of_groups_each_gap_is_named_by_pair_and_mistake() -> None:
    assert _names(["a", "b", "c"]).violation == (
        *("gap a | b: yes → no", "gap a | b: no → yes"),
        *("gap a | c: yes → no", "gap a | c: no → yes"),
        *("gap b | c: yes → no", "gap b | c: no → yes"),
    )


def test_with_one_pair_of_groups_the_mistake_is_name_enough() -> None:
    assert _names(["a", "b"]).violation == _names(["a", "b"]).mistakes == ("yes → no", "no → yes")


def test_the_headings_say_what_costs() -> None:
    names = _names(["a", "b"])
    assert names.cost_of_mistakes == "The cost of each mistake"
    assert names.cost_of_violation == "The cost of gaps between groups"
    assert names.trade_off == "The trade-off (0: only mistakes, 1: only gaps between groups)"
