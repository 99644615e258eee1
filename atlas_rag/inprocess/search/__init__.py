"""Search and vector indexes, what they are built from, and the stages that fuse their rankings."""
