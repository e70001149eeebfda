"""Two recorded runs side by side: facts, data, the loss, then the first place that differs, rough to fine."""
