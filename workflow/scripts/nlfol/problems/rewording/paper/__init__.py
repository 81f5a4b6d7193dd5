"""Rewriting as SoLT publishes it: candidates of lexica and a model, a filter by similarity, an assembly.

Concepts that occur twice or more are reworded: with synonyms of WordNet, paraphrases of PPDB, and sentences of a model,
which is also asked where the lexica have nothing. Sentences that are similar enough to their statements are kept, and a
model picks one for each statement. No sentence is read back.
"""
