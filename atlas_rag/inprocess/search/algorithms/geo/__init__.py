"""Points and shapes on the globe, as Lucene indexes and compares them."""
