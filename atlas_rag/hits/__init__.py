"""7 READ: scores that know what they are, hits, contributions, the mapper."""
