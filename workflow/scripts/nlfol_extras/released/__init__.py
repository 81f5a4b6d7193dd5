"""Answers of real models, as others released them: sources that are pinned, and experiments that judge them."""
