"""Search indexes as code: definitions, diff, apply, wait."""
