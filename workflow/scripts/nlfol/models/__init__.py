"""Dialogue, embedding and baseline back ends, structured answers, and the journal of answers."""
