"""Writes the figures of `make bench` between the marks of an article.

article.py FIGURES ARTICLE

The script leaves out a row whose table or peer was not measured.
"""

import os
import sys

from bench import clicks, commands, due, lists, posts, report, schedulers, store
from bench.daemon import FLOOR as SERVER_FLOOR

START, END = "<!-- make performance-article -->\n", "<!-- until here -->"
HEAD = "| | ours | beside it | ours ÷ peer |\n|---|---|---|---|"
MANY, MILLION = "100000 pending", "1000000 pending"


def pendings(text, table, name, field, unit, peer):
    """Returns a row for each number of pending requests."""
    return [(f"{text}, {words}", table, name.format(pending), field, unit, peer)
            for words, pending in [("nothing else pending", "0 pending"),
                                   ("100,000 pending", MANY), ("1,000,000 pending", MILLION)]]


def by_place(text, table, name, field, unit, peer):
    """Returns a row for the notification centre inside the app, and one for the daemon."""
    return [(f"{text}, {words}", table, name.format(mode), field, unit, peer)
            for words, mode in [("centre in the app", "embedded"), ("by the daemon", "daemon")]]


# A row has its words; the table, row and field of its figure; the unit; and the peer's row.
SECTIONS = {
    "One notification from the command line": [
        (f"`tocsin send`, {words}", "send", "tocsin send", field, unit, commands.PEER)
        for words, field, unit in [("start to exit", "wall", "ms"), ("processor time", "cpu", "ms"),
                                   ("memory", "rss", "MB")]],
    "Many notifications from one app": [
        *by_place("awaited one by one", "post", "tocsin {}, sequential", "rate", "/s",
                  posts.NOTIFY),
        *by_place("awaited one by one", "post", "tocsin {}, sequential", "rate", "/s",
                  posts.STORE),
        *by_place("all at once", "post", "tocsin {}, concurrent", "rate", "/s", posts.NOTIFY),
        *by_place("all at once", "post", "tocsin {}, concurrent", "rate", "/s", posts.MANY),
        *by_place("all at once", "post", "tocsin {}, concurrent", "rate", "/s",
                  posts.STORE_MANY),
        *by_place("processor time of one, all at once", "cost", "tocsin {}, concurrent", "both",
                  "ms", posts.NOTIFY),
        *by_place("processor time of one, all at once", "cost", "tocsin {}, concurrent", "both",
                  "ms", posts.STORE_MANY)],
    "From a click to the app’s code": [
        *by_place("half of all clicks within", "click", "tocsin, {}", "p50", "µs", clicks.FLOOR),
        *by_place("99 of 100 within", "click", "tocsin, {}", "p99", "µs", clicks.FLOOR),
        *by_place("half of all clicks within", "click", "tocsin, {}", "p50", "µs", store.FLOOR)],
    "Scheduling": [
        ("one request stored, awaited by an app", "add", "app, through tocsind", "p50", "ms",
         store.FLOOR),
        *pendings("one request stored", "add", "C client of tocsind, {}", "p50", "ms", store.FLOOR),
        *pendings(f"stored with {store.IN_FLIGHT} calls in flight", "add",
                  "C client of tocsind, {}", "rate", "/s", store.FLOOR),
        ("`tocsin in`, start to exit", "schedulers", schedulers.OURS, "add", "ms",
         schedulers.APSCHEDULER_ROW),
        ("`tocsin cancel`, start to exit", "schedulers", schedulers.OURS, "cancel", "ms",
         schedulers.APSCHEDULER_ROW),
        ("`tocsin in`, start to exit", "schedulers", schedulers.OURS, "add", "ms",
         schedulers.SYSTEMD_ROW),
        ("`tocsin cancel`, start to exit", "schedulers", schedulers.OURS, "cancel", "ms",
         schedulers.SYSTEMD_ROW)],
    "When a notification is due": [
        *pendings("lateness of half of 1,000", "due", "daemon, {}", "p50", "ms", due.FLOOR),
        *pendings("lateness of half of 1,000", "due", "daemon, {}", "p50", "ms", due.STORE),
        *pendings("lateness of 99 of 100 of them", "due", "daemon, {}", "p99", "ms", due.FLOOR),
        *pendings("processor time of one that fires alone", "alone", "tocsind, {}", "cpu", "ms",
                  due.FLOOR),
        *pendings("processor time of one that fires alone", "alone", "tocsind, {}", "cpu", "ms",
                  due.STORE),
        *pendings("10,000 at one instant", "burst", "tocsind, {}", "seconds", "s", due.FLOOR),
        *pendings("10,000 at one instant", "burst", "tocsind, {}", "seconds", "s", due.STORE)],
    "The tool in front of 100,000 requests": [
        ("`tocsin list`", "list", "list", "wall", "ms", lists.ONE_CALL),
        *((f"`tocsin {command}`, by {way}", "list", f"{command}, by {way}", "wall", "ms",
           lists.ONE_CALL)
          for command in ["show", "cancel"] for way in ["identifier", "beginning", "number"]),
        ("`tocsin import`", "import", "import", "wall", "ms", lists.COPY)],
    "The daemon": [
        *pendings("from its start to its name on the bus", "start", "tocsind, {}", "named", "ms",
                  SERVER_FLOOR),
        *pendings("from its start to its first answer", "start", "tocsind, {}", "answered", "ms",
                  SERVER_FLOOR),
        *pendings("wake-ups in a minute without anything due", "idle", "tocsind, {}", "switches",
                  "", None),
        *pendings("memory", "idle", "tocsind, {}", "resident", "MB", None)],
}
PEER_WORDS = {
    posts.NOTIFY: "libnotify", posts.MANY: "libdbus, 256 in flight", clicks.FLOOR: "libdbus",
    posts.STORE: "libdbus and SQLite", posts.STORE_MANY: "libdbus and SQLite, 32 a sync",
    store.FLOOR: "append and fdatasync",
    due.FLOOR: "libdbus without a store", due.STORE: "libdbus and SQLite",
    lists.ONE_CALL: "one call by gdbus", lists.COPY: "a copy by dd, synced",
    SERVER_FLOOR: "a server in C", schedulers.APSCHEDULER_ROW: "APScheduler, one call",
    schedulers.SYSTEMD_ROW: "systemd-run, systemctl"}


