"""Providers of models: one module for each format of requests and replies."""
