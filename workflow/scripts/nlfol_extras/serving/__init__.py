"""Servers of models that the workflow starts: one job a model, which answers for as long as others ask it."""

from pathlib import Path

RULES = Path(__file__).with_name("servers.smk")
