"""What models are fed: loaders, batches, samples, and what inputs and targets have to do with each other."""
