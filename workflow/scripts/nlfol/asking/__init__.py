"""Putting tasks to models: questions, the loop that asks them, and whether servers do what they are sent."""
