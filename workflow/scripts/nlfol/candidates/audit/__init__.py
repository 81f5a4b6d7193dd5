"""The audit of anybody's candidate sets: what is wrong with them, decided anew from the formulas' texts."""
