"""Many posts of one process, and the cost of each."""

import contextlib
import statistics
import subprocess
import time

from bench import report, session

NOTIFY, ONE, MANY, STORE, STORE_MANY = (
    "libnotify C, one at a time", "libdbus C, one at a time", "libdbus C, 256 in flight",
    "C, libdbus and SQLite, one at a time", "C, libdbus and SQLite, 32 with each sync")
RATES = {"store_ratio": ("x SQLite", ".2f"), "notify_ratio": ("x libnotify", ".2f"),
         "one_ratio": ("x libdbus one", ".2f"),
         "many_ratio": ("x libdbus 256", ".2f"), "rate": ("posts/s", ".0f"),
         "lost": ("lost", "d"), "twice": ("twice", "d")}
COSTS = {"app": ("app", ".3f"), "tocsind": ("tocsind", ".3f"), "both": ("together", ".3f"),
         "bus": ("bus", ".3f"), "server": ("server", ".3f")}
# Seconds until the centre has marked the last posts as delivered.
SETTLING = 0.2


def post(place, command, count, environment):
    """Returns the figures of a program that posts: rate, lost, twice, and each process's CPU."""
    before = place.cpu()
    with session.started(command, dict(place.environment, **environment),
                         stdin=subprocess.PIPE) as process:
        start = int(process.first_line)
        with contextlib.suppress(subprocess.CalledProcessError):
            place.expect(count)
        time.sleep(SETTLING)
        # The bus and the server had used the processor before; the app and tocsind had not.
        after = place.cpu(app=process.pid, tocsind=place.daemon())
        process.stdin.close()
        process.wait(timeout=60)
    came = place.arrivals()
    distinct = len({summary for _, summary in came})
    rate = len(came) / ((came[-1][0] - start) / 1e9) if came else 0
    figures = {name: (used - before.get(name, 0)) * 1000 / count for name, used in after.items()}
    figures["both"] = figures["app"] + figures.get("tocsind", 0)
    return {**figures, "rate": rate, "lost": count - distinct, "twice": len(came) - distinct}


def commands(bench):
    count = str(bench.count)
    found = {
        NOTIFY: ([bench.peers["libnotify_client"], count], {}),
        ONE: ([bench.peers["libdbus_client"], count, "1"], {}),
        MANY: ([bench.peers["libdbus_client"], count, "256"], {}),
        STORE: ([bench.peers["store_client"], "post", count, "1"], {}),
        STORE_MANY: ([bench.peers["store_client"], "post", count, "32"], {}),
    }
    for mode in ["embedded", "daemon"]:
        for order in ["sequential", "concurrent"]:
            found[f"tocsin {mode}, {order}"] = (
                [bench.program("PostBench"), "post", count, order], {"TOCSIN_MODE": mode})
    return found


def posts(bench, rounds=3):
    runs = {name: [] for name in commands(bench)}
    for _ in range(rounds):
        for name, (command, environment) in commands(bench).items():
            if name not in runs:
                continue
            try:
                with session.fresh_session(bench) as place:
                    runs[name].append(post(place, command, bench.count, environment))
            except session.PROBLEMS as problem:
                bench.left_out(name, problem)
                del runs[name]
    rows = {}
    for name, measured in runs.items():
        row = {field: statistics.median(run[field] for run in measured) for field in measured[0]}
        row.update((field, sum(run[field] for run in measured)) for field in ["lost", "twice"])
        rows[name] = row
    for field, peer in [("notify_ratio", NOTIFY), ("one_ratio", ONE), ("many_ratio", MANY),
                        ("store_ratio", STORE)]:
        report.add_ratio(rows, field, "rate", peer)
    bench.report.table(
        "post", f"{bench.count} posts of one process, until the last is at the server; "
        f"{rounds} rounds", RATES, rows)
    bench.report.table(
        "cost", "CPU of one of these posts, by process: milliseconds", COSTS, rows)
