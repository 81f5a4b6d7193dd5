"""Formal sentences drawn from context-free grammars, reproducible from a seed alone."""
