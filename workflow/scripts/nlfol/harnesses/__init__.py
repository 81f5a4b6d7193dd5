"""Tasks for other harnesses: inspect_ai and lm-evaluation-harness (docs/harnesses.md)."""

from pathlib import Path

LM_EVAL = Path(__file__).parent / "lm_eval"
"""The folder of lm-eval's tasks: ``lm_eval run --include_path "$(python -m nlfol.harnesses)" --tasks nlfol``."""
