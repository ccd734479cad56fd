"""Other schedulers, if they are installed: one job is added and one cancelled."""

import statistics
import subprocess
import sys

from bench import commands, report, session

COLUMNS = {"add_ratio": ("x tocsin: add", ".2f"), "cancel_ratio": ("cancel", ".2f"),
           "add": ("add ms", ".2f"), "cancel": ("cancel ms", ".2f")}
OURS = "tocsin, start to exit"
SYSTEMD_ROW = "systemd-run --user, start to exit"
APSCHEDULER_ROW = "APScheduler with SQLite, one call"
# Adds and removes jobs in a separate process, with a SQLite file; prints milliseconds.
APSCHEDULER = """
import datetime, sys, time
from apscheduler.schedulers.background import BackgroundScheduler
scheduler = BackgroundScheduler()
scheduler.add_jobstore("sqlalchemy", url="sqlite:///" + sys.argv[1])
scheduler.start(paused=True)
when = datetime.datetime.now() + datetime.timedelta(days=3650)
for index in range(int(sys.argv[2])):
    start = time.perf_counter()
    scheduler.add_job(print, "date", run_date=when, id=str(index))
    added = time.perf_counter()
    scheduler.remove_job(str(index))
    print((added - start) * 1000, (time.perf_counter() - added) * 1000)
scheduler.shutdown()
"""


def of_the_command_line(bench):
    """Returns, for each scheduler, a function from the turn's number to the two commands."""
    tool = bench.program("tocsin")
    return {
        OURS: lambda turn: ([tool, "in", "520 weeks", "Later", "--id", f"later-{turn}"],
                            [tool, "cancel", f"later-{turn}"]),
        SYSTEMD_ROW: lambda turn: (
            ["systemd-run", "--user", "--quiet", "--on-active=3650d", f"--unit=bench-{turn}",
             "true"], ["systemctl", "--user", "stop", f"bench-{turn}.timer"]),
    }


def schedulers(bench):
    rounds = min(bench.rounds, 20)
    runs = {}
    with session.fresh_session(bench) as place:
        place.start_daemon()
        asked = of_the_command_line(bench)
        for turn, name in commands.in_turn(list(asked), rounds):
            if name not in asked:
                continue
            add, cancel = asked[name](turn)
            try:
                times = place.measure(add)[0], place.measure(cancel)[0]
                runs.setdefault(name, []).append(times)
            except session.PROBLEMS as problem:
                bench.left_out(name, problem)
                del asked[name]
        with bench.leaving_out(APSCHEDULER_ROW):
            ended = subprocess.run(
                [sys.executable, "-B", "-c", APSCHEDULER, place.folder + "/jobs", str(rounds)],
                text=True, capture_output=True)
            if ended.returncode:
                raise RuntimeError(ended.stderr.strip().rpartition("\n")[2])
            runs[APSCHEDULER_ROW] = [
                tuple(map(float, line.split())) for line in ended.stdout.splitlines()]
    rows = {name: dict(zip(["add", "cancel"], map(statistics.median, zip(*measured))))
            for name, measured in runs.items()}
    for field in ["add", "cancel"]:
        report.add_ratio(rows, field + "_ratio", field, OURS)
    bench.report.table(
        "schedulers", f"one added for later, and one cancelled: medians of {rounds} runs",
        COLUMNS, rows)
