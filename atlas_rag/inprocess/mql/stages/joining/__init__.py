"""Stages that bring in documents from elsewhere."""
