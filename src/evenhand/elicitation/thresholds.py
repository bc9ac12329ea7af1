"""Every threshold of the adaptive method, what it trades for what, and where that was measured.

`bench/adaptive.py` and `bench/honesty/` print what was measured beside what the project promises, and
docs/fewer-questions.md holds its results. Their simulated respondents are others than those a threshold was chosen
with, but for `told` and `links` of bench/honesty, which priors are chosen by. Where it says "chosen by judgement",
nothing was measured.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class ResponseThresholds(NamedTuple):
    """The prior of how people answer, and the numerical limits of the likelihood."""

    soft: float = 0.15
    """The share of soft respondents by which questions are chosen and the best candidate is settled. Higher: people who
    err once in ten are asked more to the best of 100 models. Lower: soft respondents are recognised late."""
    soft_told: float = 0.8
    """The share by which intervals, ratios and orders are told. Higher: wider intervals, for sharp respondents too, as
    long as few answers are in, and so more questions until all are narrow (`what_it_costs` of bench/honesty). With 0.6,
    intervals of logistic respondents of temperature 0.003 held 85 % of the weights after 45 answers, in place of 94 %
    (80 people from 20,000 on; the part `told` of bench/honesty)."""
    soft_log_sensitivity: tuple[float, float, float, float] = (3.8, 1.2, 2.5, 8.0)
    """Mean and deviation of log κ of soft respondents, and its ends. Logistic respondents of temperatures 0.03, 0.01
    and 0.003 in units of cost have 3.5, 4.6 and 5.8. A flat prior puts too much at its upper end."""
    sharp_log_sensitivity: tuple[float, float] = (8.0, 13.0)
    """The ends of log κ of sharp respondents, who tell costs apart that differ by some 1e-4 to 1e-6.

    Higher would magnify rounding until it decides draws, and a stored log would give other metrics on another processor
    (tests/elicitation/test_processors.py).
    """
    soft_logit_lapse: tuple[float, float] = (-3.0, 1.5)
    """Mean and deviation of logit ε of soft respondents: most of their errors are about costs that are close."""
    sharp_logit_lapse: tuple[float, float] = (-2.15, 1.3)
    """The same of sharp ones: a lapse in ten answers. Expecting fewer saves questions, but takes wrong answers more
    often at face value."""
    log_threshold: tuple[float, float] = (-2.5, 1.5)
    """Mean and deviation of log δ. Chosen by judgement."""
    inattentive: float = 0.25
    """The prior probability of a respondent who does not attend. Higher: wider intervals while that is in doubt.

    Chosen by judgement. What is settled depends on the Bayes factor alone (`StoppingThresholds.attending`).
    """
    lapses: tuple[float, float, float] = (0.49, 0.49, 0.02)
    """How often first, second and neither are given in a lapse. Chosen by judgement."""
    min_probability: float = 1e-12
    """The smallest probability of an answer."""
    max_exponent: float = 40.0
    """Where exponentials are cut off: they overflow at 88 in single precision, and are below `min_probability` here."""
    probabilities_at_once: int = 12_000
    """How many probabilities of a likelihood are worked out at once: so many stay in the cache."""
    max_log_odds: float = 600.0
    """Where odds are cut off, in double precision, in which they overflow at 709."""
    doublings_per_log: int = 4
    """How often probabilities are multiplied by one another before a logarithm is taken of products of 2⁴ = 16: fewer
    logarithms, as long as the product of so many numbers above 1e-18 does not underflow."""
    numbers_at_once: int = 16_000
    """How many latent numbers become prices at once: arrays of so many stay in the cache, and the allocator does not
    give their memory back to the system each time, which takes longer than the arithmetic."""


class SamplerThresholds(NamedTuple):
    """The accuracy of the posterior sample, against its time."""

    min_effective_share: float = 0.5
    """The effective sample size, as a share of the particles, below which they are resampled and moved.

    The usual half (Del Moral, Doucet & Jasra 2006): higher costs time, lower loses particles.
    """
    early_share: int = 4
    """How many times as many particles there are at first: fewer miss regions that later answers point to."""
    early_answers: int = 60
    """After so many answers there are no more particles than were asked for, unless there are many latent numbers; in
    between, their number times that of the answers stays the same, and so does the time of a move. More cost time."""
    few_numbers: int = 16
    """With more latent numbers there are more particles, too, in proportion up to `early_share`: few do not fill a
    space of many dimensions. Higher: less time, and intervals that are too narrow."""
    min_component: float = 0.25
    """The least share of the particles that a component of the responses has. More: rare respondents are noticed
    sooner, and the likely component is known less well."""
    sweeps_per_number: float = 0.6
    """How often each particle is moved after a resampling, for each latent number. More cost time; fewer leave the
    sample too narrow, and the marginal likelihood with a larger error."""
    most_moves: float = 2000.0
    """The most sweeps times latent numbers: with more than 58 numbers it bounds the time of an answer."""
    sweeps_per_wall: float = 0.05
    """For the last look at a sample, how often each particle is moved for each latent number and each wall. A quarter
    as often is as good for two classes and groups, and worse for three."""
    walls_without_answers: int = 10
    """How many walls there are without answers: a few sweeps are needed anyway."""
    most_moves_refined: float = 24_000.0
    """The most sweeps times latent numbers of the last look: it bounds its time after many answers, from 53 numbers on
    after 160 of them. A third of it left the intervals of exact people about four classes and three groups at 0.86 of
    the width of a replay with four times the particles, in place of 0.95, and they held 81 % of the weights, in place
    of 86 (8 people from 20,000 on)."""
    refined_share: int = 2
    """How many times as many particles as were asked for the last look takes. Early, and with many latent numbers,
    there are more while answers come in; the last look moves each of its own for longer. "Settled" is decided by it, so
    that the luck of a small sample does not end an interview. Four times as many take twice the time, and are no nearer
    to references."""
    kernels: int = 200
    """Around how many particles the density of the others is estimated, to find how much a component counts (`bridge`).
    More: a smaller error where there are several modes, and more time."""
    bridge_offset: float = 0.1
    """What is added to a number before its logarithm is taken. Without it, the error is twice as large with three
    classes and groups; with 0.02 or 0.05, about the same."""
    points_per_number: int = 4
    """The least number of particles that a density is estimated from, for each latent number: with fewer the estimate
    is too far from the density to tell anything. Chosen by judgement."""
    least_spread: float = 1e-12
    """What is added to the variances of that estimate: no number has a variance of zero."""
    bridge_iterations: int = 100
    """The most iterations of bridge sampling, which takes about ten."""
    bridge_precision: float = 1e-10
    """It ends where the log of the integral changes by less. Its error is some 0.1, but findings are to be the same on
    every processor."""
    reach: float = 4.0
    """The length of the interval that a move begins with, in standard deviations along the line if the posterior were
    normal, before it is doubled or halved. Longer intervals shrink more often, shorter ones move less."""
    doubled_near: tuple[int, int] = (-1, 2)
    """From how often to less than how often it is doubled, at random."""
    doubled_far: tuple[int, int] = (2, 8)
    """The same of intervals that reach far."""
    far: float = 0.5
    """The share of those. With none, samples stay where a wrong answer has led them: intervals of people who err once
    in ten held 79 % of the weights about three classes and groups after 160 answers, in place of 90 % (16 people from
    20,000 on)."""
    tries: tuple[int, ...] = (1, 2, 4, 4)
    """How many points of an interval are tried at once, one round after the other, before a particle stays where it is.
    More of them: fewer stay in narrow places, and each move costs more time."""
    partial: float = 0.2
    """The share of moves that change some of the numbers only."""
    moved_share: float = 0.3
    """How many of them these change."""
    single: float = 0.15
    """The share of moves that change one number. Without them, a sample that hangs on few particles would stay flat."""
    edge: float = 2.0**-50
    """How far from 0 and 1 latent numbers stay, where their normal quantiles are infinite."""
    prior_draws: int = 4000
    """How many draws from the prior decide whether answers fit better with their sides swapped. Only odds above
    `WarningThresholds.swapped_odds` count, which so many draws resolve."""


class QuestionThresholds(NamedTuple):
    """Which question is asked next, and how long it takes to choose it."""

    visible_to_people: float = 0.02
    """The least difference of rates that a person at a screen is asked about: two people of 100.

    A smaller one allows more questions, but a person hardly sees it. Chosen by judgement.
    """
    from_pool: int = 200
    """Pairs considered for each question from the pool; twice as many where there are no candidates. More cost time."""
    from_candidates: int = 400
    """Pairs of candidates considered for each question, before doubles are left out."""
    subsample: int = 400
    """Particles that the utility of a question is computed with. Its noise decides only between nearly equal ones."""
    rivals: int = 24
    """Of how many random partners the most balanced one is taken, in pairs of realistic models of a region."""
    likely: int = 8
    """So many questions are looked at first, those whose utility may be highest; then all that may still be better. It
    changes no question. More take time where one is clearly the best, fewer where many are about as good."""
    close_utility: float = 3e-4
    """Bits, Kendall's τ, or shares of variance. Questions within it of the best in single precision are compared again
    in double: in 1,000 questions about the weights, single precision erred by at most 1e-4."""
    repeat_every: int = 8
    """Of so many questions one is an earlier one, its sides drawn anew: it shows consistency, and tells less about the
    weights than a new one."""
    checks_every_second: int = 16
    """Up to so many questions every second one is a check of attention while that is in doubt; then two in three.

    Fewer checks: attentive people who err are called unreliable (`alarms` of bench/honesty). More: the weights are
    known later, since a check tells nothing about them (`weights` of bench/adaptive.py).
    """
    before_checks: int = 8
    """With candidates, so many questions at least come before the first check. Earlier: more questions to the best of
    100 models, of which some show attention anyway (`what_it_costs` of bench/honesty). Later: people who err are
    called unreliable in interviews of at most 20 questions (`alarms` of bench/honesty)."""
    share_before_checks: float = 0.4
    """With candidates, this share of the longest interview comes before the first check, if it is more: 24 of 60
    questions. Less: people who err are asked checks where the choice would be settled soon; with 8 of 60, they took
    18.3 questions in place of 15.2 (docs/fewer-questions.md). More: too few are left to show who attends."""
    clear_attention: float = 12.0
    """The Bayes factor from which on there are no more checks: a little above `StoppingThresholds.attending`, so that
    the next answers do not bring it below. With 30, people who err once in ten get two checks more of 45 questions."""
    repeat_gap: int = 4
    """How many other questions stand between one and its repeat at least: more make a repeat harder to
    recognise, fewer leave more questions to choose from."""
    repeat_bonus: float = 1.1
    """Factor on the utility of a repeat: it has to come some time, so it comes where it costs at most a tenth."""
    curiosity: float = 0.1
    """Utility of a bit about everything, where a bit about the best candidate is 1, or all variance of the weights.
    Without it a search for the best stalls when no question tells anything about it directly. In place of the variance,
    bits about everything left the weights of 10 to 15 % of the people off by more than 0.1 who are within it now
    (`what_it_costs` of bench/honesty, 60 people from 20,000 on)."""
    attention: float = 0.5
    """Utility of a bit about attention, where all variance of the weights is 1. Higher: random answering is noticed
    sooner, and fewer questions go to the weights."""
    idle_curiosity: float = 0.001
    """Utility of a bit about everything, where one of Kendall's τ is 1. It matters only once the order is as good as
    settled; more would be spent on weights that the order does not need (`ranking` of bench/adaptive.py)."""
    order_pairs: int = 2000
    """The most pairs of candidates that an order is judged by. All pairs of 64 candidates are fewer; of more, a random
    choice keeps the time of a question within bounds."""
    draws_kept: int = 4
    """Of how many sets of candidates draws of their rates are kept, so that the last answer takes less time."""
    most_bytes_kept: int = 4 * 2**20
    """The most bytes of such draws that are kept of one set. What their costs follow from takes about as much again."""
    pairs_at_once: int = 64
    """How many pairs of candidates are compared at once: so many stay in the processor's cache."""


