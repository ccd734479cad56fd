"""Figures of this project beside those of the peers, from interleaved runs on a private bus.

run.py BIN [--rounds N] [--count N] [--only TABLE,...] [--large] [--json FILE]

BIN holds the release programs. Prints medians and ratios; never fails because of a figure. If
the program of a row is missing or fails, the script says so and leaves the row out.
"""

import argparse
import shutil
import signal
import sys
import tempfile

from bench import (
    clicks, commands, context, daemon, due, library, lists, peers, posts, report, schedulers, store)

TABLES = {
    "send": commands.send,
    "post": posts.posts,
    "click": clicks.clicks,
    "add": store.adds,
    "due": due.over_time,
    "alone": due.alone,
    "burst": due.burst,
    "list": lists.lists,
    "import": lists.imports,
    "start": daemon.start,
    "idle": daemon.idle,
    "schedulers": schedulers.schedulers,
    "dates": library.dates,
    "records": library.records,
}
WITHOUT_BUS = {"dates", "records"}


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin", help="folder of the release programs")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--only", default=",".join(TABLES), help="tables: " + ",".join(TABLES))
    parser.add_argument("--large", action="store_true",
                        help="with 1,000,000 pending as well; filling it takes minutes")
    parser.add_argument("--json", metavar="FILE", help="writes the figures there")
    found = parser.parse_args()
    found.only = found.only.split(",")
    unknown = set(found.only) - set(TABLES)
    if unknown:
        parser.error(f"there is no table {', '.join(sorted(unknown))}")
    return found


def main():
    asked = options()
    # Turn SIGTERM into an exception, so that sessions are closed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="bench-")
    figures = report.Report()
    try:
        programs = peers.installed(asked.bin, folder)
        compiled = peers.compile_peers(folder) if set(asked.only) - WITHOUT_BUS else {}
        bench = context.Bench(folder, compiled, programs, asked.rounds, asked.count, asked.large,
                              figures)
        for name in (name for name in TABLES if name in asked.only):
            with bench.leaving_out(name):
                TABLES[name](bench)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if asked.json:
            figures.write(asked.json)


if __name__ == "__main__":
    main()
