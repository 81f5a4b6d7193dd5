"""Manifests of runs, and the tracing of table cells to their sources."""
