"""The house style of Swift files: forbidden text, names, comments, escaping and sizes."""

import os
import re

from swifttext import functions, without_comments
from waiting import polling_faults, time_limit_faults

POINTER_HOMES = set(
    "Reactor CLinux DesktopBus CDesktopBus DesktopIntegration CGio CMedia tocsin-media".split())

# The files that may have pointers in targets without pointers.
POINTER_FILES = (
    "Sources/NotificationModel/Records/FieldPlace.swift",
    # Apple's function has the argument vector of C among its parameters.
    "Sources/UIKit/Application/UIApplicationMain.swift",
)
LONGEST_FILE = 400
LONGEST_FUNCTION = 60

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

# A function whose whole name is a verb without an object. `noteDeparture` and `takeDueLaunches` are
# good names. A test has a sentence as its name, which another check covers.
BARE_VERB = re.compile(
    r"\bfunc (?:note|take|look|tell|keep|hold|land|hand|give|put|go|begin|end|leave|meet|know|ended|failed"
    r"|looked|left|met)\s*[<(]")

# These verbs may name the object in the first argument label: `show(badge:)`,
# `show(textsWhileLocked:)`. `read` is not in the list: a file has only one thing to read.
UNLABELLED_VERB = re.compile(
    r"\bfunc (?:ask|drop|mark|move|pass|place|show|try)\s*(?:<[^>]*>)?"
    r"\((?:\)|(?:_|of|to|from|for|in|on|by|with)\s)")
COMMENT_LINES = [
    (re.compile(r"\b(?:TODO|FIXME|XXX)\b"), "left open"),
    (re.compile(r"(?<![\w.])/(?:work|root|home/\w+)/"), "a path of one machine"),
]

# Comments that begin with a free clause, and words for which there is a plainer word.
DIALECT = re.compile(
    r"^[ \t]*///?[ \t]?(?:(?:What|Who|Whoever|That|Those)\b|.*(?:\b[Tt]he person\b|\bperson's\b"
    r"|\bis told of\b|\bcan be had\b|\bcomes to nothing\b|\bnone of ours\b))")

# In Swift an apostrophe and a following U+0301 are one `Character`, which does not equal an
# apostrophe. Other parsers read bytes or scalars, and see the apostrophe. So only the folders
# `Escaping` write text for them. `DesktopBus`, which imports no other target, has its own.
ESCAPING = "/Escaping/"
CHARACTERS = re.compile(
    r"\bCharacter\b|\.(?:replacing|hasPrefix|hasSuffix|split)\(|"
    r"\.is(?:Newline|Whitespace|Letter|Number|Punctuation|HexDigit)\b")
ESCAPER = re.compile(r"\bfunc (?:escape|quote)d?\(_ \w+: String\) -> String\b")
OVER_CHARACTERS = re.compile(r"\bfor (?:character|char) in (?!.*\.(?:unicodeScalars|utf8|utf16)\b)")

# The actor never writes into its state: it passes each event to the state's machines, and performs
# their decisions.
STATE_WRITE = re.compile(r"\bstate(?:\??\.\w+(?:\[[^\]]*\])?)+\s*(?:=(?!=)|[-+*|&]=)")
POINTER = re.compile(
    r"\b(?:OpaquePointer|Unsafe\w*(?:Pointer|Buffer\w*)|Unmanaged|withMemoryRebound"
    r"|withUnsafe\w*(?:Pointers?|Bytes|Buffer)|withContiguous(?:Mutable)?StorageIfAvailable)\b")
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
