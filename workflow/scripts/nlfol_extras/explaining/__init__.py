"""``nlfol explain``: from a number in a table to its source."""
