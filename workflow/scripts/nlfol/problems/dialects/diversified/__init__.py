"""The dialects with all forms of their concepts: every sentence is read in all ways in which it can be."""

from nlfol.problems.dialects.diversified.dialect import CONTROLLED, concepts_of, dialect_of
from nlfol.problems.dialects.diversified.places import Dialect, Place

__all__ = ["CONTROLLED", "Dialect", "Place", "concepts_of", "dialect_of"]
