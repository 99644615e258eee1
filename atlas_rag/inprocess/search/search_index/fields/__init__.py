"""What each type of an index definition makes of a value: one module per family of types."""
