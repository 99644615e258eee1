"""Dates: parts, units, time zones, text. Pure calendar work; the operators are in operators/dates."""
