"""Which weights? Judgments, collection, exact optimum, honest selection, report."""
