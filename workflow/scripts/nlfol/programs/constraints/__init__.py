"""Constraints: variables over finite domains, conditions and options, read by a grammar and solved by Z3."""

from nlfol.programs.constraints.reading import ConstraintProgram, read_constraints
from nlfol.programs.constraints.solving import execute_constraints

__all__ = ["ConstraintProgram", "execute_constraints", "read_constraints"]
