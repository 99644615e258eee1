"""The door: what goes to a deployment, what comes back, and the only two loops that carry it.

A *flow* is a generator that yields `Command`, `Pause` or `Call`, receives what comes of it, may
catch an error thrown in where the reply would have been, and returns its result. It never waits, sleeps or
imports a driver; `drive` and `adrive` do.
"""

from atlas_rag.wire.command import Call, Command, Pause, Reply
from atlas_rag.wire.public import public_flow
from atlas_rag.wire.pump import AsyncEngine, Clock, Engine, Flow, adrive, drive, gather

__all__ = [
    "AsyncEngine",
    "Call",
    "Clock",
    "Command",
    "Engine",
    "Flow",
    "Pause",
    "Reply",
    "adrive",
    "drive",
    "gather",
    "public_flow",
]
