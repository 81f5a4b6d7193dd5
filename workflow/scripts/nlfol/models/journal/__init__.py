"""Journals: replies of models on the disk."""
