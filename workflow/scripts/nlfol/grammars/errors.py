"""The error of the grammars package."""


class GrammarError(ValueError):
    """A grammar, vocabulary or recipe that cannot be used; names the file, the rule or key, and the remedy."""
