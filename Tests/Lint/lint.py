"""The checks that the formatter does not make: imports against the target graph, and house style.

SwiftPM lets a target import what it does not declare if something else brings the module in, so
the `import` lines are compared here with `swift package describe` and with the tables below.
Prints one line per fault and exits 1 if there is any.
"""

import json
import os
import re
import subprocess
import sys

# Arrows that must not exist: from, to, why. They hold for imports and for the declared
# dependencies, direct or through other targets (a "~" before a name: direct only).
FORBIDDEN = [
    ("NotificationModel", "DesktopBus Reactor GRDB Logging CLinux", "the model does no I/O"),
    ("NotificationSchedule", "DesktopBus Reactor GRDB Logging CLinux", "the schedule is pure"),
    ("NotificationStore", "NotificationSchedule NotificationEngine DesktopBus",
     "the store knows rows and files, and decides nothing"),
    ("NotificationEngine", "DesktopBus Freedesktop CenterInterface DesktopIntegration ~GRDB",
     "the engine knows no D-Bus, and of SQLite only the store"),
    ("Freedesktop", "NotificationEngine NotificationSchedule CenterInterface GRDB",
     "the presenter knows neither the engine nor the daemon"),
    ("CenterInterface", "NotificationEngine Freedesktop GRDB", "the wire knows no engine"),
    ("DesktopIntegration", "NotificationEngine Freedesktop CenterInterface GRDB",
     "only the runtime joins the two sides"),
    ("DesktopBus", "NotificationModel", "the bus client could be published alone"),
    ("UserNotifications", "~DesktopBus ~Freedesktop ~NotificationEngine ~CenterInterface ~GRDB",
     "the facade is thin over the model"),
    ("CoreLocation", "DesktopBus GRDB DesktopIntegration NotificationEngine NotificationRuntime",
     "it gets its places from UserNotifications, and links neither a bus nor GIO"),
    ("UIKit", "~DesktopBus ~DesktopIntegration ~Freedesktop ~NotificationEngine ~CenterInterface ~GRDB",
     "the life cycle is thin over the runtime"),
    ("tocsin", "NotificationEngine NotificationRuntime DesktopIntegration CGio GRDB UserNotifications",
     "the tool must start fast: no engine, store, GIO or ICU"),
    ("tocsin-media", "DesktopBus Reactor NotificationEngine Foundation",
     "a program that decodes hostile files is small"),
    ("UserNotifications", "UIKit", "an app that does not import UIKit links nothing of it"),
    ("tocsind", "~NotificationEngine ~Freedesktop ~GRDB", "only the runtime names concrete types"),
]

# The only targets that may import a module (tests and examples may import what they declare).
ONLY_FROM = {
    "Clibdbus": "CDesktopBus",
    "CDesktopBus": "DesktopBus",
    "CGio": "DesktopIntegration",
    "CMedia": "tocsin-media",
    "GRDB": "NotificationStore",
    "ArgumentParser": "tocsin",
    "CoreLocation": "UserNotifications NewsChapters",
    "Intents": "UserNotifications",
    "NotificationRuntime": "UserNotifications UIKit tocsind",
}

NO_FOUNDATION = set(
    "tocsin tocsin-media NotificationModel CenterInterface Freedesktop NotificationSchedule DesktopBus Reactor"
    .split())

# Modules of the toolchain and the C library; everything else must be a declared dependency.
SYSTEM = set(
    "Swift Foundation FoundationEssentials FoundationNetworking FoundationXML Glibc Dispatch Synchronization "
    "Testing XCTest PackageDescription RegexBuilder Observation".split())

POINTER_HOMES = set(
    "Reactor CLinux DesktopBus CDesktopBus DesktopIntegration CGio CMedia tocsin-media".split())
# The files with pointers in targets that have none otherwise.
POINTER_FILES = (
    "Sources/NotificationModel/Records/FieldPlace.swift",
    # Apple's function has the argument vector of C among its parameters.
    "Sources/UIKit/Application/UIApplicationMain.swift",
)

# Programs that stand as their articles have them: the house style is not theirs.
LISTINGS = "Tests/Seeds/"

LONGEST_FILE = 400
LONGEST_FUNCTION = 60

IMPORT = re.compile(
    r"^\s*(?:@[\w()]+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)")
