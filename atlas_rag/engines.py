"""`atlas_rag.engines` is gone: the drivers and the in-process engine have places of their own."""

raise ImportError(
    "atlas_rag.engines was split in two. Import LocalClient and AsyncLocalClient from atlas_rag; "
    "engines.choose and engines.atlas are atlas_rag.drivers now, engines.local is atlas_rag.inprocess."
)
