"""Thin scripts over the front door: `python -m scripts.<name> --help`."""
