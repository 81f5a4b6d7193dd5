"""Formal languages behind one protocol; ``registry.LANGUAGES`` has them by name."""
