"""Tests of the report: a package, at whose end the browser stops, and with it the event loop of its thread."""
