"""A board of models: answers that others submit, checked, judged again and ranked on one page."""
