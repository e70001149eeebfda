"""Public helpers for people who test against stetho."""
