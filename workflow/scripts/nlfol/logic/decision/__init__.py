"""The means by which equivalence and entailment are decided, each exact."""
