"""Checkpoint files of any common format: opened without their framework, measured, checked and compared.

A checkpoint is a mapping from names to tensors that are read when they are asked for, block by block, so that a file
may be larger than the memory. Nothing in a file is ever run. `readers/` has one file for each format.
"""
