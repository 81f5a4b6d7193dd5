"""A run for a paper: tables, figures and a paragraph of methods (``nlfol export``)."""
