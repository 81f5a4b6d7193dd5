"""Entries of datasets, one module for each reader, which the entry carries."""
