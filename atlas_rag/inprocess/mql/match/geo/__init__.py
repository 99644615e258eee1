"""`$geoWithin` and `$geoIntersects`: places in areas, flat ones and such on the globe."""

from atlas_rag.inprocess.mql.match.geo.operators import geo_intersects, geo_within

__all__ = ["geo_intersects", "geo_within"]
