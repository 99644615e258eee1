"""Arrays that hold one partition of a search index: inverted lists, value columns, document blocks."""
