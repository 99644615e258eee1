"""What a deployment should have instead of what it has: compared, planned, carried out, taken back."""
