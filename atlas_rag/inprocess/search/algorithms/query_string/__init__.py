"""Lucene's classic query syntax: tokens.py → parser.py → nodes.py."""
