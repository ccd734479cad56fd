"""The start of a daemon, and an idle daemon."""

import contextlib
import statistics
import subprocess
import time

from bench import commands, processes, report, session

FLOOR = "C, libdbus, a server without a store"


def start(bench):
    """Measures the start of daemons; each has an open session, so that rounds are interleaved."""
    rounds = min(bench.rounds, 15)
    with contextlib.ExitStack() as stack:
        asked = {}
        for size in bench.sizes():
            place = stack.enter_context(session.fresh_session(bench, bench.filled(size)))
            asked[f"tocsind, {size} pending"] = place, [
                session.CENTER, "Status", bench.program("tocsind"), "--dev"]
        place = stack.enter_context(session.fresh_session(bench))
        asked[FLOOR] = place, ["org.tocsin.Floor", "GetServerInformation",
                               bench.peers["mock_server"], "org.tocsin.Floor"]
        runs = {}
        for _, name in commands.in_turn(asked, rounds):
            place, arguments = asked[name]
            with bench.leaving_out(name):
                ended = subprocess.run([bench.peers["name_watch"]] + arguments, text=True,
                                       env=place.environment, capture_output=True)
                if ended.returncode:
                    raise RuntimeError(ended.stderr.strip())
                times = [int(part) / 1000 for part in ended.stdout.split()]
                runs.setdefault(name, []).append(times)
    rows = {}
    for name in (name for name in asked if name in runs):
        named, answered = map(statistics.median, zip(*runs[name]))
        rows[name] = {"named": named, "answered": answered}
    report.add_ratio(rows, "ratio", "named", FLOOR)
    bench.report.table(
        "start", f"start of the daemon: milliseconds from exec; medians of {rounds} rounds",
        {"ratio": ("name, x C", ".1f"), "named": ("until its name is on the bus", ".1f"),
         "answered": ("until it answers", ".1f")}, rows)


def idle(bench, seconds=60):
    """Measures daemons without due requests, all at the same time."""
    rows = {}
    with contextlib.ExitStack() as stack:
        daemons = {}
        for size in [size for size in bench.sizes() if size]:
            place = stack.enter_context(session.fresh_session(bench, bench.filled(size)))
            daemons[f"tocsind, {size} pending"] = place.start_daemon()
        for pid in daemons.values():
            processes.wait_until_quiet(pid, 5, 60)
        before = {name: processes.voluntary_switches(pid) for name, pid in daemons.items()}
        used = {name: processes.cpu_seconds(pid) for name, pid in daemons.items()}
        time.sleep(seconds)
        for name, pid in daemons.items():
            resident, anonymous = processes.memory(pid)
            rows[name] = {
                "switches": processes.voluntary_switches(pid) - before[name],
                "cpu": (processes.cpu_seconds(pid) - used[name]) * 1000,
                "resident": resident, "anonymous": anonymous}
    bench.report.table(
        "idle", f"requests pending and nothing due for {seconds} s",
        {"switches": ("wake-ups", "d"), "cpu": ("CPU ms", ".2f"), "resident": ("RSS MB", ".1f"),
         "anonymous": ("of it anonymous", ".1f")}, rows)
