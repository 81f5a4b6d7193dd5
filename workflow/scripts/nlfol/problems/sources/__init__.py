"""Readers of published problems, from bytes at hand; nothing is downloaded here."""
