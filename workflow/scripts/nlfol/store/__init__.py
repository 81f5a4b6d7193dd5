"""The Arrow files that the stages leave: their schemas, writing and reading."""
