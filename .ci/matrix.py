"""Reads the results of the tests on real servers: one file of JSON lines for each server.

matrix.py summary FOLDER       Prints a line for each server, then "N passed, N failed".
matrix.py article FOLDER FILE  Writes the article SupportedDesktops.md.
matrix.py readme FOLDER FILE   Writes the short table between the file's two marks.

FILE keeps the row of a server until the same version is measured again. So the table has servers
of several releases of Debian, although each run measures one release.
"""

import glob
import json
import os
import re
import sys

# The server's package and its usual name, in the order of the tables.
NAMES = {
    "gnome-shell": "GNOME Shell",
    "plasma-workspace": "KDE Plasma",
    "xfce4-notifyd": "Xfce",
    "cinnamon": "Cinnamon",
    "budgie-core": "Budgie",
    "mate-notification-daemon": "MATE",
    "lxqt-notificationd": "LXQt",
    "notification-daemon": "notification-daemon",
    "dunst": "dunst",
    "mako-notifier": "mako",
    "sway-notification-center": "SwayNotificationCenter",
}
# The columns of the article's tables: the cell and its heading.
DRAWN = {"name": "app’s name", "icon": "app’s icon", "image": "picture",
         "markup": "text as written", "buttons": "buttons drawn, of 5"}
DONE = {"button": "button", "body": "the popup itself", "dismissal": "dismissal",
        "reply": "typed reply", "expiry": "leaves in time"}
WINDOWS = {"windowRunning": "app running", "windowCold": "app not running"}
AROUND = {"replace": "replaced in place", "doNotDisturb": "Do Not Disturb",
          "restart": "server killed", "unknownID": "an unknown id is"}
SETTINGS = {"silenceSeen": "Do Not Disturb is known", "switchSeen": "an app that is off there",
            "switchTold": "an app that is denied here"}
SHORT = {"buttons": "buttons drawn, of 5", "image": "picture", "body": "click on the popup",
         "reply": "typed reply", "doNotDisturb": "Do Not Disturb"}


def read(folder):
    """Returns the servers in the order of NAMES, each with its lines."""
    found = {}
    for path in glob.glob(os.path.join(folder, "*.jsonl")):
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file if line.strip()]
        found[lines[0]["server"]] = lines
    return [(name, found[name]) for name in sorted(
        found, key=lambda name: list(NAMES).index(name) if name in NAMES else len(NAMES))]


def summary(folder):
    passed = failed = 0
    for name, lines in read(folder):
        bad = [line for line in lines if not line["passed"]]
        good = len(lines) - len(bad)
        passed, failed = passed + good, failed + len(bad)
        text = f"{name} ({lines[0]['version']}): {good} passed, {len(bad)} failed"
        seconds = sum(line["seconds"] for line in lines)
        print(f"{text}, in {seconds:.0f} s")
        for line in bad:
            print(f"  {line['cell']}: {line['outcome'][:200]}, expected {line['expected']}")
    measured = [name for name, _ in read(folder)]
    for name in (name for name in NAMES if name not in measured):
        print(f"{name}: not measured: make test-desktops SERVERS={name}")
    print(f"{passed} passed, {failed} failed")


def number(version):
    """Returns the first word that begins with a digit; some servers add the day of the release."""
    return next((word for word in version.split() if word[0].isdigit()), version)


def place(label):
    """Returns the sort key of a row: the order of NAMES, then older versions first."""
    name, _, version = label.rpartition(" ")
    names = list(NAMES.values())
    return (names.index(name) if name in names else len(names),
            [int(part) for part in re.findall(r"\d+", version)])


def table(folder, columns, former):
    """Returns the rows of this run, with the rows of `former` that this run did not measure."""
    head = "| " + " | ".join(["server"] + list(columns.values())) + " |"
    rows = {}
    for line in former.partition(head + "\n")[2].split("\n")[1:]:
        if not line.startswith("| "):
            break
        rows[line[2:].partition(" |")[0]] = line
    for name, lines in read(folder):
        cells = {line["cell"]: line for line in lines}
        label = f"{NAMES.get(name, name)} {number(lines[0]['version'])}"
        row = [label] + [cells[cell]["outcome"].partition(":")[0] for cell in columns]
        rows[label] = "| " + " | ".join(row) + " |"
    line = "| " + " | ".join(["---"] * (len(columns) + 1)) + " |"
    return "\n".join([head, line] + [rows[label] for label in sorted(rows, key=place)])


