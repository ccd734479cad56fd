"""The time of one notification from the command line, from start to exit."""

import statistics
import subprocess

from bench import report, session

PEER = "notify-send"
COLUMNS = {"wall_ratio": ("x notify-send: wall", ".2f"), "cpu_ratio": ("CPU", ".2f"),
           "rss_ratio": ("RSS", ".2f"), "wall": ("wall ms", ".2f"), "cpu": ("CPU ms", ".2f"),
           "rss": ("RSS MB", ".2f")}


def usable(bench, place, commands):
    """Tries each command once, returns those that work, and prints why others are left out."""
    working = {}
    for name, command in commands.items():
        try:
            place.measure(command)
            place.expect(1, timeout=5)
            place.arrivals()
            working[name] = command
        except subprocess.CalledProcessError:
            bench.left_out(name, "it ended well, but nothing came to the server")
        except (RuntimeError, OSError) as problem:
            bench.left_out(name, problem)
    return working


def in_turn(names, rounds):
    """Returns each name once a round; each name comes first equally often."""
    names = list(names)
    for number in range(rounds):
        start = number % len(names) if names else 0
        for name in names[start:] + names[:start]:
            yield number, name


def medians(runs):
    """Returns the median of each figure by its name: wall, cpu and rss."""
    return {field: statistics.median(column)
            for field, column in zip(["wall", "cpu", "rss"], zip(*runs))}


def send(bench):
    commands = {
        "tocsin send": [bench.program("tocsin"), "send", "Bench", "body"],
        PEER: ["notify-send", "Bench", "body"],
        "gdbus call": ["gdbus", "call", "--session", "--dest", session.SERVER, "--object-path",
                       "/org/freedesktop/Notifications", "--method",
                       session.SERVER + ".Notify", "--", "bench", "uint32 0", "", "Bench", "body",
                       "@as []", "@a{sv} {}", "int32 -1"],
        "C, libdbus": [bench.peers["libdbus_client"], "1"],
    }
    with session.fresh_session(bench) as place:
        commands = usable(bench, place, commands)
        runs = {name: [] for name in commands}
        for _, name in in_turn(commands, bench.rounds):
            runs[name].append(place.measure(commands[name]))
    rows = {name: medians(measured) for name, measured in runs.items()}
    for field in ["wall", "cpu", "rss"]:
        report.add_ratio(rows, field + "_ratio", field, PEER)
    bench.report.table(
        "send", f"one notification, start to exit: medians of {bench.rounds} interleaved runs",
        COLUMNS, rows)
