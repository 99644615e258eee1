"""Points, lines and polygons on the unit sphere, as a server's `2dsphere` queries compare them."""
