"""Comparisons as contracts: what their arms may differ in, and the pairs of answers that keep to it.

A comparison names the components of the request (``asking.components``) that it varies, its *factor*, and those that
follow from the factor or cannot be equal. Two answers make a pair if they are to one item under one seed, and were
given the same in every other component; otherwise the pair is refused, with the component as the reason.

No difference is given over fewer than half of the items that both arms could share.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import polars as pl

from nlfol.results.statistics.agreement import NO_AGREEMENT, Agreement, agreement
from nlfol.results.statistics.packed import Packed
from nlfol.results.statistics.summary import AS_TEXTS, Series, clustered
from nlfol.store.columns import Pairing
from nlfol.store.schemas import COMPONENTS

LEAST_SHARE = 0.5
"""Share of the items of the arm with fewer items that must be compared."""

SEED, ITEMS = "seed", "items"
"""Reasons beside the components: no common seed; too few common items."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two arms: the components in which they differ, as its name says, and with them."""

    factor: frozenset[str]
    follows: frozenset[str] = frozenset()
    note: str = ""
    """A remark on the components that follow, for a caption."""

    @property
    def equal(self) -> tuple[str, ...]:
        """Return the components that both arms must share."""
        return tuple(name for name in COMPONENTS if name not in self.factor | self.follows)


def _comparison(factor: str, follows: str = "", note: str = "") -> Comparison:
    return Comparison(frozenset(factor.split()), frozenset(follows.split()), note)


_OF_A_MODEL = "served thinking sampling limits"

COMPARISONS: Mapping[str, Comparison] = {
    "models": _comparison(
        "model", _OF_A_MODEL, "Entries of models have sampling, token limits and thinking of their own."
    ),
    "thinking": _comparison("thinking", "sampling limits", "Sampling and token limits may differ."),
    "few_shot": _comparison("examples shots"),
    "reading": _comparison("text", "prompt", "The prompt says that the sentence, or a formula, is withheld."),
    "wording": _comparison(
        "text", "glossary schema", "Both wordings are shown the same examples; sentences decide the answer's fields."
    ),
    "strategies": _comparison(
        "prompt schema",
        "examples",
        "Solved examples have the form of the strategy's answer and, of strategies about words, are in other words.",
    ),
    "instructions": _comparison(
        "prompt",
        "schema examples",
        "Instructions: both are shown the same problems in the same words, in the form of their answers.",
    ),
    "example_words": _comparison("examples"),
    "ontologies": _comparison("prompt schema glossary", "examples", "An own ontology is asked for, not shown."),
    "ontologies_of_stories": _comparison("text candidates prompt schema glossary", "examples"),
    "training": _comparison("model", _OF_A_MODEL),
    "training_strategy": _comparison(
        "model prompt schema", f"examples {_OF_A_MODEL}", "The base's first task may ask for the program otherwise."
    ),
    "presentations": _comparison(
        "candidates", "prompt glossary", "Formulas come with a glossary and their notation, English does not."
    ),
    "metrics": _comparison(""),
    "tasks": _comparison("prompt schema candidates", "order", "Most similar and ranking have sets of their own."),
    "kinds": _comparison(
        "model",
        "served thinking reasoning sampling seed limits schema prompt examples shots glossary order replies",
        "Embedding models read no instruction, example, glossary or order.",
    ),
    "protocols": _comparison(
        "candidates", "prompt schema order", "Published sets have candidates, sizes and English of their own."
    ),
}
"""All comparisons of tables, by name."""


class Pairs(NamedTuple):
    """Pairs of answers, with the second arm's ``score_second`` and ``unread_second``, and those refused."""

    kept: pl.DataFrame
    refused: int
    reason: str | None
    """Why most are refused."""
    least: float
    """Items that must be compared."""

    @property
    def items(self) -> pl.DataFrame:
        """Return the mean scores of each item over its pairs, in the order in which the first arm was asked."""
        means = pl.col("story").first(), pl.col("score").mean(), pl.col("score_second").mean()
        return self.kept.group_by("item", maintain_order=True).agg(*means).with_columns(AS_TEXTS)

    def if_read(self, end: str) -> "Pairs":
        """Return the pairs with all unread answers of an arm right ("", "_second").

        Of both arms they bound the difference (Manski, "Nonparametric Bounds on Treatment Effects", 1990).
        """
        right = pl.when(f"unread{end}").then(1.0).otherwise(f"score{end}").alias(f"score{end}")
        return self._replace(kept=self.kept.with_columns(right))

    @property
    def are_enough(self) -> bool:
        """Return whether there are enough items to give a difference."""
        count = self.kept["item"].n_unique()
        return count > 0 and count >= self.least

    @property
    def agreement(self) -> Agreement:
        """Return the agreement of the answers of pairs; null where there are too few."""
        if not self.are_enough:
            return NO_AGREEMENT
        one, other = self.kept["score"], self.kept["score_second"]
        alike = self.kept.select("item", "story", score=one * other + (1 - one) * (1 - other))
        by_item = alike.group_by("item", maintain_order=True).agg(pl.col("story").first(), pl.col("score").mean())
        return agreement(one.to_list(), other.to_list(), clustered(by_item).ends)

    @property
    def counts(self) -> Pairing:
        """Return the columns of ``store.columns.Pairing``."""
        return {
            "pairs": self.kept.height,
            "refused": self.refused,
            "refusal": self.reason or (None if self.are_enough else ITEMS),
            "unread": int(self.kept["unread"].sum()),
            "unread_second": int(self.kept["unread_second"].sum()),
        }


