"""Embedding models, their vectors and similarities."""
