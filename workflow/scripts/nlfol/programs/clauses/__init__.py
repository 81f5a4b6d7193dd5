"""Clauses: facts, rules and a query with truth values, read and executed by forward chaining."""

from nlfol.programs.clauses.chaining import chain
from nlfol.programs.clauses.derivations import derivation, tree
from nlfol.programs.clauses.executing import execute_clauses
from nlfol.programs.clauses.program import Clause, ClauseProgram, Literal
from nlfol.programs.clauses.reading import read_clauses

__all__ = ["Clause", "ClauseProgram", "Literal", "chain", "derivation", "execute_clauses", "read_clauses", "tree"]
