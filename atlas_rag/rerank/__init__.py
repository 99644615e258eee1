"""Reordering hits by a second opinion."""
