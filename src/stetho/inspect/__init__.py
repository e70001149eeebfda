"""A live model, looked at without a training: its operations, its layers with their costs, its graph."""
