"""Uses the installed package as a user does, in a separate session: see `run`.

session.py activates|leaves|logs-in|managed|keeps|removed|dunst
Prints the observations; fails by an exception.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

SERVER = "org.freedesktop.Notifications"
CENTER = "org.tocsin.NotificationCenter1"
UNIT = "/usr/lib/systemd/user/tocsind.service"
TIMEOUT = 120


class Server(dbus.service.Object):
    """A notification server that shows nothing and remembers everything."""

    def __init__(self, bus):
        super().__init__(dbus.service.BusName(SERVER, bus, do_not_queue=True),
                         "/org/freedesktop/Notifications")
        self.posts = []
        self.restored = []

    @dbus.service.method(SERVER, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        # The daemon posts unanswered notifications of an earlier session again, silently.
        posts = self.restored if "x-tocsin-restored" in hints else self.posts
        posts.append((str(summary), time.monotonic()))
        return len(self.restored) + len(self.posts)

    @dbus.service.method(SERVER, out_signature="as")
    def GetCapabilities(self):
        return ["body", "actions", "persistence"]

    @dbus.service.method(SERVER, out_signature="ssss")
    def GetServerInformation(self):
        return "recorder", "tocsin", "1", "1.2"

    @dbus.service.method(SERVER, in_signature="u")
    def CloseNotification(self, id):
        self.NotificationClosed(id, 3)

    @dbus.service.signal(SERVER, signature="uu")
    def NotificationClosed(self, id, reason):
        pass


def until(what, check):
    """Serves the bus until `check` gives a true value, which is returned."""
    end = time.monotonic() + TIMEOUT
    timer = GLib.timeout_add(20, lambda: True)
    while not (value := check()):
        if time.monotonic() > end:
            raise SystemExit(f"FAILED: {what} did not happen within {TIMEOUT} s")
        GLib.MainContext.default().iteration(True)
    GLib.source_remove(timer)
    return value


def daemon():
    """Returns the process that owns our name, or None; the question activates no service."""
    try:
        return int(bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus")
                   .GetConnectionUnixProcessID(CENTER, dbus_interface="org.freedesktop.DBus"))
    except dbus.DBusException as error:
        if error.get_dbus_name() != "org.freedesktop.DBus.Error.NameHasNoOwner":
            raise
        return None


def tocsin(*arguments):
    """Runs the tool beside the main loop, which may have to answer the daemon meanwhile."""
    process = subprocess.Popen(["tocsin", *arguments], stdout=subprocess.PIPE, text=True)
    status = until(f"tocsin {arguments}", lambda: (process.poll() is not None) and [process.poll()])
    assert status == [0], f"tocsin {arguments}: {status}"
    return process.stdout.read()


def end_daemon():
    """Ends the daemon as a logout does."""
    os.kill(daemon(), signal.SIGTERM)
    until("the end of the daemon", lambda: not bus.name_has_owner(CENTER))


def activates():
    server = Server(bus)
    assert daemon() is None
    assert CENTER in map(str, bus.list_activatable_names())
    from_then = time.monotonic()
    tocsin("schedule", "Hi", "--in", "5s")
    executable = os.readlink(f"/proc/{daemon()}/exe")
    assert executable == "/usr/bin/tocsind", executable
    until("the popup", lambda: server.posts)
    (summary, posted), = server.posts
    assert summary == "Hi" and posted - from_then >= 5
    print(f"ok: without a daemon, schedule --in 5s activated {executable};"
          f" the popup came after {posted - from_then:.2f} s")
    end_daemon()


def leaves():
    """A session that ends while a request waits for a server, which is missing here."""
    tocsin("schedule", "At the next login", "--in", "1s")
    tocsin("schedule", "Much later", "--in", "10h")
    end_daemon()


def logs_in():
    server = Server(bus)
    with open(UNIT, encoding="utf-8") as file:
        command, = [line[10:] for line in file.read().split("\n") if line.startswith("ExecStart=")]
    process = subprocess.Popen(shlex.split(command))
    until("the popup", lambda: server.posts)
    assert [summary for summary, _ in server.posts] == ["At the next login"], server.posts
    process.terminate()
    assert process.wait() == 0
    print(f"ok: in a new session, {command} alone showed what was pending before")


def unit_process():
    shown = subprocess.check_output(
        ["systemctl", "--user", "show", "-p", "MainPID", "--value", "tocsind.service"], text=True)
    return int(shown)


def managed():
    """A session under systemd: default.target has started the unit, and no client calls."""
    first = until("the start of the unit", daemon)
    assert first == unit_process()
    server = Server(bus)
    until("the popup", lambda: server.posts)
    assert [summary for summary, _ in server.posts] == ["At the next login"], server.posts
    print("ok: systemd --user started the unit at the login; it showed what was pending before")
    os.kill(first, signal.SIGKILL)
    second = until("the restart", lambda: daemon() not in (None, first) and daemon())
    assert second == unit_process()
    subprocess.check_call(["systemctl", "--user", "stop", "tocsind.service"])
    assert not bus.name_has_owner(CENTER)
    tocsin("schedule", "Hi", "--in", "1s")
    assert daemon() == unit_process()
    # A popup that was on the screen when the daemon was killed may appear twice.
    until("the second popup", lambda: "Hi" in [summary for summary, _ in server.posts])
    print("posted:", [summary for summary, _ in server.posts])
    print("ok: systemd restarts a daemon that was killed; D-Bus starts a stopped one by its unit")


def keeps():
    server = Server(bus)
    waiting = [json.loads(line)["title"] for line in tocsin("list", "--json").splitlines()]
    assert waiting == ["Much later"], waiting
    end_daemon()
    assert server.posts == []


def removed():
    """`run` removes the package while the daemon runs; then an app asks the bus for the daemon."""
    tocsin("list")
    assert daemon() is not None
    print("ready", flush=True)
    until("the end of the daemon", lambda: not bus.name_has_owner(CENTER))
    try:
        bus.start_service_by_name(CENTER)
    except dbus.DBusException:
        print("ok: the removal ended the daemon, and D-Bus starts no other one")
    else:
        raise SystemExit("FAILED: D-Bus started the daemon that was removed")


def dunst():
    """dunst, a real notification server, which the bus starts for the first post."""
    assert not bus.name_has_owner(SERVER)
    tocsin("schedule", "Hi", "--in", "2s")

    def shown():
        if not bus.name_has_owner(SERVER):
            return 0
        properties = dbus.Interface(bus.get_object(SERVER, "/org/freedesktop/Notifications"),
                                    "org.freedesktop.DBus.Properties")
        return int(properties.Get("org.dunstproject.cmd0", "displayedLength"))

    assert until("the popup on dunst", shown) == 1
    print("ok: dunst, activated by the first post, displays one popup")
    end_daemon()


bus = dbus.SessionBus(mainloop=DBusGMainLoop())
{"activates": activates, "leaves": leaves, "logs-in": logs_in, "managed": managed,
 "keeps": keeps, "removed": removed, "dunst": dunst}[sys.argv[1]]()
