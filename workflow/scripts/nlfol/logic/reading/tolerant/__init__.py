"""The reader of formulas as models write them."""
