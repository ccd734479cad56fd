"""The lateness of requests at the server, and the cost of a request that fires alone."""

import contextlib
import datetime
import os
import re
import statistics
import subprocess
import time

from bench import context, processes, report, session

LATENESS = {"p50": ("p50", ".2f"), "p99": ("p99", ".2f"), "max": ("max", ".2f"),
            "min": ("min", ".2f"), "lost": ("lost", "d")}
FLOOR, STORE = "C, libdbus, without a store", "C, libdbus and SQLite"
PEERS = {FLOOR: ["due_client"], STORE: ["store_client", "due"]}
# Seconds until the centre has marked its popups as delivered, and a client has ended its work.
SETTLING = 0.5


def scheduled(place, command, count, seconds, environment, by_daemon=False):
    """Returns the arrivals as (nanoseconds, due nanoseconds), and the CPU ms for each popup."""
    with session.started(command, dict(place.environment, **environment),
                         stdin=subprocess.PIPE) as process:
        process.stdout.readline()
        time.sleep(SETTLING)
        pid = place.daemon() if by_daemon else process.pid
        before = processes.cpu_seconds(pid)
        with contextlib.suppress(subprocess.CalledProcessError):
            place.expect(count, timeout=seconds + 20)
        time.sleep(SETTLING)
        cost = (processes.cpu_seconds(pid) - before) * 1000 / count
        process.stdin.close()
        process.wait(timeout=30)
    return [(at, int(due)) for at, due in place.arrivals() if re.fullmatch(r"\d+", due)], cost


def lateness(came, count):
    late = [(at - due) / 1e6 for at, due in came]
    if not late:
        raise RuntimeError("nothing came to the server")
    return {"p50": report.percentile(late, 0.5), "p99": report.percentile(late, 0.99),
            "max": max(late), "min": min(late), "lost": count - len({due for _, due in came})}


def peer(bench, name, count, seconds):
    """Returns the command of a client in C."""
    program, *mode = PEERS[name]
    return [bench.peers[program], *mode, str(count), str(seconds)]


def over_time(bench, count=1000, seconds=10):
    """Measures many requests, one after the other."""
    rows = {}
    for mode, pending in [("embedded", 0)] + [("daemon", size) for size in bench.sizes()]:
        name = f"{mode}, {pending} pending"
        with bench.leaving_out(name), session.fresh_session(bench, bench.filled(pending)) as place:
            command = [bench.program("PostBench"), "due", str(count), str(seconds)]
            came, _ = scheduled(place, command, count, seconds, {"TOCSIN_MODE": mode})
            rows[name] = lateness(came, count)
    for name in PEERS:
        with bench.leaving_out(name), session.fresh_session(bench) as place:
            command = peer(bench, name, count, seconds)
            rows[name] = lateness(scheduled(place, command, count, seconds, {})[0], count)
    report.add_ratio(rows, "store_ratio", "p50", STORE)
    report.add_ratio(rows, "ratio", "p50", FLOOR)
    bench.report.table(
        "due", f"{count} requests due over {seconds} s: milliseconds late at the server",
        {"store_ratio": ("p50, x SQLite", ".1f"), "ratio": ("x C", ".1f"), **LATENESS}, rows)


def alone(bench, count=30, seconds=10, rounds=3):
    """Measures requests that fire while the system is idle."""
    runs = {}
    for _ in range(rounds):
        for pending in bench.sizes():
            name = f"tocsind, {pending} pending"
            with bench.leaving_out(name):
                with session.fresh_session(bench, bench.filled(pending)) as place:
                    processes.wait_until_quiet(place.start_daemon(), 1, 30)
                    command = [bench.program("PostBench"), "due", str(count), str(seconds)]
                    run = scheduled(place, command, count, seconds, {"TOCSIN_MODE": "daemon"},
                                    by_daemon=True)
                    runs.setdefault(name, []).append(run)
        for name in PEERS:
            with bench.leaving_out(name), session.fresh_session(bench) as place:
                run = scheduled(place, peer(bench, name, count, seconds), count, seconds, {})
                runs.setdefault(name, []).append(run)
    rows = {}
    for name, measured in runs.items():
        came = [pair for run, _ in measured for pair in run]
        rows[name] = {"cpu": statistics.median(cost for _, cost in measured),
                      **lateness(came, count * rounds)}
    for field, name in [("store_cpu_ratio", STORE), ("cpu_ratio", FLOOR)]:
        report.add_ratio(rows, field, "cpu", name)
    for field, name in [("store_ratio", STORE), ("ratio", FLOOR)]:
        report.add_ratio(rows, field, "p50", name)
    bench.report.table(
        "alone", f"one that fires alone, {rounds} times {count}: CPU, and milliseconds late",
        {"store_cpu_ratio": ("CPU, x SQLite", ".1f"), "cpu_ratio": ("x C", ".1f"),
         "store_ratio": ("p50, x SQLite", ".1f"), "ratio": ("x C", ".1f"),
         "cpu": ("CPU ms", ".3f"), **LATENESS}, rows)


