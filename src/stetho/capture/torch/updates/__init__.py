"""The training loop: backward passes, gradients, optimizers, schedules, and what an update did."""
