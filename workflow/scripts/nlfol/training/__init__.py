"""Fine-tuning: sets of examples out of what models have answered, and LoRA."""
