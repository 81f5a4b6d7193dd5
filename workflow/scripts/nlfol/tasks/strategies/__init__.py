"""How a model is asked for a program: one module for each way, and a registry."""
