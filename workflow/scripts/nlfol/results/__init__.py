"""Results: statistics, tables, and the topics that are tabulated."""