FUNCTION = re.compile(
    r"^\s*(?:[@\w()]+\s+)*(?:func\s+\S+|init[?!]?\s*[(<]|deinit\b|subscript\s*[(<])")

# Forbidden text: pattern, where ("source", "test", "any"), message.
LINES = [
    (re.compile(r"\btry!"), "any", "`try!`"),
    (re.compile(r"\bas!\s"), "any", "a force cast"),
    (re.compile(r"\bMutex\b"), "source",
     "`Mutex`: ThreadSanitizer does not see its lock; use `Locked` of Reactor"),
    (re.compile(r"\bLocked<\(*(?:@\w+ )*\([^<>]*\)[^<>]*->"), "any",
     "a closure in `Locked`: each use wraps it once more; put it into a structure"),
    (re.compile(r"\bfatalError\("), "source", "`fatalError`: throw an error of the layer"),
    (re.compile(r"\b(?:u?sleep|nanosleep)\(|\.sleep\("), "test",
     "a test waits for a time: wait for an event"),
    (re.compile(r"\b(?:class|struct|enum|actor|protocol)\s+(?!CLLocationManager)"
                r"\w*(?:Manager|Helper|Utils?|Impl)\b"),
     "library", "a type name that says nothing"),
    (re.compile(r"\b(?:class|struct|enum|actor|protocol|typealias)\s+(?:Flight|Attendance|LeftRequest|Wishes"
                r"|MemberReach|KeyedValues|EntryList|GroupedText|VariantText|SettingsText|ArgumentText"
                r"|ShellText|HintText|(?:Sound|Launch)Order|Moment(?:Reader)?|Found|Upcoming"
                r"|PatientOpening|Interruptions|Pauses|PersonsZone|UserSwitch|Opener|TypedReply"
                r"|RequestMark|\w*Picture\w*|\w*Patience\w*)\b"),
     "library", "a type name that has a plainer one"),
]
# A verb that says nothing without its object, as the whole name of a function: `noteDeparture` and
# `takeDueLaunches` are names. A test has a sentence as its name, which another check covers.
BARE_VERB = re.compile(
    r"\bfunc (?:note|take|look|tell|keep|hold|land|hand|give|put|go|begin|end|leave|meet|know|ended|failed"
    r"|looked|left|met)\s*[<(]")
# These may name the object in their first argument label: `show(badge:)`, `show(textsWhileLocked:)`.
# `read` is not among them: what a file, a reader or a timer reads is its own.
UNLABELLED_VERB = re.compile(
    r"\bfunc (?:ask|drop|mark|move|pass|place|show|try)\s*(?:<[^>]*>)?"
    r"\((?:\)|(?:_|of|to|from|for|in|on|by|with)\s)")
COMMENT_LINES = [
    (re.compile(r"\b(?:TODO|FIXME|XXX)\b"), "left open"),
    (re.compile(r"(?<![\w.])/(?:work|root|home/\w+)/"), "a path of one machine"),
]
# Comments that begin with a free clause, and words that have a plainer one.
DIALECT = re.compile(
    r"^[ \t]*///?[ \t]?(?:(?:What|Who|Whoever|That|Those)\b|.*(?:\b[Tt]he person\b|\bperson's\b"
    r"|\bis told of\b|\bcan be had\b|\bcomes to nothing\b|\bnone of ours\b))")
# Other parsers read bytes or scalars: an apostrophe and U+0301 are one `Character` that equals no
# apostrophe. Text for another parser is therefore written in the folders of `Escaping` alone, and
# `DesktopBus`, which imports no other target, has its own.
ESCAPING = "/Escaping/"
CHARACTERS = re.compile(
    r"\bCharacter\b|\.(?:replacing|hasPrefix|hasSuffix|split)\(|"
    r"\.is(?:Newline|Whitespace|Letter|Number|Punctuation|HexDigit)\b")
ESCAPER = re.compile(r"\bfunc (?:escape|quote)d?\(_ \w+: String\) -> String\b")
OVER_CHARACTERS = re.compile(r"\bfor (?:character|char) in (?!.*\.(?:unicodeScalars|utf8|utf16)\b)")
# The actor performs the decisions of its state's machines, and passes each event to them.
STATE_WRITE = re.compile(r"\bstate(?:\??\.\w+(?:\[[^\]]*\])?)+\s*(?:=(?!=)|[-+*|&]=)")
POINTER = re.compile(
    r"\b(?:OpaquePointer|Unsafe\w*(?:Pointer|Buffer\w*)|Unmanaged|withMemoryRebound"
    r"|withUnsafe\w*(?:Pointers?|Bytes|Buffer)|withContiguous(?:Mutable)?StorageIfAvailable)\b")


