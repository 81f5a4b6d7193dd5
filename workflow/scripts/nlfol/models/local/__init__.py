"""Dialogue models that run here."""
