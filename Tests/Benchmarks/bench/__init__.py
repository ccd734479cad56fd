"""The benchmarks and their common parts: the first line of each module names its subject."""
