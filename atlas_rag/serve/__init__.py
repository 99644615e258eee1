"""The in-process engine behind the MongoDB wire protocol."""
