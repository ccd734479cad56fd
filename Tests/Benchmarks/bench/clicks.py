"""The time from the server's signal of a click until the app's own code runs."""

import subprocess

from bench import report, session, store

FLOOR = "C, libdbus"
# Microseconds from a post to its click. In this time the centre marks the post as delivered.
PAUSE = 20_000


def clicked(place, command, environment):
    """Returns the microseconds from each click until the program's code ran."""
    place.call("Click", f"uint32 {PAUSE}")
    with session.started(command, dict(place.environment, **environment),
                         stdin=subprocess.PIPE) as process:
        output, _ = process.communicate(timeout=120)
    place.call("Click", "uint32 0")
    lines = [line for line in output.splitlines() if line[:1].isdigit()]
    heard = {summary: at for at, summary in session.stamped(lines)}
    return [(heard[summary] - at) / 1000 for at, summary in place.clicks() if summary in heard]


def clicks(bench, count=200, rounds=3):
    ours = [bench.program("PostBench"), "click", str(count)]
    commands = {
        "tocsin, embedded": (ours, {"TOCSIN_MODE": "embedded"}),
        "tocsin, daemon": (ours, {"TOCSIN_MODE": "daemon"}),
        FLOOR: ([bench.peers["click_client"], str(count)], {}),
    }
    took = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (command, environment) in commands.items():
            with bench.leaving_out(name), session.fresh_session(bench) as place:
                took[name] += clicked(place, command, environment)
        # Measure the disk, too: the notification centre stores each response, the peer none.
        with session.fresh_session(bench) as place:
            synced, _ = store.synced(place.folder, count)
            took.setdefault(store.FLOOR, []).extend(milliseconds * 1000 for milliseconds in synced)
    rows = {name: {"p50": report.percentile(values, 0.5), "p99": report.percentile(values, 0.99),
                   "lost": count * rounds - len(values)}
            for name, values in took.items() if values}
    report.add_ratio(rows, "ratio", "p50", FLOOR)
    report.add_ratio(rows, "ratio99", "p99", FLOOR)
    bench.report.table(
        "click", f"from the click to the app's code, {rounds} times {count} clicks: microseconds",
        {"ratio": ("x C: p50", ".1f"), "ratio99": ("p99", ".1f"), "p50": ("p50", ".0f"),
         "p99": ("p99", ".0f"), "lost": ("lost", "d")}, rows)