def imports(text):
    """The modules a Swift file imports, with line numbers, comments left out."""
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        found = IMPORT.match(line)
        if found:
            yield number, found.group(1)


def without_comments(text):
    """The text with comments and string contents blanked, line numbers unchanged."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    keep_quotes = lambda found: '"' + " " * (len(found.group(0)) - 2) + '"'
    text = re.sub(r'(#*)"""(?s:.*?)"""\1', blank, text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', keep_quotes, text)
    text = re.sub(r"/\*(?s:.*?)\*/", blank, text)
    return re.sub(r"//[^\n]*", blank, text)


def functions(lines):
    """(line, name line, length) of each function with a body, by counting braces."""
    for start, line in enumerate(lines):
        if not FUNCTION.match(line):
            continue
        depth, opened = 0, False
        for end in range(start, len(lines)):
            depth += lines[end].count("{") - lines[end].count("}")
            opened = opened or "{" in lines[end]
            if opened and depth <= 0:
                yield start + 1, end - start + 1
                break
            if not opened and (lines[end].strip() == "" or end > start + 25):
                break


class Graph:
    """The declared targets and what each may import."""

    def __init__(self, describe):
        self.targets = {target["name"]: target for target in describe["targets"]}
        self.direct = {
            name: set(target.get("target_dependencies", []))
            | set(target.get("product_dependencies", []))
            for name, target in self.targets.items()
        }

    def reachable(self, name):
        seen, waiting = set(), [name]
        while waiting:
            for following in self.direct.get(waiting.pop(), ()):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return seen

    def declared_faults(self):
        for source, arrows, why in FORBIDDEN:
            if source not in self.targets:
                continue
            for arrow in arrows.split():
                near = arrow.startswith("~")
                name = arrow.lstrip("~")
                reach = self.direct[source] if near else self.reachable(source)
                if name in reach:
                    yield f"Package.swift: {source} depends on {name}: {why}"

    def import_fault(self, target, module):
        """Why `target` must not import `module`, or None."""
        is_test = self.targets[target]["path"].startswith("Tests/")
        if module.startswith("Foundation") and target in NO_FOUNDATION:
            return f"{target} imports {module}: it is linked where Foundation costs too much"
        for source, arrows, why in FORBIDDEN:
            if source == target and module in arrows.replace("~", "").split():
                return f"{target} imports {module}: {why}"
        allowed = ONLY_FROM.get(module)
        is_example = self.targets[target]["path"].startswith("Sources/Examples/")
        if allowed and not is_test and not is_example and target not in allowed.split():
            return f"{target} imports {module}: only {allowed} may"
        if module in SYSTEM or module == target or module in self.direct[target]:
            return None
        return f"{target} imports {module} but does not declare it in Package.swift"


TEST_NAME = re.compile(
    r"^[ \t]*@Test\b(?P<title>\(\s*\")?(?:(?!\bfunc\s|^[ \t]*@Test\b).)*\bfunc\s+(?P<place>\S)", re.S | re.M)


def test_name_faults(path, text):
    """Tests that are not named by a raw identifier alone."""
    for match in TEST_NAME.finditer(text):
        if match["title"] or match["place"] != "`":
            line = text.count("\n", 0, match.start("place")) + 1
            yield f"{path}:{line}: a test is named func `subject action outcome`(), and by nothing else"


# The files that may poll, because no event exists. Each place gives its reason in the call of
# `polled(because:)`, or in a comment.
POLLING = {
    "Tests/TestSupport/Polling.swift": "the helper itself",
    "Tests/TestSupport/Desktop/AccessibilityTree.swift": "AT-SPI drops events of late widgets",
    "Tests/TestSupport/Desktop/AppWindow.swift": "compositors share no event of windows",
    "Tests/TestSupport/Desktop/GnomeShell.swift": "`Eval` signals nothing",
    "Tests/TestSupport/Desktop/KWinSession.swift": "an output has no event",
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
    "Tests/HostingTests/OnClickTests.swift": "a response that is done leaves without a signal",
    "Tests/HostingTests/ResourceTests.swift": "a daemon without memory drops calls",
    "Tests/NotificationEngineTests/EngineMediaTests.swift": "the engine reports no end of a sound",
    "Tests/TocsinTests/NotifySendTests.swift": "only /proc has a program's signal handlers",
    "Tests/HostProbe/HostProbe.swift": "an app has no event of a delivery",
    "Tests/ExitProbe/FailureProbe.swift": "only /proc has the end of another thread",
    "Tests/ExitProbe/ExitProbe.swift": "busy threads are what it tests",
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


def block_end(code, start):
    """The index of the brace that closes the block whose first character is at `start`."""
    depth = 1
    for index in range(start, len(code)):
        depth += {"{": 1, "}": -1}.get(code[index], 0)
        if depth == 0:
            return index
    return len(code)


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


def style_faults(path, text, target):
    is_test = path.startswith("Tests/")
    raw = text.split("\n")
    code = without_comments(text).split("\n")
    if len(raw) - 1 > LONGEST_FILE:
        yield f"{path}: {len(raw) - 1} lines, at most {LONGEST_FILE}"
    for number, length in functions(code):
        if length > LONGEST_FUNCTION:
            yield f"{path}:{number}: a function of {length} lines, at most {LONGEST_FUNCTION}"
    if is_test:
        yield from test_name_faults(path, text)
        yield from polling_faults(path, text)
        yield from time_limit_faults(path, text)
    library = not is_test and not path.startswith("Sources/Examples/")
    for number, (line, bare) in enumerate(zip(raw, code), 1):
        for pattern, where, what in LINES:
            applies = {"any": True, "test": is_test, "source": not is_test, "library": library}
            if applies[where] and pattern.search(bare):
                yield f"{path}:{number}: {what}"
        if BARE_VERB.search(bare) and "@Test" not in "".join(code[max(0, number - 3):number]):
            yield f"{path}:{number}: a bare verb as a name: say what is noted, taken or ended"
        if not is_test and UNLABELLED_VERB.search(bare):
            yield f"{path}:{number}: a bare verb as a name: say what is asked, moved or shown"
        if not is_test and DIALECT.search(line):
            yield (f"{path}:{number}: a sentence of the dialect: begin with the actor and an active verb, "
                   "\"The daemon keeps the request\", and call the person the user")
        for pattern, what in COMMENT_LINES:
            if pattern.search(line):
                yield f"{path}:{number}: {what}"
        if library:
            for what in escaping_faults(path, bare, target):
                yield f"{path}:{number}: {what}"
        if os.path.basename(path).startswith("CenterEngine") and STATE_WRITE.search(bare):
            yield f"{path}:{number}: writes into the state: call a method of the machine that owns it"
        has_pointers = target in POINTER_HOMES or path in POINTER_FILES
        if library and not has_pointers and POINTER.search(bare):
            yield f"{path}:{number}: an unsafe pointer outside {', '.join(sorted(POINTER_HOMES))}"
        if "@unchecked Sendable" in bare and not reason_nearby(raw, number - 1):
            yield f"{path}:{number}: `@unchecked Sendable` without a comment saying why"


def escaping_faults(path, line, target):
    """Returns the faults of a line of code that writes text for another parser."""
    if ESCAPING in path and CHARACTERS.search(line):
        yield "compares `Character`s: walk `unicodeScalars` or `utf8`"
    if OVER_CHARACTERS.search(line):
        yield "walks `Character`s: walk `unicodeScalars` or `utf8`"
    if ESCAPING not in path and target != "DesktopBus" and ESCAPER.search(line):
        yield "escapes outside of Sources/NotificationModel/Escaping"


def reason_nearby(lines, index):
    """Whether a comment stands on this line or right above the declaration."""
    if "//" in lines[index]:
        return True
    if not re.search(r"\b(?:class|struct|enum|actor|extension)\b", lines[index]):
        index -= 1
    while index > 0 and lines[index - 1].strip().startswith("@"):
        index -= 1
    return index > 0 and lines[index - 1].strip().startswith("//")


# The pure machines of each module. A file with `@testable import` must test at least one of them. They are
# internal types and functions that only decide. None waits or writes; a few resolve a path or read an open
# file. Their callers pass clocks and threads.
PURE = {
    "CenterInterface":
        "CallDetours CallWindow CallerFacts CallerRightsCache ConnectionAges InboxCoding checkDepth",
    "DailyMinutes": "DailySeries",
    "DesktopBus": "BodyReader IntrospectionXML OutgoingMessage",
    "DesktopIntegration":
        "DialogProgram EntryOrigin ExecKey GSettingsOutput GnomeSwitch KeyFile LaunchEntry LaunchPlan LockState "
        "PlasmaSwitch TransientUnit XfceSwitch",
    "Freedesktop":
        "ActionKeys HiddenPreview PlainText PopupSound PortalAnswer PortalIcon PortalKeys PortalNotification "
        "RefusalTable SignalRouter StartupIDs",
    "NotificationEngine":
        "AddAllowance AppLocationMachine ChangeLedger ClockOutageLog Delivery DeliveryQueue EngineState IdleWaiters "
        "LateAllowance LaunchMachine LocalTimeZone OutageLog PermissionPrompt PlayingSounds RequestCheck ResponseMachine "
        "SoundDuration",
    "NotificationRuntime": "QuickEnds",
    "NotificationStore": "CommitRetry RequestRow RowChecksum StoreTable StoredRequest",
    "PushConnector": "ConnectorMachine PushEndpoint PushMessage RegisterFailure",
    "Reactor": "DeadlineList",
    "UserNotifications":
        "ContentValues LocalizedTexts MainQueueWatch SettingsValues TemporaryDirectories",
    "tocsin":
        "ActionOption Agenda ArgumentSanitizer ClickCommands CommandInformation CommandTable DoctorReport "
        "EnvironmentOwner Explanation FireDateForecast FolderChange GVariantParser HintOption ICalendarComponent "
        "ICalendarImport ICalendarLine ICalendarTime ICalendarWriter ImportItem ImportRules Invocation LineReader "
        "ListTable ManualPage MissedRow NotificationJSON NotifySendHint PropertyListReader RelativeTime RequestTag RunOutcome "
        "ScheduleTimeParser TextTable WaitOutcome",
}
TESTABLE = re.compile(r"^@testable import (\w+)", re.M)


def testable_faults(tests, sources, pure=PURE):
    """Yields the files with `@testable import` of a module that name none of its machines in `pure`.

    `tests` are paths and texts, `sources` the text of each module. A machine that is not internal, or that
    no such file names, is a fault as well.
    """
    used = set()
    for path, text in tests:
        code = without_comments(text)
        for match in TESTABLE.finditer(code):
            module = match.group(1)
            named = [name for name in pure.get(module, "").split() if re.search(rf"\b{name}\b", code)]
            used.update((module, name) for name in named)
            if not named:
                line = code.count("\n", 0, match.start()) + 1
                yield (f"{path}:{line}: `@testable`, but no machine of {module} in `PURE` of lint.py is named: "
                       "test what the module offers to the package")
    for module, names in pure.items():
        code = without_comments(sources.get(module, ""))
        for name in names.split():
            if (module, name) not in used:
                yield f"Tests/Lint/lint.py: no file with `@testable import {module}` names {name}"
            elif not re.search(
                    rf"^[ \t]*(?:(?:final|static|mutating) )*(?:struct|enum|class|func) {name}\b", code, re.M):
                yield f"Tests/Lint/lint.py: {name} is no internal type or function of {module}"


# A word of one feature, and the most files of Sources that may have it. A change of the feature touches
# these files.
TRACERS = {"filterCriteria": 3, "setPreviews": 5, "denied_on": 2}


def tracer_faults(sources, most=TRACERS):
    """Yields the words that too many source files have; `sources` are paths and texts."""
    for word, limit in most.items():
        paths = [path for path, text in sources if word in text]
        if len(paths) > limit:
            yield (f"{len(paths)} source files name {word}, at most {limit}: name it in a file that does so "
                   f"already, or in a table ({', '.join(paths)})")


TABLE_ROW = re.compile(r"^\|\s*(\d+)\s*\|[^|]*\|(.*)\|\s*$")
FAULTS = 63
# The most rows with a sentence instead of a test; it explains why no test is possible.
UNTESTED_FAULTS = 4
UNTESTED = "Not tested: "
TEST = re.compile(r"@Test\b[^{]*?\bfunc\s+(?:(\w+)|`([^`\n]+)`)")


def fault_table_faults(root, path="Tests/Faults.md", count=FAULTS):
    """Yields the faults of the table of faults.

    Each fault from 1 to `count` has one row, with tests as `Suite/test` or make targets that are
    there, or with a sentence.
    """
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    targets = set(re.findall(r"^([\w-]+):", makefile(root, "Makefile"), re.MULTILINE))
    tests = known_tests(os.path.join(root, "Tests"))
    seen, untested = set(), 0
    for number, line in enumerate(lines, 1):
        row = TABLE_ROW.match(line)
        if not row:
            continue
        fault = int(row.group(1))
        if fault in seen:
            yield f"{path}:{number}: fault {fault} has two rows"
        seen.add(fault)
        if row.group(2).strip().startswith(UNTESTED):
            untested += 1
            continue
        named = re.findall(r"`([^`]+)`", row.group(2))
        if not named:
            yield f"{path}:{number}: fault {fault} has no test"
        for name in named:
            known = name[5:] in targets if name.startswith("make ") else name in tests
            if not known:
                yield f"{path}:{number}: there is no {name}"
    for fault in sorted(set(range(1, count + 1)) - seen):
        yield f"{path}: fault {fault} is missing"
    if untested > UNTESTED_FAULTS:
        yield f"{path}: {untested} faults are not tested, at most {UNTESTED_FAULTS}"


def makefile(root, path):
    """A makefile with those that it includes."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
    names = " ".join(re.findall(r"^include (.+)$", text, re.MULTILINE)).split()
    return "\n".join([text] + [makefile(root, name) for name in names])


LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")


def link_faults(root):
    """Links of the README and the articles to files that are not there."""
    catalog = os.path.join("Sources", "UserNotifications", "UserNotifications.docc")
    articles = sorted(os.listdir(os.path.join(root, catalog)))
    for path in ["README.md"] + [os.path.join(catalog, name) for name in articles]:
        if not path.endswith(".md"):
            continue
        folder = os.path.dirname(os.path.join(root, path))
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
        for number, line in enumerate(lines, 1):
            for picture, target in LINK.findall(line):
                # A picture of the catalog is named without its folder and its suffix.
                if "://" in target or target.startswith("#") or picture and "/" not in target:
                    continue
                if not os.path.exists(os.path.join(folder, target)):
                    yield f"{path}:{number}: there is no {target}"


def known_tests(folder):
    """`Suite/test` of every test function below a folder; a raw identifier without its backquotes."""
    tests = set()
    for place, _, files in os.walk(folder):
        for name in files:
            if not name.endswith(".swift"):
                continue
            with open(os.path.join(place, name), encoding="utf-8") as file:
                text = without_comments(file.read())
            for suite in re.findall(r"\b(?:struct|class|extension)\s+(\w+Tests)\b", text):
                tests.update(f"{suite}/{plain or raw}" for plain, raw in TEST.findall(text))
    return tests


