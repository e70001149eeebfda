"""What is known of torch's loaders, data sets, tensors and random numbers."""
