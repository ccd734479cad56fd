"""The benchmarks: each module measures the subject of its first line, beside its peers."""
