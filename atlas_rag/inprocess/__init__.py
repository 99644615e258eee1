"""The in-process engine: a MongoDB with search in this process, which reads what a server reads.

client/ (PyMongo's face) · server/ (the wire protocol) · testing/ (pytest plugin)
deployment/ (commands, catalog, journal) → store/ (documents)
mql/ (the plain query language) · search/ (indexes, analysis, algorithms, stages that fuse)
"""
