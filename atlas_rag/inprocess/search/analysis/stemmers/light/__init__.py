"""Light stemmers: a few rounds of suffix stripping each, a word in, its stem out."""
