"""Summaries of scores, and of what was refused on the way to them."""
