"""Translations over ontologies that models make themselves: a task, and what their symbols mean in gold ones."""
