"""Figures of ours beside those of the peers, from interleaved runs on a private bus.

run.py BIN [--rounds N] [--count N] [--only send,post,due,dates,records]

BIN holds the release programs. Prints medians and ratios; never fails because of a figure. A row
whose program is missing or fails says so and is left out.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ["tocsin", "tocsind", "PostBench", "DateBench", "RecordBench"]
SERVER = "org.freedesktop.Notifications"
CONFIGURATION = """<busconfig><type>session</type><listen>unix:dir={folder}</listen>
<auth>EXTERNAL</auth><policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy>
<limit name="max_incoming_bytes">1000000000</limit>
<limit name="max_outgoing_bytes">1000000000</limit>
<limit name="max_replies_per_connection">50000</limit></busconfig>
"""


def compile_peers(folder):
    """Builds the C programs and returns their paths by name."""
    programs = {"mock_server": "dbus-1", "libdbus_client": "dbus-1", "libnotify_client": "libnotify",
                "measure": None}
    for name, library in programs.items():
        flags = []
        if library:
            flags = subprocess.check_output(
                ["pkg-config", "--cflags", "--libs", library], text=True).split()
        source = os.path.join(HERE, "peers", name + ".c")
        programs[name] = os.path.join(folder, name)
        subprocess.check_call(["cc", "-O2", "-Wall", "-o", programs[name], source] + flags)
    return programs


def installed(source, folder):
    """Copies the programs as an installation would, and returns where they are.

    A file that a linker wrote, or that the kernel read back page by page, takes up to 15 % longer
    to start than a copy, whose page cache is in larger pieces; notify-send is a copy, too.
    """
    target = os.path.join(folder, "bin")
    os.mkdir(target)
    for name in PROGRAMS:
        if os.path.exists(os.path.join(source, name)):
            shutil.copy(os.path.join(source, name), target)
    return target


@contextlib.contextmanager
def started(command, environment, **more):
    """A program that ends with the block; its first line of output is awaited."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, **more)
    try:
        process.first_line = process.stdout.readline().strip()
        if not process.first_line:
            raise RuntimeError(f"{command[0]} ended with {process.wait()} before it was ready")
        yield process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def fresh_session(programs):
    """A session in which nothing of an earlier run is left."""
    folder = tempfile.mkdtemp(prefix="bench-")
    try:
        with contextlib.ExitStack() as stack:
            yield Session(stack, folder, programs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Session:
    """A private bus with the mock server, and fresh XDG directories."""

    def __init__(self, stack, folder, programs):
        self.folder, self.programs = folder, programs
        environment = dict(os.environ, HOME=folder, LANG="C.UTF-8")
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "TOCSIN_MODE", "DBUS_STARTER_ADDRESS"]:
            environment.pop(name, None)
        for name in ["RUNTIME_DIR", "STATE_HOME", "DATA_HOME", "CONFIG_HOME", "CACHE_HOME"]:
            environment["XDG_" + name] = path = os.path.join(folder, name.lower())
            os.makedirs(path, mode=0o700)
        configuration = os.path.join(folder, "bus.conf")
        with open(configuration, "w") as file:
            file.write(CONFIGURATION.format(folder=folder))
        bus = stack.enter_context(started(
            ["dbus-daemon", "--config-file=" + configuration, "--nofork", "--print-address=1"],
            environment, stderr=subprocess.DEVNULL))
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.first_line
        self.environment = environment
        stack.enter_context(started([programs["mock_server"]], environment))
        stack.callback(self.end_daemon)

    def end_daemon(self):
        """Ends the tocsind that a program of ours started here; it would outlive the bus."""
        asked = subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/",
             "--method", "org.freedesktop.DBus.GetConnectionUnixProcessID",
             "org.tocsin.NotificationCenter1"],
            env=self.environment, text=True, capture_output=True)
        found = re.search(r"uint32 (\d+)", asked.stdout)
        if found:
            os.kill(int(found.group(1)), signal.SIGTERM)

    def call(self, method, *arguments, timeout=120):
        subprocess.check_call(
            ["gdbus", "call", "--session", "--timeout", str(timeout), "--dest", SERVER,
             "--object-path", "/org/freedesktop/Notifications", "--method",
             "org.tocsin.Bench." + method, *arguments],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def expect(self, count, timeout=120):
        """Returns when so many calls have come since the last `arrivals()`."""
        self.call("Expect", f"uint32 {count}", timeout=timeout)

    def arrivals(self):
        """What came since the last call: (nanoseconds, summary) in order."""
        path = os.path.join(self.folder, "arrivals")
        self.call("Take", path)
        with open(path) as file:
            return [(int(at), summary) for at, _, summary in
                    (line.rstrip("\n").partition(" ") for line in file)]

    def measure(self, command):
        """(wall ms, CPU ms, largest RSS MB) of one run, start to exit."""
        output = subprocess.check_output(
            [self.programs["measure"]] + command, env=self.environment, text=True)
        wall, cpu, rss, status = map(int, output.split())
        if status != 0:
            raise RuntimeError(f"{' '.join(command[:2])} ended with {status}")
        return wall / 1000, cpu / 1000, rss / 1024


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def table(title, header, rows):
    print(f"\n## {title}\n")
    widths = [max(len(str(row[i])) for row in [header] + rows) for i in range(len(header))]
    for row in [header] + rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def usable(session, commands):
    """The commands that work, tried once; a word about the others."""
    working = {}
    for name, command in commands.items():
        try:
            session.measure(command)
            session.expect(1, timeout=5)
            session.arrivals()
            working[name] = command
        except subprocess.CalledProcessError:
            print(f"left out: {name}: it ended well, but nothing came to the server")
        except (RuntimeError, OSError) as problem:
            print(f"left out: {name}: {problem}")
    return working


def measure_in_turn(session, commands, rounds):
    """The figures of each command, each the first of a round as often as any other."""
    runs = {name: [] for name in commands}
    names = list(commands)
    for number in range(rounds):
        for name in names[number % len(names):] + names[:number % len(names)]:
            runs[name].append(session.measure(commands[name]))
    return runs


def bench_send(programs, bin_folder, rounds):
    """(a) One notification from the command line, start to exit."""
    commands = {
        "tocsin send": [os.path.join(bin_folder, "tocsin"), "send", "Bench", "body"],
        "notify-send": ["notify-send", "Bench", "body"],
        "gdbus call": ["gdbus", "call", "--session", "--dest", SERVER, "--object-path",
                       "/org/freedesktop/Notifications", "--method", SERVER + ".Notify", "--",
                       "bench", "uint32 0", "", "Bench", "body", "@as []", "@a{sv} {}", "int32 -1"],
        "C, libdbus": [programs["libdbus_client"], "1"],
    }
    with fresh_session(programs) as session:
        commands = usable(session, commands)
        runs = measure_in_turn(session, commands, rounds)
    peer = [statistics.median(column) for column in zip(*runs["notify-send"])]
    rows = []
    for name, measured in runs.items():
        medians = [statistics.median(column) for column in zip(*measured)]
        ratios = [f"{ours / theirs:.2f}" for ours, theirs in zip(medians, peer)]
        rows.append([name] + [f"{m:.2f}" for m in medians] + ratios)
    table(f"(a) one notification, start to exit: medians of {rounds} interleaved runs",
          ["", "wall ms", "CPU ms", "RSS MB", "wall", "CPU", "RSS (x notify-send)"], rows)


def post(session, command, count, environment):
    """Posts a second until all have arrived, how many different ones came, and how many at all."""
    with started(command, dict(session.environment, **environment),
                 stdin=subprocess.PIPE) as process:
        start = int(process.first_line)
        with contextlib.suppress(subprocess.CalledProcessError):
            session.expect(count)
        process.stdin.close()
        process.wait(timeout=60)
    came = session.arrivals()
    rate = len(came) / ((came[-1][0] - start) / 1e9) if came else 0
    return rate, len({summary for _, summary in came}), len(came)


def post_bench(bin_folder):
    return os.path.join(bin_folder, "PostBench")


def bench_post(programs, bin_folder, count, rounds):
    """(b) Many posts of one process."""
    ours = post_bench(bin_folder)
    commands = {
        "libnotify C, one at a time": ([programs["libnotify_client"], str(count)], {}),
        "libdbus C, one at a time": ([programs["libdbus_client"], str(count), "1"], {}),
        "libdbus C, 256 in flight": ([programs["libdbus_client"], str(count), "256"], {}),
    }
    for mode in ["embedded", "daemon"]:
        for order in ["sequential", "concurrent"]:
            commands[f"tocsin {mode}, {order}"] = (
                [ours, "post", str(count), order], {"TOCSIN_MODE": mode})
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (command, environment) in commands.items():
            if name not in runs:
                continue
            try:
                with fresh_session(programs) as session:
                    runs[name].append(post(session, command, count, environment))
            except (RuntimeError, OSError, ValueError, subprocess.TimeoutExpired) as problem:
                print(f"left out: {name}: {problem}")
                del runs[name]
    peers = {peer: statistics.median(r for r, _, _ in runs[peer]) for peer in list(commands)[:3]}
    rows = []
    for name, measured in runs.items():
        rate = statistics.median(r for r, _, _ in measured)
        lost = sum(count - distinct for _, distinct, _ in measured)
        twice = sum(all_came - distinct for _, distinct, all_came in measured)
        rows.append([name, f"{rate:.0f}", lost, twice] + [f"{rate / p:.2f}" for p in peers.values()])
    table(f"(b) {count} posts of one process, until the last is at the server; {rounds} rounds",
          ["", "posts/s", "lost", "twice", "x libnotify", "x libdbus one", "x libdbus 256"], rows)


def due(session, command, count, seconds, environment):
    """What came, as (nanoseconds, due nanoseconds)."""
    with started(command, dict(session.environment, **environment),
                 stdin=subprocess.PIPE) as process:
        with contextlib.suppress(subprocess.CalledProcessError):
            session.expect(count, timeout=seconds + 20)
        process.stdin.close()
        process.wait(timeout=30)
    return [(at, title) for at, title in session.arrivals() if re.fullmatch(r"\d+", title)]


def bench_due(programs, bin_folder, count, seconds):
    """(c) How late requests reach the server."""
    rows = []
    for mode in ["embedded", "daemon"]:
        command = [post_bench(bin_folder), "due", str(count), str(seconds)]
        try:
            with fresh_session(programs) as session:
                came = due(session, command, count, seconds, {"TOCSIN_MODE": mode})
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as problem:
            print(f"left out: due, {mode}: {problem}")
            continue
        late = [(at - int(wanted)) / 1e6 for at, wanted in came]
        if late:
            rows.append([mode, f"{percentile(late, 0.5):.2f}", f"{percentile(late, 0.99):.2f}",
                         f"{max(late):.2f}", f"{min(late):.2f}",
                         count - len({wanted for _, wanted in came})])
    if rows:
        table(f"(c) {count} requests due over {seconds} s: milliseconds late at the server",
              ["", "p50", "p99", "max", "min", "lost"], rows)


def bench_dates(bin_folder):
    """(d) The next date of calendar components, beside Foundation's search."""
    try:
        output = subprocess.check_output([os.path.join(bin_folder, "DateBench")], text=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        print(f"left out: dates: {problem}")
        return
    table("(d) the next date: microseconds a question",
          ["", "ours p50", "worst", "Foundation p50", "worst", "p50, x Foundation"],
          [line.split("\t") for line in output.splitlines()])


def bench_records(bin_folder):
    """(e) A request into JSON and out of it, beside Foundation's coders."""
    try:
        output = subprocess.check_output([os.path.join(bin_folder, "RecordBench")], text=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        print(f"left out: records: {problem}")
        return
    table("(e) a request to JSON and back: microseconds of the processor",
          ["", "ours", "Foundation", "x Foundation"],
          [line.split("\t") for line in output.splitlines()])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin", help="folder of the release programs")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--only", default="send,post,due,dates,records")
    options = parser.parse_args()
    only = options.only.split(",")
    folder = tempfile.mkdtemp(prefix="bench-")
    try:
        bin_folder = installed(options.bin, folder)
        programs = compile_peers(folder) if set(only) - {"dates", "records"} else {}
        if "send" in only:
            bench_send(programs, bin_folder, options.rounds)
        if "post" in only:
            bench_post(programs, bin_folder, options.count, 3)
        if "due" in only:
            bench_due(programs, bin_folder, 1000, 10)
        if "dates" in only:
            bench_dates(bin_folder)
        if "records" in only:
            bench_records(bin_folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
