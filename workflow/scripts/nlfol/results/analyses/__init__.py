"""Analyses of scores, items and responses: a module a topic, with its rows, their schemas, tables and figures."""
