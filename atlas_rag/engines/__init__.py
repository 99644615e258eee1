"""6 DO: what executes commands."""
