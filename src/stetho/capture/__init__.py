"""Capture sees the user's program and decides nothing: hooks and patches in, plain numbers out."""
