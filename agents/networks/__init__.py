"""Policy-value networks and their checkpoints."""
