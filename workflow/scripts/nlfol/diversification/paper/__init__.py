"""Problems in other words as SoLT publishes it: candidates of lexica and a model, a filter by similarity, an assembly.

Concepts that are said twice or more are given other words: synonyms of WordNet, paraphrases of PPDB, and sentences that
a model writes, which is also asked where the lexica have nothing. Of the sentences that come about those are kept that
are similar enough to what they stand for, and a model picks one for each statement. Nothing here reads a sentence back:
``diversification.audit`` does, where its English is a family's.
"""
