"""Stages that give each document another shape."""
