"""The page with the sliders: a question, the list of each input pipeline, and what the weights make of them.

It reads from a deployment and never writes to it. Served by Starlette and uvicorn, extra `playground`.
"""
