"""1 ASK: what the caller wants, without MongoDB spelling."""
