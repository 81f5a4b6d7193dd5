"""Data: readers of published and own files, corrections, and grammars that draw formulas."""
