"""Answers on the disk."""
