"""How far to trust answers: terminal, report and pages say it in the same sentences."""

from __future__ import annotations

import io
from dataclasses import replace
from html import unescape

import pytest
from rich.console import Console
from tests.support.quick import study

from evenhand import Elicited, FairMetric, Finding, SimulatedOracle, elicit, rank
from evenhand.display.names import capitalised
from evenhand.elicitation import Choice, Reliability
from evenhand.elicitation.finding import VERDICTS, OtherRule, Verdict, VerdictKind
from evenhand.metric.sentences import CAVEAT
from evenhand.report.document import report
from evenhand.report.reliability import HEADINGS, certainty, diagnostics, nearest_in_words, order_in_words, steadiness
from evenhand.report.terminal.guide import result
from evenhand.wording.vocabulary import Words

SURE = Reliability(
    attending=0.99,
    lapse_rate=0.1,
    lapse_interval=(0.06, 0.2),
    predictive=(0.4, 0.6, 0.9),
    misfit=0.5,
    consistency=0.5,
    repeats=2,
)


def found(reliability: Reliability | None, kind: VerdictKind = "decided") -> Finding:
    """Return a finding with nothing but this to say of its answers."""
    metric = FairMetric.random(study().setting, 0)
    return Finding(metric=metric, verdict=Verdict(kind=kind), reliability=reliability)


def squeezed(text: str) -> str:
    return " ".join(unescape(text).split())


@pytest.fixture(scope="module")
def decided() -> Elicited:
    """What is learned from somebody who is asked enough."""
    one = study()
    return elicit(
        SimulatedOracle(FairMetric.random(one.setting, 0)),
        one.setting,
        method="adaptive",
        candidates=one.candidates,
        stop="budget",
        max_questions=30,
        random_state=0,
    )


def on_a_terminal(finding: Finding) -> str:
    console = Console(file=io.StringIO(), width=80, markup=False, emoji=False, highlight=False)
    console.print(result(finding, 12, candidates=study().candidates))
    assert isinstance(console.file, io.StringIO)
    return squeezed(console.file.getvalue())


def test_terminal_and_report_say_the_same(decided: Elicited) -> None:
    one, finding = study(), decided
    shared = [
        *finding.sentences(Words.spoken(one.setting)),
        *certainty(finding),
        *steadiness(finding.reliability),
        *order_in_words(finding),
        *nearest_in_words(finding, one.candidates),
        CAVEAT,
    ]
    assert len(shared) >= 6
    for text in (on_a_terminal(finding), squeezed(report(finding, candidates=one.candidates).html())):
        for sentence in shared:
            assert sentence in text, sentence


def test_what_was_measured_is_said_in_numbers() -> None:
    assert [line.split(".")[0] for line in steadiness(SURE)] == [
        "2 questions came again, and 1 of them got the same answer",
        "2 of 3 answers could be predicted from the answers before",
    ]
    sure = diagnostics(found(SURE))
    assert "About 10% of the answers" in sure[0]
    assert sure[1].endswith("99%.")


@pytest.mark.parametrize(
    ("consistency", "repeats", "said"),
    [
        (1.0, 1, "1 question came again, and it got the same answer."),
        (1.0, 4, "4 questions came again, and all got the same answer."),
        (0.0, 2, "2 questions came again, and none got the same answer."),
        (0.25, 4, "4 questions came again, and 1 of them got the same answer."),
    ],
)
def test_repeats_that_all_agree_or_none_are_told_without_a_percentage(
    consistency: float, repeats: int, said: str
) -> None:
    assert steadiness(replace(SURE, consistency=consistency, repeats=repeats))[0].startswith(said)


def test_what_was_not_measured_is_not_said() -> None:
    once = Reliability(attending=0.9, lapse_rate=0.1, lapse_interval=(0.06, 0.2), predictive=(), misfit=0.5)
    assert steadiness(once) == steadiness(None) == diagnostics(found(None)) == []
    assert Choice(best="A").sentences() == ["The answers favour “A”."]


