"""Perturbations, equivalent rewrites and certified candidate sets."""
