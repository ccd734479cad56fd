import DesktopBus
import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// `import --follow`: the calendars of a folder, and the requests that they become.
@Suite(.timeLimit(.minutes(5))) struct CalendarFolderTests {
    /// Saturday 2026-11-21, 12:00 in a zone one hour east.
    private static let environment = ToolEnvironment(
        variables: ["TZ": "UTC-1"], directory: "/tmp",
        now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))

    private static func calendar(_ uid: String, _ title: String) -> String {
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:\(uid)\nSUMMARY:\(title)\nDTSTART:20990101T100000Z\n"
            + "END:VEVENT\nEND:VCALENDAR\n"
    }

    /// Makes the folder that a test follows.
    private static func folder(on bus: PrivateBus) throws -> String {
        let folder = "\(bus.directory)/calendar"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `an update adds new and changed events, and removes events that the folder lacks`() {
        func item(_ identifier: String, _ title: String, folder: String = "/c") -> ImportItem {
            var content = RequestTag.content(title, "", at: Self.environment.now)
            content.userInfo[ICalendarImport.mark] = .string(folder)
            return ImportItem(
                request: NotificationRequest(identifier: identifier, content: content))
        }
        var old = item("a", "A").request
        old.content.userInfo[RequestTag.created] = .date(Instant(microseconds: 1))
        let pending = [
            old, item("b", "B").request, item("gone", "G").request,
            item("other", "O", folder: "/other").request,
            NotificationRequest(identifier: "own", content: .init(title: "own")),
        ]
        let items = [item("a", "A"), item("b", "changed"), item("new", "N")]
        let change = FolderChange(
            from: pending.map { Self.pending($0) }, to: items, folder: "/c", in: Self.environment)
        #expect(change.added.map(\.request.identifier) == ["b", "new"])
        #expect(change.removed == ["gone"])
    }

    /// An update must not remove a reminder that the user has not seen.
    @Test func `an update keeps a due or snoozed reminder until its event is cancelled or deleted`()
        throws
    {
        let now = Self.environment.now
        let (due, later) = (
            now.adding(microseconds: -60_000_000), now.adding(microseconds: 600_000_000)
        )
        let event = "DTSTART:20261121T105900Z"
        let request = try #require(Self.content(of: event, hoursAgo: 1).items.first).request
        var snoozed = request
        snoozed.trigger = .interval(seconds: 600, repeats: false)
        for pending in [
            Self.pending(request, nextFire: due), Self.pending(snoozed, nextFire: later),
            Self.pending(request, nextFire: later, regular: due),
        ] {
            func removed(_ content: FolderContent) -> [String] {
                Self.change(from: [pending], to: content).removed
            }
            #expect(removed(Self.content(of: event)).isEmpty)
            #expect(removed(Self.content(of: event + "\nSTATUS:CANCELLED")) == ["u"])
            #expect(removed(FolderContent()) == ["u"])
        }
        let early = Self.pending(request, nextFire: later)
        #expect(Self.change(from: [early], to: Self.content(of: event)).removed == ["u"])
    }

    /// The later dates of the recurrence must not replace the due reminder.
    @Test func `an update keeps the due date of a recurrence that has a count`() throws {
        let course = "DTSTART:20261120T105900Z\nRRULE:FREQ=DAILY;COUNT=5"
        let due = Self.environment.now.adding(microseconds: -60_000_000)
        let request = try #require(Self.content(of: course, hoursAgo: 1).items.first).request
        let content = Self.content(of: course)
        #expect(content.items.first?.request.trigger != request.trigger)
        let change = Self.change(from: [Self.pending(request, nextFire: due)], to: content)
        #expect(change.added.isEmpty && change.removed.isEmpty)
    }

    /// If an update added the skipped date, the recurrence would begin with that date again.
    @Test func `an update does not add the skipped date of a recurrence that has a count`() throws {
        let content = Self.content(of: "DTSTART:20261120T113000Z\nRRULE:FREQ=DAILY;COUNT=5")
        var request = try #require(content.items.first).request
        request.trigger = request.trigger?.afterFiring
        let today = Self.environment.now.adding(microseconds: 1_800_000_000)
        let tomorrow = today.adding(microseconds: 86_400_000_000)
        func added(nextFire: Instant) -> Int {
            Self.change(from: [Self.pending(request, nextFire: nextFire)], to: content).added.count
        }
        #expect(added(nextFire: tomorrow) == 0)
        #expect(
            added(nextFire: today) == 1,
            "today's date was not skipped, so the file's higher count is a change")
    }

    private static func pending(
        _ request: NotificationRequest, nextFire: Instant? = nil, regular: Instant? = nil
    ) -> PendingNotification {
        PendingNotification(
            app: .tocsin, request: request, state: .pending, nextFire: nextFire, regular: regular)
    }

    /// The content of a folder with one event, read this many hours ago.
    private static func content(of event: String, hoursAgo: Int64 = 0) -> FolderContent {
        var environment = environment
        environment.now = environment.now.adding(microseconds: -hoursAgo * 3_600_000_000)
        let event = "BEGIN:VEVENT\nUID:u\n\(event)\nEND:VEVENT\n"
        var content = FolderContent()
        content.add(
            file("BEGIN:VCALENDAR\n\(event)END:VCALENDAR\n"), named: "a.ics",
            by: ICalendarImport(environment: environment, source: "/c"))
        return content
    }

    private static func file(_ text: String) -> UserFile.Content { .bytes(Array(text.utf8)) }

    private static func content(_ files: [(String, UserFile.Content)]) -> FolderContent {
        let calendar = ICalendarImport(environment: environment, source: "/c")
        var content = FolderContent()
        for (name, file) in files { content.add(file, named: name, by: calendar) }
        return content
    }

    private static func change(
        from before: FolderContent, to after: FolderContent
    ) -> FolderChange {
        change(from: before.items.map { pending($0.request) }, to: after)
    }

    private static func change(
        from before: [PendingNotification], to after: FolderContent
    ) -> FolderChange {
        FolderChange(
            from: before, to: after.items, of: after.events, unread: after.unread, folder: "/c",
            in: environment)
    }

    /// If an unreadable file counted as empty, its notifications would be removed.
    @Test(
        arguments: [
            (.unusable("Permission denied"), "Permission denied"),
            (file(""), "it is no whole calendar"),
            (file("\u{FEFF}BEGIN:VCALENDAR\nVERSION:2.0\n"), "it is no whole calendar"),
            (
                file("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:b\nDTSTART:20990101\nEND:VEVENT\n"),
                "it is no whole calendar"
            ),
        ] as [(UserFile.Content, String)])
    func `a file that cannot be read keeps its notifications until it is deleted`(
        file: UserFile.Content, reason: String
    ) {
        let other = ("b.ics", Self.file(Self.calendar("b", "B")))
        let before = Self.content([("a.ics", Self.file(Self.calendar("a", "A"))), other])
        #expect(before.errors.isEmpty && before.items.count == 2)
        let unread = Self.content([("a.ics", file)])
        #expect(unread.errors.count == 1)
        let message = unread.errors.first?.message ?? ""
        #expect(message.hasPrefix("'/c/a.ics' is left out: \(reason)"), "\(message)")
        #expect(message.contains(". Its notifications stay as they are. "), "\(message)")
        let change = Self.change(from: before, to: unread)
        #expect(change.added.isEmpty && change.removed == ["b"])
        // A copy of the event in another file does not replace the notification.
        let copied = Self.content([
            ("a.ics", file), other, ("c.ics", Self.file(Self.calendar("a", "C"))),
        ])
        let none = Self.change(from: [], to: FolderContent())
        #expect(Self.change(from: before, to: copied) == none)
        let deleted = Self.content([("a.ics", .missing), other])
        #expect(Self.change(from: before, to: deleted).removed == ["a"])
    }

    @Test(arguments: [" ", "\t", "\r"])
    func `a calendar whose BEGIN and END lines end with white space is complete`(space: String) {
        let text = Self.calendar("u", "U").split(separator: "\n").map { line in
            let isFrame = line.hasPrefix("BEGIN:") || line.hasPrefix("END:")
            return "\(line)\(isFrame ? space : "")\r\n"
        }.joined()
        let content = Self.content([("a.ics", Self.file(text))])
        #expect(content.items.map(\.request.identifier) == ["u"])
        #expect(content.errors.isEmpty)
    }

    @Test(arguments: ["DTSTART:20261124T100000\nRRULE:FREQ=HOURLY", "DTSTART:x"])
    func `an event that cannot be imported keeps its notifications until it is deleted`(
        edit: String
    ) {
        func content(_ events: String...) -> FolderContent {
            let events = events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined()
            return Self.content([
                ("a.ics", Self.file("BEGIN:VCALENDAR\n\(events)END:VCALENDAR\n"))
            ])
        }
        let alarms = ["PT0S", "-PT5M"].map { "BEGIN:VALARM\nTRIGGER:\($0)\nEND:VALARM" }
            .joined(separator: "\n")
        let before = content(
            "UID:u@x\nDTSTART:20261124T100000\nRRULE:FREQ=DAILY;COUNT=3\n"
                + "EXDATE:20261125T100000\n\(alarms)",
            "UID:v\nDTSTART:20261116T100000\nRRULE:FREQ=DAILY\n\(alarms)")
        #expect(
            before.items.map(\.request.identifier) == [
                "u@x@2026-11-24", "u@x@2026-11-26", "u@x#2@2026-11-24", "u@x#2@2026-11-26", "v",
                "v#2",
            ])
        let edited = content("UID:u@x\n\(edit)\n\(alarms)")
        #expect(edited.errors.count == 1)
        let message = edited.errors.first?.message ?? ""
        #expect(message.contains(" Its notifications stay as they are."), "\(message)")
        let change = Self.change(from: before, to: edited)
        #expect(change.added.isEmpty && change.removed == ["v", "v#2"])
        #expect(Self.change(from: before, to: content()).removed.count == 6)
    }

    /// If both were imported, each update would add both events again.
    @Test func `of two events with one UID the last is imported, and a warning names the files`() {
        let files = [
            ("a.ics", Self.file(Self.calendar("u", "A"))),
            ("b.ics", Self.file(Self.calendar("u", "B"))),
        ]
        let content = Self.content(files)
        #expect(content.items.map(\.request.content.title) == ["B"])
        #expect(
            content.errors.map(\.message) == [
                "'u': 'a.ics' and 'b.ics' have different events with this identifier, and the last "
                    + "one counts. Give one of them a UID of its own, or delete it."
            ])
        let change = Self.change(from: content, to: Self.content(files))
        #expect(change.added.isEmpty && change.removed.isEmpty)
        let both = Self.calendar("u", "A") + Self.calendar("u", "B")
        let one = Self.content([("a.ics", Self.file(both))])
        #expect(one.items.map(\.request.content.title) == ["B"])
        #expect(one.errors.first?.message.contains("'a.ics' has different events") == true)
        let copies = Self.content([files[0], ("c.ics", files[0].1)])
        #expect(copies.items.count == 1 && copies.errors.isEmpty)
    }

    @Test func `a half-written calendar file removes no notification`() async throws {
        let bus = try PrivateBus()
        let folder = try Self.folder(on: bus)
        func write(_ text: String) throws {
            try text.write(toFile: "\(folder)/one.ics", atomically: true, encoding: .utf8)
        }
        try write(Self.calendar("one", "One"))
        let running = try RunningProgram(
            "sh", ["-c", "'\(ProgramTests.products)/tocsin' import --follow '\(folder)' 2>&1"],
            environment: bus.environment)
        try await running.lines.wait(for: "one") { $0 == ["+ one"] }
        try write("BEGIN:VCALENDAR\n")
        try await running.lines.wait(for: "the warning") { lines in
            lines.contains { $0.contains("one.ics' is left out: it is no whole calendar") }
        }
        try write(Self.calendar("one", "Another"))
        try await running.lines.wait(for: "the change") { $0.count > 2 && $0.last == "+ one" }
        #expect(!running.lines.all.contains { $0.hasPrefix("- ") }, "\(running.lines.all)")
        bus.stop()
        #expect(try await running.exit() == 75)
    }

    @Test func `new, changed and deleted files of a followed folder change the requests`()
        async throws
    {
        let bus = try PrivateBus()
        let folder = try Self.folder(on: bus)
        func write(_ file: String, _ title: String) throws {
            try "BEGIN:VEVENT\nUID:\(file)\nSUMMARY:\(title)\nDTSTART:20990101T100000Z".write(
                toFile: "\(folder)/\(file).ics", atomically: true, encoding: .utf8)
        }
        try write("one", "One")
        let running = try RunningProgram(
            "\(ProgramTests.products)/tocsin", ["import", "--follow", folder],
            environment: bus.environment)
        try await running.lines.wait(for: "one") { $0 == ["+ one"] }
        try write("two", "Two")
        try await running.lines.wait(for: "two") { $0 == ["+ one", "+ two"] }
        try write("one", "Another")
        try await running.lines.wait(for: "the change") { $0.dropFirst(2) == ["+ one"] }
        try FileManager.default.removeItem(atPath: "\(folder)/two.ics")
        try await running.lines.wait(for: "the end") { $0.dropFirst(3) == ["- two"] }
        let list = try await ProgramTests.run(
            "tocsin", ["list", "--json"], environment: bus.environment)
        #expect(list.output.contains(#""id":"one","app":"org.tocsin.Tocsin","title":"Another""#))
        #expect(!list.output.contains("Two"))
        bus.stop()
        #expect(try await running.exit() == 75)
    }

    @Test func `a follower updates the requests of an earlier run by another path`() async throws {
        let bus = try PrivateBus()
        let folder = try Self.folder(on: bus)
        for path in [folder, "\(folder)/../calendar/"] {
            let file = "\(folder)/one.ics"
            try Self.calendar("one", path).write(toFile: file, atomically: true, encoding: .utf8)
            let tool = "exec '\(ProgramTests.products)/tocsin' import --follow '\(path)' 2>&1"
            let running = try RunningProgram("sh", ["-c", tool], environment: bus.environment)
            #expect(try await running.lines.first("it") { $0.contains("one") } == "+ one")
            await running.stop()
        }
    }

    /// The tool lists the pending requests, and then reads the folder.
    ///
    /// In this order, an alarm that fires between the two steps is not added again.
    @Test(arguments: [
        ("PendingLines", ["+ one", "+ zero"]), ("Delivered", ["+ zero", "+ one"]),
    ])
    func `a file that is written during a call of the tool to the daemon is imported`(
        call: String, output: [String]
    ) async throws {
        let bus = try PrivateBus()
        let folder = try Self.folder(on: bus)
        @Sendable func write(_ event: String) throws {
            try "BEGIN:VEVENT\nUID:\(event)\nSUMMARY:S\nDTSTART:20990101T100000Z".write(
                toFile: "\(folder)/\(event).ics", atomically: true, encoding: .utf8)
        }
        try write("zero")
        let daemon = try await BusConnection.open(on: bus, name: "daemon")
        let app = ArgumentEntry("app", "s")
        let lists: [(MemberName, String, BusValue)] = [
            ("PendingLines", "lines", .bytes([])),
            ("Delivered", "notifications", .array(element: "a{sv}", [])),
        ]
        var methods = lists.map { name, argument, none in
            MethodEntry(
                name, in: [app, ArgumentEntry("options", "a{sv}")],
                out: [ArgumentEntry(argument, none.signature), ArgumentEntry("next", "s")]
            ) { _ in
                if name.rawValue == call,
                    !FileManager.default.fileExists(atPath: "\(folder)/one.ics")
                {
                    try write("one")
                }
                return [none, .string("")]
            }
        }
        let requests = ArgumentEntry("requests", "aa{sv}")
        let files = ArgumentEntry("attachments", "ah")
        methods.append(MethodEntry("AddMany", in: [app, requests, files]) { _ in [] })
        let table = InterfaceTable(name: "org.tocsin.NotificationCenter1", methods: methods)
        try await daemon.export(
            ExportedObject(interfaces: [table]), at: "/org/tocsin/NotificationCenter1")
        try await daemon.requestName("org.tocsin.NotificationCenter1")
        let running = try RunningProgram(
            "\(ProgramTests.products)/tocsin", ["import", "--follow", folder],
            environment: bus.environment)
        let lines = try await running.lines.wait(for: "both") { $0.count >= 2 }
        #expect(lines.prefix(2) == output[...])
        await running.stop()
        await daemon.close()
    }

    @Test func `import --follow ends with an error when its folder is removed`() async throws {
        let bus = try PrivateBus()
        let folder = try Self.folder(on: bus)
        let running = try RunningProgram(
            "sh", ["-c", "'\(ProgramTests.products)/tocsin' import --follow '\(folder)' 2>&1"],
            environment: bus.environment)
        try "BEGIN:VEVENT\nUID:one\nSUMMARY:One\nDTSTART:20990101T100000Z".write(
            toFile: "\(folder)/one.ics", atomically: true, encoding: .utf8)
        try await running.lines.wait(for: "one") { $0 == ["+ one"] }
        try FileManager.default.removeItem(atPath: folder)
        #expect(try await running.exit() == 65)
        let said = try await running.allSaid()
        #expect(said.contains("cannot be read"), "\(said)")
    }

    @Test(.timeLimit(.minutes(1)))
    func `pipes, and links to files or devices, in a followed folder are left out`() async throws {
        let bus = try PrivateBus()
        let folder = try Self.folder(on: bus)
        #expect(mkfifo("\(folder)/a-pipe.ics", 0o600) == 0)
        for (name, target) in [("b-link", "\(bus.directory)/real.ics"), ("c-zero", "/dev/zero")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name).ics", withDestinationPath: target)
        }
        try Self.calendar("linked", "L").write(
            toFile: "\(bus.directory)/real.ics", atomically: true, encoding: .utf8)
        try Self.calendar("one", "One").write(
            toFile: "\(folder)/one.ics", atomically: true, encoding: .utf8)
        let running = try RunningProgram(
            "\(ProgramTests.products)/tocsin", ["import", "--follow", folder],
            environment: bus.environment)
        try await running.lines.wait(for: "the file") { $0 == ["+ one"] }
        #expect(running.said.contains("a-pipe.ics' is left out: it is not a regular file"))
        for name in ["b-link", "c-zero"] {
            #expect(running.said.contains("\(name).ics' is left out: it is a symbolic link"))
        }
        bus.stop()
        #expect(try await running.exit() == 75)
    }
}
