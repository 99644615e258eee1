"""Token filters."""