class StoppingThresholds(NamedTuple):
    """When nothing more is asked, and how many questions are said to be left."""

    indifferent: float = 0.002
    """Candidates whose costs differ by no more than this count as equally good: a fifth of a percentage point of a
    mistake that costs 1. Smaller costs questions on choices that do not matter."""
    level: float = 0.9
    """The probability of the intervals that are shown, and that stop='weights' makes narrow."""
    level_of_ratios: float = 0.95
    """The probability of the ranges in sentences about two weights. One is said where its range is narrow, and such
    ranges miss more often than others: with 0.9, of exact people about three groups 17 % of the sentences were wrong,
    with 0.95 9 % (30 of them, `sentences` of bench/honesty with people from 24,000 on)."""
    close_to_end: float = 0.2
    """An interval that would begin (or end) within this share of its width of 0 (or 1) has all of its doubt on the
    other side. One that does both tells nothing. Higher: weights that are 0 are inside more often, others less."""
    attending: float = 10.0
    """How many times as likely the answers must be from an attentive respondent before anything is settled.

    At most one in so many of those who do not attend get something settled, by the inequality of Ville (1939;
    `inference/attention.py`). Higher: fewer of them, and everybody is asked more (`best` of bench/adaptive.py).
    """
    close_confidence: float = 0.01
    """How far below the asked confidence a goal may be for a refined sample to decide. More: refined more often."""
    questions_per_bit: float = 3.0
    """What a bit about the goal costs on average, for `Question.left`: measured with people who err never or once in
    ten answers. It changes no question."""
    questions_per_bit_of_attention: float = 1.4
    """The same about attention, once all else is settled."""
    questions_about_candidates: int = 60
    """The default budget with candidates: about four times what the best of 100 takes with one wrong answer in ten."""
    questions_per_weight: int = 20
    """The default budget about the weights, times their number − 1: 80 for two classes and two groups, where 45
    do with one wrong answer in ten and 90 with two (`weights` of bench/adaptive.py)."""


