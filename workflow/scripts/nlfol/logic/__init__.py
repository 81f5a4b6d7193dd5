"""Formulas of first-order logic: syntax, reading, printing, rewriting, measuring, and equivalence."""
