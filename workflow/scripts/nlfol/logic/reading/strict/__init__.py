"""The strict reader of formulas."""
