"""Tasks: prompts, the meaning of answers, and scores."""
