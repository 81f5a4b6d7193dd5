"""The error of the ontology package."""


class OntologyError(ValueError):
    """An ontology, or a file of one, that cannot be used; names the file, the symbol and the remedy."""
