"""What jobs know of a server that the workflow starts for them; no answer depends on it."""
