"""Pure functions of the search engine: no index, no document store inside."""
