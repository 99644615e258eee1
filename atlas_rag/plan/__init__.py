"""4 CHOOSE: query and capability report to commands, route and reasons."""
