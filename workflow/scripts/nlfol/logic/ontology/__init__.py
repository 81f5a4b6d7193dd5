"""Signature and glossary."""