def test_certainty_is_never_rounded_up() -> None:
    said = Choice(best="A", best_certainty=0.899, probabilities={"A": 0.699}, ranking=("A", "B", "C")).sentences()
    assert said == [
        "The answers make “A” as good as the best of the 3 models with 89% probability.",
        "Allowing for the small test set: 69%.",
    ]


def test_the_models_that_the_test_set_does_not_tell_apart_come_first() -> None:
    chances = {"A": 0.3, "B": 0.2, "C, too": 0.35, "D": 0.01}
    choice = Choice(best="A", best_certainty=0.96, probabilities=chances, ranking=("A", "B", "C, too", "D"))
    assert choice.not_told_apart == ("C, too", "B")
    finding = Finding(metric=FairMetric.random(study().setting, 0), choice=choice)
    assert certainty(finding) == [
        "The test set is too small to tell “A” from “C, too” and “B”.",
        "The answers make “A” as good as the best of the 4 models with 96% probability.",
        "Allowing for the small test set: 30%.",
    ]
    assert replace(choice, probabilities=chances | {"A": 0.92}).not_told_apart == ()
    assert Choice(best="A").not_told_apart == ()


def test_the_order_is_told_with_what_the_questions_were_about() -> None:
    metric = FairMetric.random(study().setting, 0)
    finding = Finding(metric=metric, choice=Choice(best="A", ranking_certainty=0.868), stopped_because="ranking")
    assert finding.order == "Of 100 pairs of models, about 86 are in the right order by the rates as measured."
    about_best = replace(finding, stopped_because="best").order
    assert about_best is not None
    assert about_best.endswith("The questions were about the best model, not about the order of the others.")
    assert Finding(metric=metric).order is None


def test_every_verdict_has_a_heading() -> None:
    assert set(HEADINGS) == set(VERDICTS)


def test_where_nothing_should_be_decided_the_terminal_leads_with_that_and_tells_no_weight() -> None:
    metric = FairMetric.random(study().setting, 0)
    for kind in VERDICTS[1:]:
        verdict = Verdict(kind=kind, reason="So few.", advice="More would help.")
        finding = Finding(metric=metric, verdict=verdict, warnings=("So few.", "Odd."), choice=Choice(best="model 1"))
        text = on_a_terminal(finding)
        places = [text.index(words) for words in (HEADINGS[kind], "So few.", "More would help.", "Odd.")]
        assert places == sorted(places)
        for words in ("model 1", "The cost of", "trade-off", "best"):
            assert words not in text, words


def test_a_lapse_rate_is_told_only_if_the_answers_tell_it() -> None:
    by_the_prior_alone = replace(SURE, lapse_interval=(0.013, 0.5))
    assert by_the_prior_alone.lapses is None
    assert not any("nothing to do" in line for line in diagnostics(found(by_the_prior_alone)))
    assert SURE.lapses is not None
    assert "About 10% of the answers, between 6% and 20%," in SURE.lapses


def test_answers_that_follow_something_else_are_not_called_random_nor_said_to_follow_a_metric() -> None:
    rule = replace(SURE, other_rule=OtherRule("the rule “the worst-off group”", 40, 45))
    said = diagnostics(found(rule, "another rule"))
    assert said == [f"{capitalised(str(rule.other_rule))}."]
    change = replace(SURE, other_rule=OtherRule("a change of mind", None, 45))
    assert len(diagnostics(found(change, "change of mind"))) == 1
    assert diagnostics(found(SURE, "swapped answers")) == []
    assert diagnostics(found(SURE, "undecided answers")) == []  # which follow no metric, and no rule was tried
    assert diagnostics(found(SURE, "no answers")) == []
    assert not any("seem to have nothing to do" in line for line in diagnostics(found(SURE, "unreliable answers")))


