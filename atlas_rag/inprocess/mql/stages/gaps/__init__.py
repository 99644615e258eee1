"""Stages that fill gaps in series: `$densify` adds documents, `$fill` adds values."""
