"""The whole line in one call."""
