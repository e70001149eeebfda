"""Errors in a program that uses torch: the layer, the operands, and tensors in one line."""
