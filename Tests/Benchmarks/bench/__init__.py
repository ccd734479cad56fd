"""The benchmarks: each module has what its first line says, and measures it beside its peers."""
