"""Servers of models that the workflow starts, and the jobs that ask them; no answer depends on these modules."""