def shared(otherwise: str) -> pl.Expr:
    """Return ``shown`` of several answers together; ``otherwise`` stands for what they were not all shown alike."""
    parts = (pl.col("shown").struct.field(name) for name in COMPONENTS)
    alike = (pl.when(part.n_unique() == 1).then(part.first()).otherwise(pl.lit(otherwise)) for part in parts)
    return pl.struct(alike).alias("shown")


def wholes(series: Iterable[Series]) -> Iterator[Series]:
    """Yield models' answers to all parts of questions whose presentations are parts of one, each item's together."""
    parts: dict[tuple[str, str], list[Series]] = {}
    for one in series:
        if one.source.asked.weakest_counts and one.presentation:
            parts.setdefault((one.source.name, one.metric), []).append(one)
    for of_question in parts.values():
        yield together(of_question, "")


def together(series: Sequence[Series], presentation: str) -> Series:
    """Return a model's answers under several presentations as those under one.

    An item counts as the mean of its parts, all of which were asked; what was shown is alike if it is in each of them.
    """
    shown = (pl.col("shown").struct.field(name).fill_null("").str.join(" ") for name in COMPONENTS)
    means = pl.col("score").mean(), pl.col("unread").any(), pl.struct(shown).alias("shown"), pl.len().alias("parts")
    first, *others = (one.packed for one in sorted(series, key=lambda one: one.presentation))
    answers, key = Packed(), ["item", "story", "seed"]
    for asked in first.frames():  # what is not in the first part is not in each
        rest = (
            part.join(asked, on=key, how="semi", nulls_equal=True, maintain_order="left")
            for other in others
            for part in other.frames()
        )
        whole = pl.concat([asked, *rest]).group_by(key, maintain_order=True).agg(*means)
        answers.add(whole.filter(pl.col("parts") == len(series)).drop("parts"))
    return replace(series[0], presentation=presentation, answers=answers)


def pairs(first: Series, second: Series, comparison: Comparison) -> Pairs:
    """Return the pairs of answers of two arms."""
    one, other = first.keyed(comparison.equal), second.keyed(comparison.equal)
    on = ["item", "seed"] if SEED in comparison.equal else ["item"]
    told = "score", "unread", "row", "key"
    joined = one.join(other.select(*on, *told), on=on, suffix="_second", nulls_equal=True, maintain_order="left_right")
    items = one.select("item").unique()
    shared = items.join(other, on="item", how="semi")
    without_seed = shared.join(joined, on="item", how="anti").height
    unlike = pl.col("key") != pl.col("key_second")
    kept, apart = (joined.filter(which).drop("key", "key_second") for which in (~unlike, unlike))
    del joined
    reasons = differing(first, second, apart, comparison.equal)
    reasons[SEED] = reasons.get(SEED, 0) + without_seed
    refused = apart.height + without_seed
    reason = max(reasons, key=reasons.__getitem__) if refused else None
    return Pairs(kept, refused, reason, LEAST_SHARE * min(items.height, other["item"].n_unique()))


def differing(first: Series, second: Series, apart: pl.DataFrame, names: Sequence[str]) -> dict[str, int]:
    """Count the pairs that differ in each component; ``apart`` has the rows of pairs in both arms."""
    if apart.is_empty():
        return {}
    one, other = (_told(side)[apart[row]] for side, row in ((first, "row"), (second, "row_second")))
    return {name: int(one[name].ne_missing(other[name]).sum()) for name in names}


def _told(series: Series) -> pl.DataFrame:
    """Return the components as categories: texts of many answers take much memory."""
    told = [pl.col("shown").struct.field(name).cast(pl.Categorical) for name in COMPONENTS]
    return pl.concat(part.select(told) for part in series.packed.frames("shown"))
