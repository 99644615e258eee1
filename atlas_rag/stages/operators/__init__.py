"""One `$search` operator per file."""
