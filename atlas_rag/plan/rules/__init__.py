"""One planning rule per file."""
