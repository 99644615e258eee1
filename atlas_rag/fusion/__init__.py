"""Fusion arithmetic without I/O, bit-equal to the server's."""
