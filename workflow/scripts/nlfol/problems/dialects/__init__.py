"""The controlled English of each family: sentences as trees, written and read.

A dialect has ``write``, of a tree the statement with the place of each mention, and ``read``, its inverse: what is read
is written again and must be the text. ``rules`` is ProofWriter's English, ``taxonomy`` ProntoQA's, ``order`` that of
BIG-bench's logical deduction, ``proofs`` the unambiguous English of ``nlfol.english``.
"""
