"""The server of a model that the workflow starts, and how the jobs that ask it find it; no answer depends on it."""
