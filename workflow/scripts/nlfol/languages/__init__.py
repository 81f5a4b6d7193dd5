"""What the studies ask of a formal language, whichever it is; ``registry.LANGUAGES`` has them by name."""
