"""What the configuration says of a dataset, one module for each kind of source."""
