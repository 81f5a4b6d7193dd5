"""Models behind interfaces: requests, retries, limits, replies."""