def arrived(came, due, wanted):
    """Returns the figures of requests due at one instant; `wanted` has the summaries in order."""
    summaries = [summary for _, summary in came]
    if not came:
        raise RuntimeError("nothing came to the server")
    return {"seconds": (came[-1][0] - due) / 1e9,
            "ordered": "yes" if summaries == wanted else "no",
            "lost": len(set(wanted) - set(summaries)), "twice": len(came) - len(set(summaries))}


def burst_of_daemon(bench, pending):
    """Imports requests for one instant, which is late enough to store all of them first."""
    with session.fresh_session(bench, bench.filled(pending)) as place:
        place.start_daemon()
        due = int(time.time()) + 12
        date = datetime.datetime.fromtimestamp(due, datetime.timezone.utc)
        lines = os.path.join(place.folder, "burst.jsonl")
        context.write_requests(lines, bench.count, f"{date:%Y-%m-%dT%H:%M:%SZ}")
        place.measure([bench.program("tocsin"), "import", "--app", "dev.burst", lines])
        if time.time() > due:
            raise RuntimeError("the import was not done when its requests were due")
        with contextlib.suppress(subprocess.CalledProcessError):
            place.expect(bench.count, timeout=60)
        time.sleep(SETTLING)
        wanted = [str(index) for index in range(bench.count)]
        return arrived(place.arrivals(), due * 10**9, wanted)


def burst_of_peer(bench, name):
    with session.fresh_session(bench) as place:
        command = peer(bench, name, bench.count, 0)
        with session.started(command, place.environment, stdin=subprocess.PIPE) as process:
            with contextlib.suppress(subprocess.CalledProcessError):
                place.expect(bench.count, timeout=60)
            process.stdin.close()
            process.wait(timeout=30)
        came = place.arrivals()
    # Each summary begins with the due time, which the client chooses.
    due = int(came[0][1].partition(" ")[0]) if came else 0
    return arrived(came, due, [f"{due} {index}" for index in range(bench.count)])


def burst(bench, rounds=3):
    """Measures many requests that are due at one instant."""
    runs = {}
    for _ in range(rounds):
        for pending in bench.sizes():
            name = f"tocsind, {pending} pending"
            with bench.leaving_out(name):
                run = burst_of_daemon(bench, pending)
                runs.setdefault(name, []).append(run)
        for name in PEERS:
            with bench.leaving_out(name):
                run = burst_of_peer(bench, name)
                runs.setdefault(name, []).append(run)
    rows = {}
    for name, measured in runs.items():
        rows[name] = {
            "seconds": statistics.median(run["seconds"] for run in measured),
            "ordered": "yes" if all(run["ordered"] == "yes" for run in measured) else "no",
            "lost": sum(run["lost"] for run in measured),
            "twice": sum(run["twice"] for run in measured)}
    for field, name in [("store_ratio", STORE), ("ratio", FLOOR)]:
        report.add_ratio(rows, field, "seconds", name)
    bench.report.table(
        "burst", f"{bench.count} due at one instant: seconds until the last is at the server; "
        f"medians of {rounds} rounds",
        {"store_ratio": ("x SQLite", ".1f"), "ratio": ("x C", ".1f"), "seconds": ("seconds", ".2f"),
         "ordered": ("in order", ""), "lost": ("lost", "d"), "twice": ("twice", "d")}, rows)
