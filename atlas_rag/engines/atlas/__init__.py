"""Real deployments, through PyMongo (sync and async) and Motor. The only home of the drivers."""
