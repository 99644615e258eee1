"""3 KNOW: what this deployment can run, asked by trying."""
