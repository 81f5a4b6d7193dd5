"""The tolerant reader: the notations of others, and the repairs that what models write needs."""
