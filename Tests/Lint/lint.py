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

import ratchet

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
    ("DesktopBus", "NotificationModel", "the bus client could be published by itself"),
    ("UserNotifications", "~DesktopBus ~Freedesktop ~NotificationEngine ~CenterInterface ~GRDB",
     "the facade is thin over the model"),
    ("UIKit", "~DesktopBus ~DesktopIntegration ~Freedesktop ~NotificationEngine ~CenterInterface ~GRDB",
     "the life cycle is thin over the runtime"),
    ("tocsin", "NotificationEngine NotificationRuntime DesktopIntegration CGio GRDB UserNotifications",
     "the tool must start fast: no engine, store, GIO or ICU"),
    ("tocsin-media", "DesktopBus Reactor NotificationEngine Foundation",
     "a program that decodes hostile files is small"),
    ("UserNotifications", "UIKit", "an app that does not import UIKit links nothing of it"),
    ("tocsind", "~NotificationEngine ~Freedesktop ~GRDB", "only the runtime names concrete types"),
]

# Who alone may import a module (tests and examples may import what they declare).
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

LONGEST_FILE = 400
LONGEST_FUNCTION = 60

IMPORT = re.compile(
    r"^\s*(?:@[\w()]+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)")
FUNCTION = re.compile(
    r"^\s*(?:[@\w()]+\s+)*(?:func\s+\S+|init[?!]?\s*[(<]|deinit\b|subscript\s*[(<])")

# Text that has no place: pattern, where ("source", "test", "any"), what is said.
LINES = [
    (re.compile(r"\btry!"), "any", "`try!`"),
    (re.compile(r"\bas!\s"), "any", "a force cast"),
    (re.compile(r"\bMutex\b"), "source",
     "`Mutex`: ThreadSanitizer does not see its lock; use `Locked` of Reactor"),
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
# `takeDueLaunches` are names. A test has a sentence for a name, and is looked at elsewhere.
BARE_VERB = re.compile(
    r"\bfunc (?:note|take|look|tell|keep|hold|land|hand|give|put|go|begin|end|leave|meet|know|ended|failed"
    r"|looked|left|met)\s*[<(]")
COMMENT_LINES = [
    (re.compile(r"\b(?:TODO|FIXME|XXX)\b"), "left open"),
    (re.compile(r"(?<![\w.])/(?:work|root|home/\w+)/"), "a path of one machine"),
]
# Other parsers read bytes or scalars: an apostrophe and U+0301 are one `Character` that equals no
# apostrophe. Text for another parser is therefore written in the folders of `Escaping` alone, and
# `DesktopBus`, which imports nothing of ours, has its own.
ESCAPING = "/Escaping/"
CHARACTERS = re.compile(
    r"\bCharacter\b|\.(?:replacing|hasPrefix|hasSuffix|split)\(|"
    r"\.is(?:Newline|Whitespace|Letter|Number|Punctuation|HexDigit)\b")
ESCAPER = re.compile(r"\bfunc (?:escape|quote)d?\(_ \w+: String\) -> String\b")
OVER_CHARACTERS = re.compile(r"\bfor (?:character|char) in (?!.*\.(?:unicodeScalars|utf8|utf16)\b)")
# The actor performs what the machines of its state decide; what it learns, it hands to them.
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
    library = not is_test and not path.startswith("Sources/Examples/")
    for number, (line, bare) in enumerate(zip(raw, code), 1):
        for pattern, where, what in LINES:
            applies = {"any": True, "test": is_test, "source": not is_test, "library": library}
            if applies[where] and pattern.search(bare):
                yield f"{path}:{number}: {what}"
        if BARE_VERB.search(bare) and "@Test" not in "".join(code[max(0, number - 3):number]):
            yield f"{path}:{number}: a bare verb as a name: say what is noted, taken or ended"
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
    """What is wrong with a line of code that writes text for another parser."""
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


TABLE_ROW = re.compile(r"^\|\s*(\d+)\s*\|[^|]*\|(.*)\|\s*$")
FAULTS = 63
# Rows that may be a sentence, which says why the fault cannot be tested here.
UNTESTED_FAULTS = 4
UNTESTED = "Not tested: "
TEST = re.compile(r"@Test\b[^{]*?\bfunc\s+(?:(\w+)|`([^`\n]+)`)")


def fault_table_faults(root, path="Tests/Faults.md", count=FAULTS):
    """What is wrong with the table of faults.

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


def check(root, describe):
    """All faults of the package in `root`, as lines."""
    graph = Graph(describe)
    faults = list(graph.declared_faults())
    for name, target in sorted(graph.targets.items()):
        for source in target.get("sources", []):
            path = os.path.join(target["path"], source)
            if not path.endswith(".swift"):
                continue
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
            for number, module in imports(text):
                fault = graph.import_fault(name, module)
                if fault:
                    faults.append(f"{path}:{number}: {fault}")
            faults.extend(style_faults(path, text, name))
    return faults


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    described = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=root, stdout=subprocess.PIPE)
    if described.returncode != 0:
        sys.exit("lint: `swift package describe` failed; its message is above")
    text = described.stdout.decode()
    faults = check(root, json.loads(text[text.index("{"):]))
    faults += [*fault_table_faults(root), *link_faults(root), *ratchet.faults(root)]
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
