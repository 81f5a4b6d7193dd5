"""The strict reader: Unicode notation to syntax tree, nothing accepted that is not understood."""
