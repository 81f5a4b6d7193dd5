"""What is wrong with a grammar, a vocabulary, or what is asked of them."""


class GrammarError(ValueError):
    """Says which file, which rule or key, and what to do."""
