"""One table object, many renderers."""
