"""A figure, as it is drawn and as it is written; the parts of its specification are in ``charts``."""

from dataclasses import dataclass

from nlfol.mappings import JsonDict

Rows = list[JsonDict]

DRAWN_OVER = (
    *("category", "operators", "depth", "conjunctions", "disjunctions", "negations"),
    *("quantifiers", "states", "edges", "density"),
)
"""Measures of the published figures (∀uto∃∨∧L, arXiv 2410.08437, figures 5 and 11 to 15), quantifiers beside them."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its specification in Vega-Lite, and a caption that also serves those who do not see it.

    ``about`` is its subject (``registry.Subject``) or the form of the answers that it shows.
    """

    name: str
    title: str
    caption: str
    specification: JsonDict
    about: str = "experiment"

    @property
    def rows(self) -> Rows:
        """Return the data of its marks."""
        (rows,) = self.specification["datasets"].values()
        result: Rows = rows
        return result
