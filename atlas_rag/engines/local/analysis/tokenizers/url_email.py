"""url email placeholder"""
from .standard import StandardTokenizer as UrlEmailTokenizer