class WarningThresholds(NamedTuple):
    """What is said about the answers at the end: each trades missed warnings for false ones.

    Chosen by judgement, unless it says otherwise.
    """

    inattentive: float = 0.05
    """Above this probability of random answers, nothing is said that only attentive answers can tell."""
    disagreement: float = -0.5
    """Answers that do not make attention clear are called unreliable if they agree with the predictions less than this,
    in terms of `Attention.agreement`: of random answers that is so in three of ten, whatever was asked."""
    agreement: float = 1.5
    """The same from `many_answers` on, when attentive respondents have had the time to show it: 93 of 100 who answer at
    random agree less. Higher: people who err once in five are called unreliable (`alarms` of bench/honesty)."""
    many_answers: int = 28
    """From so many answers on attention should be clear. Fewer: people who err once in five are called unreliable."""
    many_about_candidates: int = 15
    """The same with candidates, about which fewer questions are asked."""
    agreement_about_candidates: float = 1.25
    """The same as `agreement` with candidates: in 20 questions about 100 of them, 9 % of the people who err once in ten
    about three classes agree less than 1.5, and 5 % less than 1.2; of those who answer at random, 90 to 92 % and 86 to
    89 % (80 people a cell from 20,000 on)."""
    few_answers: int = 8
    """With fewer answers, nothing is said but that they are few."""
    lapses: float = 0.35
    """An estimated lapse rate above this is mentioned: more than a third of the answers are random."""
    swapped_odds: float = 100.0
    """Answers so many times as likely with their sides swapped as they are, and as at random, suggest that the worse
    model was named: 25 exact answers exceed it, 25 with two wrong in ten, or at random, do not
    (tests/elicitation/adaptive/test_summary.py). Beside answers as they are alone, one random answerer in ten did."""
    negligible: float = 0.02
    """A 90 % interval of λ, or of 1 − λ, that ends below this means that gaps, or mistakes, hardly matter."""
    consistency: float = 0.5
    """Repeats that got the same answer less often than this are mentioned, if attention is in doubt."""
    repeats: int = 2
    """From so many repeats on."""
    equally_good: float = 0.01
    """Candidates that are as good as the best with probabilities this close: the cheapest of them is the favourite."""


