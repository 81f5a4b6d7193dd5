"""Analyses whose tables no paper prints, in the order of nlfol's; each module is one topic."""