def number(value):
    """Returns a number with three significant digits."""
    if isinstance(value, int) or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def line(tables, words, table, name, field, unit, peer):
    """Returns the row of the article; None if its figure was not measured."""
    rows = tables.get(table, {}).get("rows", {})
    ours, theirs = rows.get(name, {}).get(field), rows.get(peer, {}).get(field)
    if ours is None or (peer and not theirs):
        return None
    space = "" if unit.startswith("/") or not unit else " "
    beside = f"{number(theirs)}{space}{unit} ({PEER_WORDS.get(peer, peer)})" if peer else "–"
    ratio = number(ours / theirs) if peer else "–"
    return f"| {words} | {number(ours)}{space}{unit} | {beside} | {ratio} |"


def text(figures):
    """Returns the paragraph and the tables between the marks."""
    tables = figures["tables"]
    dates = sorted({table["date"] for table in tables.values()})
    days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    parts = [f"Measured on {days}, with {figures['processors']} processors, {figures['system']}."]
    for heading, rows in SECTIONS.items():
        lines = [found for found in (line(tables, *row) for row in rows) if found]
        if lines:
            parts.append("\n".join([f"### {heading}", "", HEAD, *lines]))
    return "\n\n".join(parts) + "\n"


def main(figures, path):
    if not os.path.exists(figures):
        sys.exit(f"article.py: there is no {figures}: run make bench first")
    with open(path, encoding="utf-8") as file:
        former = file.read()
    head, _, rest = former.partition(START)
    _, found, tail = rest.partition(END)
    if not found:
        sys.exit(f"article.py: {path} lacks the marks {START.strip()} and {END}: add both")
    whole = f"{head}{START}{text(report.read(figures))}{END}{tail}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(whole)


if __name__ == "__main__":
    main(*sys.argv[1:])
