"""Scores of the readings that a model gives over its seeds, against strategies that know nothing more.

    python benchmarks/reading_sets.py [--samples 100]

Workload: 60 sentences with one accepted reading, 40 with two and 20 with three. Strategies answer
under 5 seeds (``20 seeds``: the same as ``draws``, under 20), and five are drawn. In pairs, they know the same:

- ``copies`` always gives one accepted reading, ``even`` draws from all, ``turns`` gives each in turn.
- Of five formulas one is right: ``guesses`` takes one of them for all seeds, ``sprays`` gives each once.
- Half of the answers are right: the others of ``repeats`` are one formula, of ``varies`` all different.
- ``tries`` is right in .9 of the answers on easy sentences and .2 on hard ones; ``is silent`` on the hard ones.
- ``draws`` gives readings alike in .6 of its answers, and five wrong formulas in the others.
- ``garbage``: nothing is right, and all is different.

Definitions: coverage of all seeds, and of five drawn (``coverage``); the harmonic mean of the latter and precision
(``F1``); of shares of answers p and even shares of the accepted readings q, 1 - m |p - q|² (``quadratic``) and the
cosine (``spherical``), two proper rules; the first with all that is wrong as one (``pooled``); and ``share``
(``nlfol_extras.analyses.reading_sets``).

Measured at 100 samples (standard errors up to .005), of sentences with several readings:

                 copies    even   guesses   sprays   repeats   varies   tries   silent   draws   20 seeds   garbage
    all seeds      .444    .934      .089     .444      .706     .708    .632     .451    .781       .995      .000
    coverage       .444    .934      .089     .444      .706     .708    .632     .451    .781       .778      .000
    F1             .611    .959      .122     .274      .566     .568    .564     .443    .661       .674      .000
    quadratic     -.333    .732    -1.937    -.067     -.144     .334   -.343     .329    .390       .670     -.467
    spherical      .664    .904      .132     .297      .504     .607    .513     .426    .673       .825      .000
    pooled         .611    .922      .122     .344      .658     .662    .598     .447    .748       .816      .000
    share          .533    .890      .106     .200      .486     .488    .501     .407    .581       .578      .000

``sprays`` is right in .2 of its answers: more than that breaks a definition, which leaves
``quadratic`` and ``share``. More seeds raise both proper rules and ``pooled``; in ``quadratic`` silence and other wrong
formulas pay, too. Nothing breaks ``share``; it is at most precision, and equal with one reading. Its price: of several
readings, who repeats a guess has less (.106) than who spreads guesses (.200), in any score that has one reading for
less than all.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import NamedTuple

import numpy as np

from nlfol_extras.analyses.reading_sets import figures

ONE, SEVERAL = (1,) * 60, (2,) * 40 + (3,) * 20
"""Accepted readings of each sentence."""

DRAWN = 5

TOLERANCE = 0.02
"""Difference of means below which two are alike."""

Answers = list[int | None]
"""An answer a seed: a reading from 0, below 0 a wrong formula, None is silence."""


class Said(NamedTuple):
    """Answers to a sentence: how often each accepted reading and each wrong formula is given."""

    given: tuple[int, ...]
    wrong: tuple[int, ...]
    seeds: int


def _said(answers: Answers, accepted: int) -> Said:
    wrong = [answer for answer in answers if answer is not None and answer < 0]
    counts = tuple(wrong.count(one) for one in set(wrong))
    return Said(tuple(answers.count(reading) for reading in range(accepted)), counts, len(answers))


def _copies(accepted: int, draw: np.random.Generator) -> Answers:
    return [int(draw.integers(accepted))] * DRAWN


def _even(accepted: int, draw: np.random.Generator) -> Answers:
    return [*draw.integers(accepted, size=DRAWN).tolist()]


def _turns(accepted: int, draw: np.random.Generator) -> Answers:
    first = int(draw.integers(accepted))
    return [(first + seed) % accepted for seed in range(DRAWN)]


def _guesses(accepted: int, draw: np.random.Generator) -> Answers:
    return [int(draw.integers(accepted)) if draw.random() < 1 / DRAWN else -1] * DRAWN


def _sprays(accepted: int, draw: np.random.Generator) -> Answers:
    return [int(draw.integers(accepted)), *range(-DRAWN + 1, 0)]


def _half(accepted: int, draw: np.random.Generator, *, alike: bool) -> Answers:
    return [
        int(draw.integers(accepted)) if draw.random() < 1 / 2 else -1 if alike else -1 - seed for seed in range(DRAWN)
    ]


def _tries(accepted: int, draw: np.random.Generator, *, silent: bool = False) -> Answers:
    is_hard = draw.random() < 1 / 2
    if is_hard and silent:
        return [None] * DRAWN
    knows = 0.2 if is_hard else 0.9
    return [int(draw.integers(accepted)) if draw.random() < knows else -1 for _ in range(DRAWN)]


def _draws(accepted: int, draw: np.random.Generator, *, seeds: int = DRAWN) -> Answers:
    is_right = draw.random(seeds) < 0.6
    right, wrong = draw.integers(accepted, size=seeds), draw.integers(-5, 0, size=seeds)
    return [int(answer) for answer in np.where(is_right, right, wrong)]


STRATEGIES: Mapping[str, Callable[[int, np.random.Generator], Answers]] = {
    "copies": _copies,
    "even": _even,
    "turns": _turns,
    "guesses": _guesses,
    "sprays": _sprays,
    "repeats": lambda accepted, draw: _half(accepted, draw, alike=True),
    "varies": lambda accepted, draw: _half(accepted, draw, alike=False),
    "tries": _tries,
    "is silent": lambda accepted, draw: _tries(accepted, draw, silent=True),
    "draws": _draws,
    "20 seeds": lambda accepted, draw: _draws(accepted, draw, seeds=20),
    "garbage": lambda _, __: [*range(-DRAWN, 0)],
}


def _precision(said: Said) -> float:
    return figures(said.given, said.seeds, DRAWN).precision


def _found(said: Said) -> float:
    return fmean(count > 0 for count in said.given)


def _coverage(said: Said) -> float:
    return figures(said.given, said.seeds, DRAWN).coverage


def _f1(said: Said) -> float:
    precision, coverage, _ = figures(said.given, said.seeds, DRAWN)
    return 2 * precision * coverage / (precision + coverage) if precision else 0.0


def _quadratic(said: Said) -> float:
    each = 1 / len(said.given)
    apart = sum((count / said.seeds - each) ** 2 for count in said.given)
    apart += sum((count / said.seeds) ** 2 for count in said.wrong)
    return 1 - apart / each


def _pooled(said: Said) -> float:
    each = 1 / len(said.given)
    apart = sum((count / said.seeds - each) ** 2 for count in said.given)
    return 1 - (apart + (1 - sum(said.given) / said.seeds) ** 2) / (1 + each)


def _spherical(said: Said) -> float:
    length = sqrt(sum(count**2 for count in (*said.given, *said.wrong)))
    return sum(said.given) / length / sqrt(len(said.given)) if length else 0.0


def _share(said: Said) -> float:
    return figures(said.given, said.seeds, DRAWN).share


DEFINITIONS: Mapping[str, Callable[[Said], float]] = {
    "precision": _precision,
    "all seeds": _found,
    "coverage": _coverage,
    "F1": _f1,
    "quadratic": _quadratic,
    "spherical": _spherical,
    "pooled": _pooled,
    "share": _share,
}

Means = Mapping[str, Mapping[str, float]]
"""Mean of each definition by strategy."""

BROKEN: Mapping[str, Callable[[Mapping[str, float], Mapping[str, float]], bool]] = {
    "spraying pays": lambda mean, right: mean["sprays"] > right["sprays"] + TOLERANCE,
    "other wrong formulas pay": lambda mean, _: mean["varies"] > mean["repeats"] + TOLERANCE,
    "more seeds pay": lambda mean, _: abs(mean["20 seeds"] - mean["draws"]) > TOLERANCE,
    "silence pays": lambda mean, _: mean["is silent"] > mean["tries"] - TOLERANCE,
    "right is hardly better than garbage": lambda mean, _: mean["copies"] < mean["garbage"] + 0.25,
}
"""Tests that a definition is broken, by its means and by precision."""


def measured(samples: int, accepted: Sequence[int]) -> Means:
    """Return the mean of each definition by strategy; the draws depend on the arguments alone."""
    means: dict[str, dict[str, float]] = {name: {} for name in DEFINITIONS}
    for number, (strategy, answer) in enumerate(STRATEGIES.items()):
        draw = np.random.default_rng([20260119, number])
        said = [_said(answer(one, draw), one) for _ in range(samples) for one in accepted]
        for name, score in DEFINITIONS.items():
            means[name][strategy] = fmean(map(score, said))
    return means


def broken(name: str, means: Means, *, several: bool) -> list[str]:
    """Return what breaks a definition; of several readings, one must not be as good as all."""
    mean = means[name]
    found = [what for what, breaks in BROKEN.items() if breaks(mean, means["precision"])]
    if several and mean["copies"] > mean["even"] - TOLERANCE:
        found.append("one reading is as good as all")
    return found


def main() -> None:
    """Print means over all sentences and what breaks each definition, by sentences with one reading and several."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=100)
    samples = parser.parse_args().samples
    for what, accepted in (("one", ONE), ("several", SEVERAL)):
        means = measured(samples, accepted)
        print(f"{what:10}" + "".join(f"{name:>10}" for name in STRATEGIES))
        for name, of_name in means.items():
            print(f"{name:10}" + "".join(f"{value:10.3f}" for value in of_name.values()))
        for name in means:
            print(f"{name}: {'; '.join(broken(name, means, several=accepted is SEVERAL)) or 'nothing breaks it'}")


if __name__ == "__main__":
    main()
