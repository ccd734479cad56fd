"""The time of the tool's lists with many requests, from start to exit."""

import os

from bench import commands, context, processes, report, session

PENDING = 100_000
COPY = "dd, the same file with fdatasync"
ONE_CALL = "gdbus call, which reads one number"
COLUMNS = {"ratio": ("x one call", ".1f"), "wall": ("wall ms", ".1f"), "cpu": ("CPU ms", ".1f"),
           "rss": ("RSS MB", ".1f")}


def questions(bench):
    """Returns the commands of a round by their names; no two commands name the same request."""
    tool = bench.program("tocsin")

    def beginning(index):
        return context.identifier(index).partition("-")[0]

    return {
        "list": lambda _: [tool, "list"],
        "list --json": lambda _: [tool, "list", "--json"],
        "show, by identifier": lambda turn: [tool, "show", context.identifier(50_000 + turn)],
        "show, by beginning": lambda turn: [tool, "show", beginning(51_000 + turn)],
        "show, by number": lambda turn: [tool, "show", str(500 + turn)],
        "cancel, by identifier": lambda turn: [tool, "cancel", context.identifier(60_000 + turn)],
        "cancel, by beginning": lambda turn: [tool, "cancel", beginning(61_000 + turn)],
        "cancel, by number": lambda turn: [tool, "cancel", str(900 + turn)],
        ONE_CALL: lambda _: [
            "gdbus", "call", "--session", "--dest", session.CENTER, "--object-path",
            "/" + session.CENTER.replace(".", "/"), "--method",
            "org.freedesktop.DBus.Properties.Get", session.CENTER, "PendingCount"],
    }


def lists(bench):
    rounds = min(bench.rounds, 9)
    asked = questions(bench)
    runs = {}
    with session.fresh_session(bench, bench.filled(PENDING)) as place:
        processes.wait_until_quiet(place.start_daemon(), 1, 30)
        for turn, name in commands.in_turn(asked, rounds):
            with bench.leaving_out(name):
                measured = place.measure(asked[name](turn))
                runs.setdefault(name, []).append(measured)
    rows = {name: commands.medians(runs[name]) for name in asked if name in runs}
    report.add_ratio(rows, "ratio", "wall", ONE_CALL)
    bench.report.table(
        "list", f"the tool with {PENDING} pending, start to exit: medians of {rounds} "
        "interleaved runs", COLUMNS, rows)


def imports(bench, rounds=3):
    lines = os.path.join(bench.folder, "import.jsonl")
    context.write_requests(lines, PENDING)
    copied = os.path.join(bench.folder, "copied.jsonl")
    asked = {"import": [bench.program("tocsin"), "import", lines],
             COPY: ["dd", f"if={lines}", f"of={copied}", "conv=fdatasync", "bs=64k", "status=none"]}
    runs = {}
    for _, name in commands.in_turn(asked, rounds):
        with bench.leaving_out(name), session.fresh_session(bench) as place:
            place.start_daemon()
            measured = place.measure(asked[name])
            runs.setdefault(name, []).append(measured)
    rows = {name: commands.medians(runs[name]) for name in asked if name in runs}
    report.add_ratio(rows, "ratio", "wall", COPY)
    bench.report.table(
        "import", f"import of {PENDING} JSON lines, start to exit: medians of {rounds} rounds",
        {**COLUMNS, "ratio": ("x dd", ".1f")}, rows)
