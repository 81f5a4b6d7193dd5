"""The address of a server that the workflow starts, for the jobs that ask it; no answer depends on it."""
