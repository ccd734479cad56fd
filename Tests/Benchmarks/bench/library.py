"""Benchmarks without a bus: programs that compare our code with Foundation."""

import subprocess


def rows(bench, program, names):
    """Returns the figures that a program prints, by row; empty if it is missing or fails."""
    try:
        output = subprocess.check_output([bench.program(program)], text=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        bench.left_out(program, problem)
        return {}
    lines = [line.split("\t") for line in output.splitlines()]
    return {line[0]: dict(zip(names, map(float, line[1:]))) for line in lines}


def dates(bench):
    """Measures the next date of calendar components, beside Foundation's search."""
    columns = {"ratio": ("p50, x Foundation", ".3f"), "p50": ("ours p50", ".2f"),
               "worst": ("worst", ".2f"), "peer": ("Foundation p50", ".2f"),
               "peer_worst": ("worst", ".2f")}
    names = ["p50", "worst", "peer", "peer_worst", "ratio"]
    bench.report.table("dates", "the next date: microseconds a question", columns,
                       rows(bench, "DateBench", names))


def records(bench):
    """Measures the coding of a request to JSON and back, beside Foundation's coders."""
    columns = {"ratio": ("x Foundation", ".2f"), "ours": ("ours", ".2f"),
               "peer": ("Foundation", ".2f")}
    bench.report.table("records", "a request to JSON and back: microseconds of the processor",
                       columns, rows(bench, "RecordBench", ["ours", "peer", "ratio"]))
