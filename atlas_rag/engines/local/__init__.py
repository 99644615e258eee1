"""The in-process engine: reads the same dictionaries that a server reads."""
