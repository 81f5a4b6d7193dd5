"""Signature, glossary, and the English rendering of formulas."""
