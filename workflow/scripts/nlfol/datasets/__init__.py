"""Readers of sources of sentences with gold formulas."""
