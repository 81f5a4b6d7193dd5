"""``nlfol publish``: items as a data set of the Hugging Face Hub, and scores for the repositories of models."""
