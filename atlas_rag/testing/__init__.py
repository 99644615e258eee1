"""For people who test their own application: fixtures and faults."""
