"""The plain query language: expressions, aggregation stages, filters, updates, values and places."""
