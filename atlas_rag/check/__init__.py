"""Every problem of a raw query or definition at once, with its path and a suggestion."""
