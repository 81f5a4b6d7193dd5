"""Parts beside the three papers, registered as other packages register theirs (CONTRIBUTING.md); read it last."""
