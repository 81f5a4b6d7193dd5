"""What was spent, and whether there is money for more."""
