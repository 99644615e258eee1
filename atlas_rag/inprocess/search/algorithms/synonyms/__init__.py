"""Synonym mappings: what they make of a text, and the automaton that the older syntax matches with."""
