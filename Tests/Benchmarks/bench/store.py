"""The time to store a request on disk, beside the speed of the disk itself."""

import contextlib
import os
import sqlite3
import statistics
import subprocess
import time

from bench import report, session

FLOOR = "append and fdatasync"
IN_FLIGHT = 100


def added(place, command, environment):
    """Returns (milliseconds of each call, calls a second)."""
    with session.started(command, dict(place.environment, **environment),
                         stdin=subprocess.PIPE) as process:
        output, _ = process.communicate(timeout=120)
    if process.returncode:
        raise RuntimeError(f"{os.path.basename(command[0])} ended with {process.returncode}")
    lines = output.splitlines()
    took = [int(line) / 1e6 for line in lines if line.isdigit()]
    total = next(int(line.split()[1]) for line in lines if line.startswith("all "))
    return took, len(took) / (total / 1e9)


def timed(action, count):
    """Returns the figures of `added` for an action of this process."""
    took, start = [], time.perf_counter()
    for index in range(count):
        begun = time.perf_counter()
        action(index)
        took.append((time.perf_counter() - begun) * 1000)
    return took, count / (time.perf_counter() - start)


def synced(folder, count):
    """Stores a line of 300 bytes at a time, as a log without an index would."""
    with open(os.path.join(folder, "floor"), "wb", buffering=0) as file:
        def append(_):
            file.write(b"x" * 300)
            os.fdatasync(file.fileno())
        return timed(append, count)


def committed(folder, count):
    """Stores a row at a time in SQLite by Python, with the settings of our store."""
    with contextlib.closing(sqlite3.connect(
            os.path.join(folder, "floor.sqlite"), isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE row (id TEXT PRIMARY KEY, due INTEGER, json TEXT)")
        database.execute("CREATE INDEX due ON row (due)")
        return timed(lambda index: database.execute(
            "INSERT INTO row VALUES (?, ?, ?)", (f"{index}", index, "x" * 300)), count)


def runs_of_a_round(bench, alone, together):
    """Returns each row's name and measurements: one call at a time, and 100 in flight."""
    daemon = {"TOCSIN_MODE": "daemon"}
    app, client = [bench.program("PostBench"), "add"], [bench.peers["add_client"]]

    def calls(program, count, in_flight, pending=0):
        with session.fresh_session(bench, bench.filled(pending)) as place:
            place.start_daemon()
            return added(place, program + [str(count), str(in_flight)], daemon)

    def on_disk(action, count):
        with session.fresh_session(bench) as place:
            return action(place.folder, count)

    yield "app, through tocsind", [
        lambda: calls(app, alone, 1), lambda: calls(app, together, IN_FLIGHT)]
    for pending in bench.sizes():
        yield f"C client of tocsind, {pending} pending", [
            lambda: calls(client, alone, 1, pending),
            lambda: calls(client, together, IN_FLIGHT, pending)]
    yield "SQLite by Python, a row at a time", [lambda: on_disk(committed, alone)]
    yield FLOOR, [lambda: on_disk(synced, alone)]


def adds(bench, alone=500, together=5000, rounds=3):
    runs = {}
    for _ in range(rounds):
        for name, (one, *many) in runs_of_a_round(bench, alone, together):
            with bench.leaving_out(name):
                took, rate = one()
                rates = many[0]()[1] if many else rate
                runs.setdefault(name, []).append((took, rates))
    rows = {}
    for name, measured in runs.items():
        took = [value for values, _ in measured for value in values]
        rows[name] = {"p50": report.percentile(took, 0.5), "p99": report.percentile(took, 0.99),
                      "rate": statistics.median(rate for _, rate in measured)}
    report.add_ratio(rows, "ratio", "p50", FLOOR)
    report.add_ratio(rows, "rate_ratio", "rate", FLOOR)
    bench.report.table(
        "add", f"stored for later, {rounds} rounds: {alone} one at a time, and {together} with "
        f"{IN_FLIGHT} in flight (the last two rows: one at a time)",
        {"ratio": ("p50, x fdatasync", ".2f"), "rate_ratio": ("a second, x fdatasync", ".2f"),
         "p50": ("p50 ms", ".3f"), "p99": ("p99 ms", ".3f"), "rate": ("a second", ".0f")}, rows)
