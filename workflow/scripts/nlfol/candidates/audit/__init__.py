"""The audit of anybody's candidate sets: what is wrong with them, decided from the formulas' texts alone."""
