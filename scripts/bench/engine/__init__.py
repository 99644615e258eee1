"""Speed of the in-process engine beside the real search core's own times on the same workloads."""
