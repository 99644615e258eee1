"""From commands to the executor: queries, projections, and the collections that an aggregation sees."""
