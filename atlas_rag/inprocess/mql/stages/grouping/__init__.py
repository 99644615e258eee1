"""Stages that make one document of several, and the accumulators they do it with."""
