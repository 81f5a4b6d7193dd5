"""One page on which every number opens onto its items."""