def swift_files(root, describe):
    """The target, path and text of each Swift file of the package in `root`."""
    for target in sorted(describe["targets"], key=lambda target: target["name"]):
        for source in target.get("sources", []):
            path = os.path.join(target["path"], source)
            if path.endswith(".swift"):
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    yield target["name"], path, file.read()


def check(root, describe):
    """All faults of the package in `root`, as lines."""
    graph = Graph(describe)
    faults = list(graph.declared_faults())
    for name, path, text in swift_files(root, describe):
        for number, module in imports(text):
            fault = graph.import_fault(name, module)
            if fault:
                faults.append(f"{path}:{number}: {fault}")
        if not path.startswith(LISTINGS):
            faults.extend(style_faults(path, text, name))
    return faults


def whole_faults(root, describe):
    """The faults that only all files together show, as lines."""
    tests, sources, modules = [], [], {}
    for name, path, text in swift_files(root, describe):
        (tests if path.startswith("Tests/") else sources).append((path, text))
        modules[name] = modules.get(name, "") + text + "\n"
    yield from testable_faults(tests, modules)
    yield from tracer_faults(sources)


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    described = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=root, stdout=subprocess.PIPE)
    if described.returncode != 0:
        sys.exit("lint: `swift package describe` failed; its message is above")
    text = described.stdout.decode()
    describe = json.loads(text[text.index("{"):])
    faults = check(root, describe)
    faults += [
        *whole_faults(root, describe), *fault_table_faults(root), *link_faults(root),
        *python_faults(root)]
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
