"""The controlled English of each family: sentences as trees, written and read.

``write`` returns the statement of a tree with its mentions; what is read is written again and must be the same text.
``rules`` is ProofWriter's English, ``taxonomy`` ProntoQA's, ``order`` that of BIG-bench's logical deduction: ``read``
takes base forms and names what a text lacks, a ``Dialect`` takes all forms and returns all readings. ``proofs`` is the
unambiguous English of ``nlfol.english``.
"""
