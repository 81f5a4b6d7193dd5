"""Conclusions as a test suite of a story: every single edit of a premise that means something else changes an answer.

``neighbours`` finds the structures near a story, ``mutants`` lists its edits, ``candidates`` the conclusions that could
be asked, ``selecting`` chooses among them, and ``stories`` makes them problems in English.
"""
