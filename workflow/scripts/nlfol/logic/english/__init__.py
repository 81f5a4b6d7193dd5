"""Formulas in English."""