class MisfitThresholds(NamedTuple):
    """What answers are compared with, to see whether they follow a metric of the family at all."""

    decisive: float = 20.0
    """How many times as likely the answers must be by another rule, or with a change of mind, as by the family."""
    shares: tuple[float, ...] = (0.25, 0.5, 0.75)
    """How much of a cost is a rule, where plain error makes up the rest."""
    shares_of_two: tuple[float, ...] = (0.2, 0.25, 1 / 3, 0.4, 0.6, 2 / 3, 0.75, 0.8)
    """How much of a cost is one of two kinds of mistake, where gaps do not count: from 1 to 4, to 4 to 1. Without them,
    most exact people of that kind, who see no difference in a third of the questions, are told of another rule."""
    gap_limits: tuple[float, ...] = (0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2)
    """Which gaps may be too wide for somebody who sets a limit."""
    error_limits: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4)
    """Which shares of mistakes in the worst-off group may be too many."""
    tolerances: tuple[float, ...] = (0.01, 0.02, 0.05, 0.1)
    """Which differences may be too small to count for somebody who looks at one criterion after the other."""
    least_before: int = 5
    """How many answers there must be before a change of mind, and after it."""
    draws: int = 10_000
    """How many metrics are drawn to see whether one explains all answers from some answer on. Too few lose power where
    there are many weights, and raise no false alarm."""
    error_rates: int = 50
    """How many rates of answers against the rule, between 0 and one half, are averaged over."""
    error_power: int = 8
    """The prior density of such a rate r is proportional to (1 − r) to this power: about one answer in ten."""


RESPONSE: Final = ResponseThresholds()
SAMPLER: Final = SamplerThresholds()
QUESTIONS: Final = QuestionThresholds()
STOPPING: Final = StoppingThresholds()
WARNINGS: Final = WarningThresholds()
MISFIT: Final = MisfitThresholds()
