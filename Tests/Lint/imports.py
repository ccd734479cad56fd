"""Compares the imports with the target graph.

SwiftPM lets a target import an undeclared module if another target brings the module in. So this
module compares the `import` lines with `swift package describe` and with the tables below.
"""

import re

from swifttext import without_comments

# Dependencies that must not exist: from, to, why. They must be neither imported nor declared, nor
# reached through other targets. A "~" before a name allows it through other targets.
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
IMPORT = re.compile(
    r"^\s*(?:@[\w()]+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)")


def imports(text):
    """The modules a Swift file imports, with line numbers, comments left out."""
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        found = IMPORT.match(line)
        if found:
            yield number, found.group(1)


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
        """Returns why `target` must not import `module`; None if it may."""
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
