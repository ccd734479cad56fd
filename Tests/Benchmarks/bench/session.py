"""A session for measurements: a private bus, the mock server, and temporary directories."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile

from bench import processes

SERVER = "org.freedesktop.Notifications"
CENTER = "org.tocsin.NotificationCenter1"
CONFIGURATION = """<busconfig><type>session</type><listen>unix:dir={folder}</listen>
<auth>EXTERNAL</auth><policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy>
<limit name="max_incoming_bytes">1000000000</limit>
<limit name="max_outgoing_bytes">1000000000</limit>
<limit name="max_replies_per_connection">50000</limit></busconfig>
"""
# If a run fails with one of these errors, only its row is left out.
PROBLEMS = (RuntimeError, OSError, ValueError, subprocess.SubprocessError)


@contextlib.contextmanager
def started(command, environment, **more):
    """Runs a program until the block ends; waits for its first line of output."""
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
def fresh_session(bench, state=None):
    """Opens a session without remains of an earlier run, except for the stores of `state`."""
    folder = tempfile.mkdtemp(prefix="bench-")
    try:
        with contextlib.ExitStack() as stack:
            yield Session(stack, folder, bench, state)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Session:
    """A private bus with the mock server, and fresh XDG directories."""

    def __init__(self, stack, folder, bench, state):
        self.folder, self.bench, self.peers, self.stack = folder, bench, bench.peers, stack
        environment = dict(os.environ, HOME=folder, LANG="C.UTF-8")
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "TOCSIN_MODE", "DBUS_STARTER_ADDRESS"]:
            environment.pop(name, None)
        for name in ["RUNTIME_DIR", "STATE_HOME", "DATA_HOME", "CONFIG_HOME", "CACHE_HOME"]:
            environment["XDG_" + name] = path = os.path.join(folder, name.lower())
            os.makedirs(path, mode=0o700)
        if state:
            shutil.copytree(state, environment["XDG_STATE_HOME"], dirs_exist_ok=True)
        write_desktop_file(environment["XDG_DATA_HOME"], bench.program("PostBench"))
        configuration = os.path.join(folder, "bus.conf")
        with open(configuration, "w") as file:
            file.write(CONFIGURATION.format(folder=folder))
        self.bus = stack.enter_context(started(
            ["dbus-daemon", "--config-file=" + configuration, "--nofork", "--print-address=1"],
            environment, stderr=subprocess.DEVNULL))
        environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.first_line
        self.environment = environment
        self.server = stack.enter_context(started([self.peers["mock_server"]], environment))
        stack.callback(self.end_daemon)

    def daemon(self):
        """Returns the process id of this session's tocsind; None if none runs."""
        asked = subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/",
             "--method", "org.freedesktop.DBus.GetConnectionUnixProcessID", CENTER],
            env=self.environment, text=True, capture_output=True)
        found = re.search(r"uint32 (\d+)", asked.stdout)
        return int(found.group(1)) if found else None

    def start_daemon(self):
        """Starts the tocsind that our programs would start here, and returns its process id."""
        with open(os.path.join(self.folder, "tocsind.log"), "w") as log:
            process = subprocess.Popen([self.bench.program("tocsind"), "--dev"], stdout=log,
                                       stderr=log, env=self.environment, start_new_session=True)
        # The stack calls these in reverse order: `terminate` first, and then `wait`.
        self.stack.callback(process.wait)
        self.stack.callback(process.terminate)
        subprocess.check_call(["gdbus", "wait", "--session", "--timeout", "60", CENTER],
                              env=self.environment, stdout=subprocess.DEVNULL)
        return process.pid

    def end_daemon(self):
        """Ends a tocsind that our programs started here, because it would outlive the bus."""
        pid = self.daemon()
        if pid:
            os.kill(pid, signal.SIGTERM)

    def call(self, method, *arguments, timeout=120):
        subprocess.check_call(
            ["gdbus", "call", "--session", "--timeout", str(timeout), "--dest", SERVER,
             "--object-path", "/org/freedesktop/Notifications", "--method",
             "org.tocsin.Bench." + method, *arguments],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def expect(self, count, timeout=120):
        """Returns when this many calls have come since the last `arrivals()`."""
        self.call("Expect", f"uint32 {count}", timeout=timeout)

    def arrivals(self):
        """Returns the posts since the last call: (nanoseconds, summary) in order."""
        return self.taken("Take")

    def clicks(self):
        """Returns the clicks since the last call: (nanoseconds, summary) in order."""
        return self.taken("TakeClicks")

    def taken(self, method):
        path = os.path.join(self.folder, "taken")
        self.call(method, path)
        with open(path) as file:
            return stamped(file)

    def measure(self, command):
        """Returns (wall ms, CPU ms, largest RSS MB) of one run, from start to exit."""
        ended = subprocess.run([self.peers["measure"]] + command, env=self.environment, text=True,
                               capture_output=True, check=True)
        wall, cpu, rss, status = map(int, ended.stdout.split())
        if status != 0:
            name = " ".join([os.path.basename(command[0])] + command[1:2])
            raise RuntimeError(f"{name} ended with {status}: {ended.stderr.strip()}")
        return wall / 1000, cpu / 1000, rss / 1024

    def cpu(self, **more):
        """Returns the processor time of bus and server so far, and of the named processes."""
        pids = {"bus": self.bus.pid, "server": self.server.pid, **more}
        return {name: processes.cpu_seconds(pid) for name, pid in pids.items() if pid}


def write_desktop_file(data, program):
    """Installs the desktop file of an app: without it the library prints advice."""
    folder = os.path.join(data, "applications")
    os.makedirs(folder)
    with open(os.path.join(folder, "dev.PostBench.desktop"), "w") as file:
        file.write(f"[Desktop Entry]\nType=Application\nName=PostBench\nExec={program}\n")


def stamped(lines):
    """Reads lines of a time and a text; returns (time, text) in order."""
    return [(int(at), text) for at, _, text in
            (line.rstrip("\n").partition(" ") for line in lines)]
