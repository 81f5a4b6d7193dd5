"""Requests that are answered in batches."""
