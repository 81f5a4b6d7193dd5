"""What real models wrote, as others released it: sources that are pinned, and experiments that judge them."""
