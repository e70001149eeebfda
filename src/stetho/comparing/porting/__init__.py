"""Weights from one implementation into another: which tensor becomes which, and in what layout."""
