"""Tests of the models: a package, so that its modules share the helpers in conftest."""