def article(folder, path):
    with open(path, encoding="utf-8") as file:
        former = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text(folder, former))


def text(folder, former):
    dates = [line["date"] for _, lines in read(folder) for line in lines]
    dates += re.findall(r"until\n(\d{4}-\d\d-\d\d)", former)
    return f"""# Supported desktops

The behaviour of each notification server in a real session, with real clicks.

## How were the servers tested?

![A notification of GNOME Shell, its buttons below the text](GNOMEShell)
![A notification of KDE Plasma, its buttons below the text](KDEPlasma)

`make desktops-article` wrote these tables from runs of `make test-desktops` until
{max(dates)}. The runs cover the servers of Debian 12. Runs with `SUITE=trixie` and `SUITE=sid` cover
those of Debian 13 and of its successor. Each server ran on a bus and a screen of its own. A real
`tocsind` posted the notifications, and a pointer clicked. The test read the response where an app would
read it.

`tocsin doctor` names the server of your own desktop, its abilities, and the replacement for each missing
one. `--json` prints the same for a bug report.

## What does the popup show?

{table(folder, DRAWN, former)}

“without a picture”: the popup has one place for the app’s icon and the picture. *Text as written*: the
popup shows `<`, `&` and tags in a body literally.

## Which actions of the user come back?

{table(folder, DONE, former)}

The test used a pointer and a keyboard. “by a dialog”: the centre opens a window of zenity. “ignored”:
the server keeps the popup, or its entry in a list, until the user acts. dunst and mako open their menus
with a middle click, as the test configured them.

## Where is the app’s window after a click?

{table(folder, WINDOWS, former)}

Before the click another window was in front and had been used last. An app that runs presents its window
with the token of the response, or with its time. An app that does not run is started with that token.

The window manager was Xfce’s xfwm4 for Xfce, MATE’s marco for MATE, and sway for mako and
SwayNotificationCenter. The other servers without a desktop had openbox. On X11, of these servers only
Plasma gives a token. For the other servers the centre makes a token: a startup id with the time of the
click. A Wayland compositor accepts only its own tokens. mako passes such a token on, and these versions
of SwayNotificationCenter do not. By default sway only marks a window that asks for the focus, and does not
raise it (sway(5), `focus_on_window_activation`).

## What happens when something changes?

{table(folder, AROUND, former)}

*Server killed*: the test killed the server and started it again while the daemon ran. “yes”: the next
popup appeared, and its click came back. “shown again”: the notifications that had been on the screen
also appeared again, without a sound. *An unknown id is*: the answer of the server to an id that it never
gave. The first part is about `Notify` with such a `replaces_id`, the second about `CloseNotification`.

## Which settings of the desktop count?

{table(folder, SETTINGS, former)}

*Do Not Disturb is known*: the test turned it on and off as a user does. `tocsin doctor` and the app’s
settings reported it. *An app that is off there*: the test turned the app’s switch off in the desktop’s
settings. The app was denied, its request was refused, and no question appeared. When the switch was on
again, the app could notify. *An app that is denied here*: the test clicked Don’t Allow at the centre’s
question, and the desktop’s switch was off. “not tested”: the desktop has a switch, which the test cannot
turn.
"""


def readme(folder, path):
    with open(path, encoding="utf-8") as file:
        former = file.read()
    start, end = "<!-- make desktops-article -->\n", "<!-- until here -->"
    head, _, rest = former.partition(start)
    _, found, tail = rest.partition(end)
    if not found:
        sys.exit(f"matrix.py: {path} has not the marks {start.strip()} and {end}: add both")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{start}{table(folder, SHORT, former)}\n{end}{tail}")


if __name__ == "__main__":
    command, *operands = sys.argv[1:]
    {"summary": summary, "article": article, "readme": readme}[command](*operands)
