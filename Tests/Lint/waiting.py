"""Tests that poll, wait for a time, or can hang."""

import os
import re

from swifttext import block_end, without_comments

# The files that may poll, because no event exists. Each place gives its reason in the call of
# `polled(because:)`, or in a comment.
POLLING = {
    "Tests/TestSupport/Polling.swift": "the helper itself",
    "Tests/TestSupport/Desktop/AccessibilityTree.swift": "AT-SPI drops events of late widgets",
    "Tests/TestSupport/Desktop/AppWindow.swift": "compositors share no event of windows",
    "Tests/TestSupport/Desktop/GnomeShell.swift": "`Eval` signals nothing",
    "Tests/TestSupport/Desktop/KWinSession.swift": "KWin sends no event of a new output",
    "Tests/TestSupport/Desktop/Pointer.swift": "xdotool does not wait for a size",
    "Tests/TestSupport/Desktop/PrintedText.swift": "a picture has no event",
    "Tests/TestSupport/Servers/RealServer+User.swift": "a picture, a lost click",
    "Tests/TestSupport/Servers/ServerStage.swift": "xprop may miss the event of a window manager",
    "Tests/ServerTests/LockOnRealServersTests.swift": "the screen saver answers no Ping",
    "Tests/ServerTests/QuickActionsOnRealDesktopsTests.swift": "menus, pictures and a shell's actors have no event",
    "Tests/ServerTests/Matrix/ServerTrial+Cells.swift": "a picture has no event",
    "Tests/ServerTests/Matrix/ServerTrial+Settings.swift": "a desktop stores after its answer",
    "Tests/ServerTests/Matrix/ServerTrial+Windows.swift": "compositors share no event of windows",
    "Tests/HostingTests/DesktopFileTests.swift": "GIO watches folders in a thread of its own",
    "Tests/HostingTests/DaemonProcess.swift": "/proc has no event of a descriptor",
    "Tests/HostingTests/DescriptorTests.swift": "a daemon that closes a file does not signal it",
    "Tests/HostingTests/OnClickTests.swift": "no signal tells that a response was removed",
    "Tests/HostingTests/ResourceTests.swift": "a daemon without memory drops calls",
    "Tests/NotificationEngineTests/EngineMediaTests.swift": "the engine reports no end of a sound",
    "Tests/TocsinTests/NotifySendTests.swift": "only /proc has a program's signal handlers",
    "Tests/HostProbe/HostProbe.swift": "an app has no event of a delivery",
    "Tests/ExitProbe/FailureProbe.swift": "only /proc has the end of another thread",
    "Tests/ExitProbe/ExitProbe.swift": "its test needs busy threads",
    "Tests/UIKitProbe/main.swift": "an app has no event of a signal that it does not handle",
}

# A loop that takes elements does not poll.
LOOP = re.compile(
    r"\bwhile\b(?! (?:let|var|case)\b)(?P<condition>(?:[^{(]|\((?:[^()]|\([^()]*\))*\))*)\{"
    r"|\brepeat\s*\{|\bfor _ in\b[^{]*\b(?P<counted>where)\b[^{]*\{")

# The condition of an empty loop that polls: it looks and does not block.
IDLE = re.compile(r"\bawait\b|\.isEmpty\b|^[^()]*$")
YIELD = re.compile(r"\bTask\.yield\(|\bsched_yield\(")
LOOK = re.compile(r"\bpolled\(")
PYTHON_SLEEP = re.compile(r"\btime\.sleep\(|\basyncio\.sleep\(")
POLLS = "polls: wait for an event; without one use `polled(because:)`, in the files of POLLING"


def polling_faults(path, text):
    """Yields the places that poll."""
    if path in POLLING:
        return
    code = without_comments(text)
    places = [match.start() for match in LOOK.finditer(code)]
    for match in LOOP.finditer(code):
        body = code[match.end():block_end(code, match.end())]
        is_idle = not body.strip() and IDLE.search(match["condition"] or "")
        if is_idle or YIELD.search(body) or match["counted"] and "await " in body:
            places.append(match.start())
    # A script in a string is code as well.
    places += [match.start() for match in PYTHON_SLEEP.finditer(text)]
    for place in sorted(places):
        yield f"{path}:{text.count(chr(10), 0, place) + 1}: {POLLS}"


def python_faults(root):
    """Yields the places in Python programs of tests that wait for a time; benchmarks may wait."""
    for place, _, names in sorted(os.walk(os.path.join(root, "Tests"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(place, name), root)
            if not name.endswith(".py") or path.startswith(("Tests/Benchmarks/", "Tests/Lint/")):
                continue
            with open(os.path.join(root, path), encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    if PYTHON_SLEEP.search(line):
                        yield f"{path}:{number}: {POLLS}"


SUITE = re.compile(
    r"^(?:@Suite\b(?P<traits>.*?))?(?:(?:private|package|public|final)\s+)*(?:struct|class|enum|actor)\s+"
    r"(?P<name>\w+Tests)\b[^\n{]*\{(?P<body>.*?)^\}", re.S | re.M)


def time_limit_faults(path, text):
    """Yields the suites with tests that wait and have no time limit."""
    for match in SUITE.finditer(without_comments(text)):
        body = match["body"]
        tests = len(re.findall(r"@Test\b", body))
        if not tests or not re.search(r"\bawait\b", body):
            continue
        if "timeLimit" in (match["traits"] or "") or body.count("timeLimit") >= tests:
            continue
        line = text.count("\n", 0, match.start("name")) + 1
        yield f"{path}:{line}: {match['name']} waits: give it a `.timeLimit`"
