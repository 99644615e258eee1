"""Real deployments, through PyMongo (sync and async) and Motor. The only home of the drivers."""

from atlas_rag.engines.atlas.motor import MotorEngine
from atlas_rag.engines.atlas.pymongo_async import PyMongoAsyncEngine
from atlas_rag.engines.atlas.pymongo_sync import PyMongoEngine

__all__ = ["MotorEngine", "PyMongoAsyncEngine", "PyMongoEngine"]
