"""Entries of models in config.yaml, and the tables of what models accept and cost."""
