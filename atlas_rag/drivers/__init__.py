"""6 DO: what executes commands, through PyMongo (sync and async), Motor, or in this process."""

from atlas_rag.drivers.choose import async_engine_for, engine_for

__all__ = ["async_engine_for", "engine_for"]
