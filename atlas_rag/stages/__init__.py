"""2 SPELL: one aggregation stage per file, frozen value to plain dict; the pipeline checks positions."""
