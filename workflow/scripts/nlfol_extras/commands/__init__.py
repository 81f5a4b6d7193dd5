"""Commands that serve no run."""
