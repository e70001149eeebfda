"""The instruments: what is hooked into a PyTorch program while it is profiled."""
