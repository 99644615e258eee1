"""Thin commands over the front door."""
