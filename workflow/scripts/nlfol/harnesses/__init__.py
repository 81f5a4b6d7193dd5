"""Tasks for other harnesses: inspect_ai and lm-evaluation-harness (docs/harnesses.md)."""
