"""How PyTorch is watched: one file for each thing that is looked at, put together in `capture.py`."""
