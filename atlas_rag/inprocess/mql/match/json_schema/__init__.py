"""`$jsonSchema`: JSON Schema, draft 4, as the server reads it, compiled into one test of a value."""

from atlas_rag.inprocess.mql.match.json_schema.compiler import compile_schema

__all__ = ["compile_schema"]
