"""Indexes that somebody wants: as values, in files, by name, and whether what is there serves them."""
