"""How the house is built, in numbers: `python -m scripts.house`."""
