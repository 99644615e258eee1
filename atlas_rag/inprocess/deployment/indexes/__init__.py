"""Indexes of a collection: specifications of ordinary ones; opening and life of search indexes."""
