"""The ways themselves, on live PyTorch models."""
