"""`@testable import`, which only tests of pure machines may use."""

import re

from swifttext import without_comments

# The pure machines of each module. A file with `@testable import` must test at least one of them. They are
# internal types and functions that only decide. None waits or writes; a few resolve a path or read an open
# file. Their callers pass clocks and threads.
PURE = {
    "CenterInterface":
        "CallDetours CallWindow CallerFacts CallerRightsCache ConnectionAges InboxCoding RestartBudget "
        "checkDepth",
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
        "SoundDuration StoreFailures",
    "NotificationRuntime": "QuickEnds SessionEnvironment",
    "NotificationStore": "BlockCursor CommitRetry RequestRow RowChecksum StoreTable StoredRequest "
        "WriteAheadLog",
    "PushConnector": "ConnectorMachine PushEndpoint PushMessage RegisterFailure",
    "Reactor": "DeadlineList",
    "UserNotifications":
        "ContentValues LocalizedTexts MainQueueWatch SettingsValues TemporaryDirectories",
    "tocsin":
        "ActionOption Agenda ArgumentSanitizer ClickCommands CommandInformation CommandTable DoctorReport "
        "EnvironmentOwner Explanation FireDateForecast FolderChange GVariantParser HintOption ICalendarComponent "
        "ICalendarDuration ICalendarImport ICalendarLine ICalendarRecurrence ICalendarWriter ImportItem ImportRules Invocation LineReader "
        "ListTable ManualPage MissedRow NotificationJSON NotifySendHint PropertyListReader RelativeTime RequestTag RunOutcome "
        "ScheduleTimeParser StringsReader TextTable WaitOutcome",
}
TESTABLE = re.compile(r"^@testable import (\w+)", re.M)


def testable_faults(tests, sources, pure=PURE):
    """Yields each file with `@testable import` of a module that names no machine of it in `pure`.

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
                yield (f"{path}:{line}: `@testable`, but no machine of {module} in `PURE` of testable.py is named: "
                       "test what the module offers to the package")
    for module, names in pure.items():
        code = without_comments(sources.get(module, ""))
        for name in names.split():
            if (module, name) not in used:
                yield f"Tests/Lint/testable.py: no file with `@testable import {module}` names {name}"
            elif not re.search(
                    rf"^[ \t]*(?:(?:final|static|mutating) )*(?:struct|enum|class|func) {name}\b", code, re.M):
                yield f"Tests/Lint/testable.py: {name} is no internal type or function of {module}"