def test_rules_that_explain_the_answers_a_little_better_are_not_said_to_explain_them_no_better() -> None:
    assert diagnostics(found(SURE))[-1].endswith("were tried: they do not explain the answers clearly better.")
    better = diagnostics(found(replace(SURE, misfit=16.2)))[-1]
    assert "16 times as likely as by metrics of the family. From 20 times on" in better


def test_a_favourite_that_does_not_come_first_in_the_order_is_explained_wherever_the_order_is_shown() -> None:
    one = study()
    first, second, *_ = rank(FairMetric.random(one.setting, 0), one.candidates).names
    choice = Choice(best=second, best_certainty=0.5, ranking=(first, second), ranking_certainty=0.8)
    finding = Finding(metric=FairMetric.random(one.setting, 0), choice=choice)
    (told, outdone) = order_in_words(finding)
    assert told == finding.order
    assert outdone.startswith(f"By the one metric that is told, “{first}” costs least")
    for text in (on_a_terminal(finding), squeezed(report(finding, candidates=one.candidates).html())):
        assert outdone in text
    assert order_in_words(replace(finding, choice=replace(choice, best=first))) == [finding.order]


@pytest.mark.parametrize(
    ("stopped", "sure", "heading"),
    [
        ("best", 0.86, "Recommended: A"),
        ("budget", 0.95, "Recommended: A"),
        ("budget", 0.64, "Favoured, but not settled: A"),
        ("ranking", 0.64, "Favoured, but not settled: A"),
        (None, None, "Recommended: A"),
    ],
)
def test_a_model_is_recommended_only_if_the_answers_settle_it(
    stopped: str | None, sure: float | None, heading: str
) -> None:
    choice = Choice(best="A", best_certainty=sure, probabilities={} if sure is None else {"A": sure, "B": 0.3})
    finding = Finding(metric=FairMetric.random(study().setting, 0), choice=choice, stopped_because=stopped)
    assert report(finding).heading == heading


def test_an_exact_person_is_not_told_of_lapses_after_a_few_answers() -> None:
    one = study()
    finding = elicit(
        SimulatedOracle(FairMetric.random(one.setting, 1)), one.setting, stop="budget", max_questions=9, random_state=1
    )
    assert finding.reliability is not None
    assert finding.reliability.lapses is None
    assert "nothing to do with" not in " ".join((*finding.warnings, *diagnostics(finding)))


def test_a_model_that_looks_better_by_its_test_set_than_the_favourite_is_named_wherever_the_order_is_shown() -> None:
    one = study()
    metric = FairMetric.random(one.setting, 0)
    first, second, *_ = rank(metric, one.candidates).names
    chances = dict.fromkeys(one.candidates, 0.0) | {first: 0.168, second: 0.283}
    choice = Choice(best=first, best_certainty=0.71, probabilities=chances, ranking=(first, second))
    finding = Finding(metric=metric, choice=choice)
    (told,) = order_in_words(finding)
    assert told == (
        f"Allowing for the test set, “{second}” is as good as the best with 28% probability, “{first}” with 16%: "
        "which of them looks best may be chance."
    )
    for text in (on_a_terminal(finding), squeezed(report(finding, candidates=one.candidates).html())):
        assert told in text
    alike = replace(choice, probabilities=chances | {second: 0.1681})
    assert alike.overtaken is None


def test_a_favourite_that_is_not_settled_is_not_printed_as_the_best() -> None:
    finding = Finding(metric=FairMetric.random(study().setting, 0), choice=Choice(best="A", best_certainty=0.71))
    for text in (str(finding), squeezed(finding._repr_html_())):
        assert "Favoured, but not settled: 'A'" in text
        assert "Best:" not in text
    sure = replace(finding, choice=Choice(best="A", best_certainty=0.95))
    assert "Best: 'A'" in str(sure)


def test_a_report_of_answers_without_models_is_headed_by_what_it_is_about() -> None:
    assert report(found(SURE)).heading == "The metric that fits the answers"
    assert report(found(None)).heading == "A metric"
