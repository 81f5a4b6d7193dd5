"""Components of the variance of scores: models, what they were asked, and how.

An answer has the facets model, wording (the entry and presentation that asked for one text), policy (tolerant, strict),
and the chain of dataset, story, item and order (the position of the gold formula), each within the one before. Effects
of all facets and of their interactions are random and uncorrelated, and each seed adds a draw of its own::

    score = μ + Σ effects + draw

Of two draws the mean product is μ² and the variances of all effects that the two share. So the means of products over
pairs of answers, by which facets are equal, tell each component without bias: with two models and two items::

    model × item = (same model, same item) - (same model, two items) - (two models, same item) + (two models, two items)

and the variance of a draw is the mean square less the mean product of two draws that share everything. These are the
symmetric sums of Koch ("Some Further Remarks Concerning 'A General Approach to the Estimation of Variance Components'",
1968), which need no balance; where there is some they are those of the analysis of variance. The two policies of a draw
are no pair. Under one seed no draws share everything: theirs is part of the finest interaction. What is estimated below
0 is 0.

A model's mean errs, beside other models', by its interactions, each over the number of its levels (of those of unequal
size, as many equal ones as tell as much), and by its draws. With the variance ``v`` of this error the reliability is
the squared correlation of such means with the models' own levels (Brennan, "Generalizability Theory", 2001)::

    reliability = σ²(model) / (σ²(model) + v)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.results.statistics.clusters import effective_number

CROSSED = ("model", "wording", "policy")
CHAIN = ("dataset", "story", "item", "order")
DRAW = "seed"
_SUMS = ("score", "square", "answers", "shared", "both")
_FORGONE = ("order", "policy", "wording", "story")
"""Facets in the order in which they are given up where no pairs of answers tell them from others."""


@dataclass(frozen=True, slots=True)
class Components:
    """Components by the facets that they belong to; the draw's is None under one seed."""

    crossed: tuple[str, ...]
    chain: tuple[str, ...]
    effects: npt.NDArray[np.float64]
    """Float64 (2,) * crossed and chain + 1: by which facets an effect belongs to; the first is μ²."""
    draw: float | None
    cells: pl.DataFrame

    def named(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Yield the facets of each component with its variance, which is not below 0; the draw last."""
        effects = [(self._facets(at), float(self.effects[at])) for at in np.ndindex(self.effects.shape)]
        for facets, variance in sorted(effects[1:], key=lambda effect: len(effect[0])):
            yield facets, max(0.0, variance)
        if self.draw is not None:
            yield (DRAW,), max(0.0, self.draw)

    def _facets(self, at: Sequence[int]) -> tuple[str, ...]:
        crossed = tuple(name for name, belongs in zip(self.crossed, at, strict=False) if belongs)
        return (*crossed, self.chain[at[-1] - 1]) if at[-1] else crossed

    def levels(self) -> dict[str, float]:
        """Return the number of levels of each facet, and of draws of a model."""
        found = {name: float(self.cells[name].n_unique()) for name in self.crossed}
        for name in self.chain:
            sizes = self.cells.group_by(within(name), maintain_order=True).agg(pl.col("answers").sum())["answers"]
            found[name] = effective_number(sizes.to_numpy().astype(float))
        kinds = found.get("model", 1.0) * found.get("policy", 1.0)
        return {**found, DRAW: float(self.cells["answers"].sum()) / kinds}

    def error(self, levels: dict[str, float]) -> float:
        """Return the variance of a model's mean beside others', with so many levels."""
        of_model = ((facets[1:], value) for facets, value in self.named() if facets[0] == "model" and facets[1:])
        draws = 0.0 if self.draw is None else max(0.0, self.draw) / levels[DRAW]
        return draws + sum(value / prod(levels[name] for name in facets) for facets, value in of_model)

    def with_more(self, name: str, seeds: int) -> dict[str, float]:
        """Return the levels with one more of a facet or seed, and as many as before within it."""
        levels = self.levels()
        known = seeds if name == DRAW else levels[name]
        within = self.chain[self.chain.index(name) :] if name in self.chain else (name,)
        more = (known + 1) / known
        return {other: value * (more if other in (*within, DRAW) else 1) for other, value in levels.items()}


def cells_of(answers: pl.DataFrame) -> pl.DataFrame:
    """Return sums over the draws of answers that are alike in all else: in columns beside ``seed`` and ``score``.

    With a column ``strict``, of the scores by strict readers, an answer counts under each ``policy``. Sums are of
    ``score``, its ``square``, ``answers``, the product ``shared`` of scores by ``both`` readers, and their number.
    """
    strict = pl.col("strict") if "strict" in answers.columns else pl.lit(None, pl.Float64)
    shared = (pl.col("score") * strict).fill_null(0.0)
    answers = answers.with_columns(strict=strict, shared=shared, both=strict.is_not_null().cast(pl.UInt32))
    tolerant, strictly = (pl.lit(policy, pl.Categorical).alias("policy") for policy in ("tolerant", "strict"))
    of_strict = answers.filter(pl.col("both") == 1).with_columns(strictly, score="strict")
    rows = pl.concat([answers.with_columns(tolerant), of_strict]).drop("seed", "strict")
    return merged(rows.with_columns(square=pl.col("score") ** 2, answers=pl.lit(1, pl.UInt32)))


def merged(cells: pl.DataFrame) -> pl.DataFrame:
    """Add up cells that are alike in all but their sums."""
    keys = [name for name in cells.columns if name not in _SUMS]
    return cells.group_by(keys, maintain_order=True).agg(pl.col(_SUMS).sum())


def components(cells: pl.DataFrame) -> Components | None:
    """Estimate the components of answers, by ``cells_of`` those with the columns ``CROSSED`` and ``CHAIN``.

    Facets of one level are left out, and those of ``_FORGONE`` that no pairs tell from others, of which the first
    wording or policy counts; the order counts where half of the items come back to one. None where no pairs tell models
    from datasets or items, since no two models were asked the same.
    """
    crossed = tuple(name for name in CROSSED if cells[name].n_unique() > 1)
    chain: tuple[str, ...] = ()
    known, items = 1, cells.n_unique(within("item"))
    for name in CHAIN:
        count = cells.n_unique(within(name))
        # Stories of one item each are items.
        if count > known and (name, count) != ("story", items) and (name != "order" or _comes_back(cells)):
            chain, known = (*chain, name), count
    found = _estimated(cells, crossed, chain)
    for name in _FORGONE:
        if found is not None:
            return found
        crossed, chain = (tuple(other for other in facets if other != name) for facets in (crossed, chain))
        if name in ("policy", "wording"):
            cells = cells.filter(pl.col(name) == pl.col(name).first())
        found = _estimated(cells, crossed, chain)
    return found


def _comes_back(cells: pl.DataFrame) -> bool:
    """Return whether half of the items are shown in several orders, and in one of them again."""
    orders, draws = pl.col("order").n_unique(), pl.col("answers").sum()
    cells = cells.filter(pl.col("policy") == pl.col("policy").first())
    of_items = cells.group_by("model", "wording", *within("item")).agg(again=(orders > 1) & (orders < draws))
    return bool(of_items.select(pl.col("again").mean() >= 0.5).item())


def _estimated(cells: pl.DataFrame, crossed: tuple[str, ...], chain: tuple[str, ...]) -> Components | None:
    """Return the components; None where a mean product has no pairs."""
    shape = (*(2,) * len(crossed), len(chain) + 1)
    total = {name: float(cells[name].sum()) for name in _SUMS[1:]}
    # Of a draw with itself, and with itself as another reader has it.
    own = {True: (total["square"], total["answers"])}
    own[False] = (total["square"] + total["shared"], total["answers"] + total["both"])
    asked = ["model", "wording", "policy", *within("order" if "order" in chain else "item")]
    several = _sums(cells, asked)[1] > own[True][1]
    sums, pairs = np.zeros(shape), np.zeros(shape)
    for at in np.ndindex(*shape):
        keys = [name for name, same in zip(crossed, at, strict=False) if same]
        sums[at], pairs[at] = _sums(cells, [*keys, *(within(chain[at[-1] - 1]) if at[-1] else ())])
        if several:
            square, count = own["policy" in keys or "policy" not in crossed]
            sums[at], pairs[at] = sums[at] - square, pairs[at] - count
    for axis in range(len(shape)):
        # Pairs that share a facet and no finer one are those that share it without those that share the next.
        sums, pairs = (-np.diff(values, axis=axis, append=0) for values in (sums, pairs))
    if (pairs <= 0).any():
        return None
    effects = sums / pairs
    draw = float(total["square"] / total["answers"] - effects[(-1,) * len(shape)]) if several else None
    for axis in range(len(shape)):
        effects = np.diff(effects, axis=axis, prepend=0)
    return Components(crossed, chain, effects, draw, cells)


def within(name: str) -> list[str]:
    """Return the facets of the chain down to one, whose names are unique within those before it alone."""
    return list(CHAIN[: CHAIN.index(name) + 1])


def _sums(cells: pl.DataFrame, keys: Sequence[str]) -> tuple[float, float]:
    """Return the sum of products of answers that share the keys, each with itself as well, and their number."""
    if not keys:
        return float(cells["score"].sum()) ** 2, float(cells["answers"].sum()) ** 2
    grouped = cells.group_by(keys, maintain_order=True).agg(pl.col("score", "answers").sum())
    return float(grouped["score"].pow(2).sum()), float(grouped["answers"].cast(pl.Float64).pow(2).sum())
