"""`$setWindowFields`: what a document gets from its neighbours."""
