"""Summaries of scores."""
