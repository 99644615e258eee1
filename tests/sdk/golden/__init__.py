"""One small file per operator and stage: what the builder spells, as canonical Extended JSON."""
