import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// `export` and `import`.
@Suite(.timeLimit(.minutes(5))) struct ExchangeTests {
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))

    private static var requests: [NotificationRequest] {
        var content = NotificationContent.everyField
        (content.title, content.body) = ("T\n\"ü\"", "B\u{1}")
        content.userInfo["nested"] = .dictionary(["$date": .string("no date")])
        var components = CalendarComponents()
        (components.hour, components.calendar, components.timeZone) = (9, "hebrew", "Asia/Tokyo")
        let later = Instant(microseconds: 1_895_258_800_000_000)
        let region = NotificationRegion(
            identifier: "home", latitude: 1.5, longitude: 2, radius: 3, onExit: false)
        let triggers: [NotificationTrigger?] = [
            nil, .interval(seconds: 60.5, repeats: true), .at(later), .push,
            .calendar(components, repeats: true), .region(region, repeats: true),
            .rule(NotificationRule("every day at 09:00", timeZone: "UTC", until: later, count: 4)),
        ]
        return triggers.enumerated().map { index, trigger in
            var request = NotificationRequest(
                identifier: "r\(index)", content: content, trigger: trigger)
            (request.catchUp, request.grace) = (.skip, 90)
            return request
        }
    }

    @Test(arguments: requests)
    func `an exported request is imported unchanged`(request: NotificationRequest) throws {
        var request = request
        request.content.actions += [
            ActionOption.reply("Name"),
            NotificationAction(identifier: "later", title: "Later", snooze: 600.5),
        ]
        let pending = PendingNotification(
            app: try ApplicationID("org.example.App"), request: request, state: .pending,
            nextFire: Self.environment.now)
        let members = NotificationJSON(zone: Self.environment.zone)
            .members(.pending(pending), isWhole: true)
        let line = RecordValue.record(members).text
        #expect(!line.contains("\n"))
        let item = try #require(
            try ImportItem(line: Array(line.utf8)))
        #expect(item.app == pending.app)
        #expect(item.request == request)
    }

    @Test(
        arguments: [
            (",\"nextFire\":\"2026-11-21T12:13:00.25+01:00\"", "at 1795259580250000"),
            // The import itself reports that this date is past.
            (",\"nextFire\":\"2026-11-20T12:00:00+01:00\"", "at 1795172400000000"),
            (",\"nextFire\":null", "after 1200.0"), ("", "after 1200.0"),
        ])
    func `an exported one-shot interval keeps its date`(nextFire: String, expected: String) throws {
        let line =
            #"{"id":"a","title":"A","trigger":{"kind":"interval","seconds":1200}\#(nextFire)}"#
        let item = try #require(
            try ImportItem(line: Array(line.utf8)))
        switch item.request.trigger {
        case .at(let date): #expect("at \(date.microseconds)" == expected)
        case .interval(let seconds, false): #expect("after \(seconds)" == expected)
        default: Issue.record("\(item.request)")
        }
    }

    @Test func `a file that begins with a byte order mark is imported`() throws {
        let line = "\u{FEFF}" + #"{"id":"a","title":"A","trigger":{"kind":"push"}}"# + "\r"
        let item = try #require(try ImportItem(line: Array(line.utf8)))
        #expect(item.request.identifier == "a")
    }

    @Test func `a delivered or ended notification is not shown again after an import`() throws {
        let delivered = DeliveredNotification(
            app: .tocsin, request: Self.requests[0], date: Self.environment.now)
        let ended = NotificationRequest(identifier: "a", content: NotificationContent(title: "A"))
        for (found, mark) in [
            (ListedNotification.delivered(delivered), #""delivered":"2026-11-21T12:00:00+01:00""#),
            (ListedNotification.ended(.tocsin, ended), #""state":"ended""#),
        ] {
            let members = NotificationJSON(zone: Self.environment.zone)
                .members(found, isWhole: true)
            let line = RecordValue.record(members).text
            #expect(line.contains(mark))
            #expect(try ImportItem(line: Array(line.utf8)) == nil)
        }
    }

    @Test(
        arguments: [
            "x", "[]", "null", "{}", #"{"id":5}"#,
            #"{"id":"a","trigger":{"kind":"at","date":"?"}}"#,
            #"{"id":"a","trigger":{"kind":"frob"}}"#, #"{"id":"a","app":"/"}"#,
            #"{"id":"a","title":"A","nextFire":"?"}"#, #"{"id":"a","title":5}"#,
            #"{"id":"a","actions":5}"#, #"{"id":"a""#, "\u{0}",
        ])
    func `an unusable line of an import is an error`(line: String) {
        let error = #expect(throws: ToolError.self) {
            try ImportItem(line: Array(line.utf8))
        }
        #expect(error?.status == .data)
    }

    @Test func `a line may be empty, and the last line needs no line break`() throws {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data("a\n\nb\r\nlast".utf8))
        try pipe.fileHandleForWriting.close()
        var reader = LineReader(pipe.fileHandleForReading.fileDescriptor)
        var lines: [String] = []
        while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        #expect(lines == ["a", "", "b\r", "last"])
        #expect(reader.number == 4)
    }

    // MARK: The programs

    @Test func `an export keeps a private file private and replaces no pipe`() async throws {
        let bus = try PrivateBus()
        let file = "\(bus.directory)/backup.jsonl"
        try #require(
            FileManager.default.createFile(
                atPath: file, contents: Data(), attributes: [.posixPermissions: 0o600]))
        func export(to path: String) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", ["export", path], environment: bus.environment)
        }
        let run = try await export(to: file)
        #expect(run.status == 0, "\(run.errors)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let pipe = "\(bus.directory)/pipe"
        try await RunningProgram.run("mkfifo", [pipe])
        let refused = try await export(to: pipe)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("not a regular file"), "\(refused.errors)")
    }

    /// The link stays a link, and the umask does not narrow the mode of the file.
    @Test func `an export through a link writes the file behind it, and the file keeps its mode`()
        async throws
    {
        let bus = try PrivateBus()
        let added = try await ProgramTests.run(
            "tocsin", ["at", "2099-01-02 10:00", "Tea", "--id", "tea"],
            environment: bus.environment)
        #expect(added.status == 0, "\(added.errors)")
        let folder = "\(bus.directory)/files"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let shared = "\(folder)/shared"
        try #require(FileManager.default.createFile(atPath: shared, contents: Data("old".utf8)))
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: shared)
        for name in ["shared", "new"] {
            let link = "\(bus.directory)/\(name).jsonl"
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "files/\(name)")
            let run = try await ProgramTests.run(
                "tocsin", ["export", link], environment: bus.environment)
            #expect(run.status == 0, "\(run.errors)")
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(target == "files/\(name)")
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            #expect(text.contains(#""id":"tea""#), "\(text)")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: shared)
        #expect(attributes[.posixPermissions] as? Int == 0o666)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.sorted() == ["new", "shared"])
    }

    @Test func `an export is imported whole on another bus`() async throws {
        let first = try PrivateBus()
        let second = try PrivateBus()
        let image = "\(first.directory)/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        for arguments in [
            [
                "at", "2030-01-02 10:00", "Later", "--id", "later", "-A", "yes=Yes", "--attach",
                image,
            ],
            ["every", "weekday at 9:30", "Stand up", "--id", "standup", "--count", "5"],
        ] {
            let run = try await ProgramTests.run(
                "tocsin", arguments, environment: first.environment)
            #expect(run.status == 0, "\(run.errors)")
        }
        let file = "\(first.directory)/backup.jsonl"
        let export = try await ProgramTests.run(
            "tocsin", ["export", file], environment: first.environment)
        #expect(export.status == 0, "\(export.errors)")
        #expect(export.errors.contains("2 written."))
        let taken = try await ProgramTests.run(
            "tocsin", ["import", file], environment: second.environment)
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(taken.output.split(separator: "\n").sorted() == ["later", "standup"])
        func exported(_ bus: PrivateBus) async throws -> [String] {
            let run = try await ProgramTests.run("tocsin", ["export"], environment: bus.environment)
            return run.output.split(separator: "\n").map { line in
                // Each store has its own copy of the attachment.
                String(line).replacing(/"path":"[^"]*"/, with: "")
            }
        }
        let whole = try await exported(first)
        #expect(whole.count == 2 && whole.contains { $0.contains(#""attachments":["#) })
        #expect(try await exported(second) == whole)
    }

    @Test func `an import names a bad line and takes the good lines`() async throws {
        let bus = try PrivateBus()
        let file = "\(bus.directory)/lines"
        let lines = [
            #"{"id":"a","title":"A","trigger":{"kind":"at","date":"2030-01-02T10:00:00Z"}}"#, "",
            "{", #"{"id":"p","title":"P","trigger":{"kind":"at","date":"2001-01-02T10:00:00Z"}}"#,
            #"{"id":"b","title":"B","trigger":{"kind":"rule","rule":"every day at 9"}}"#,
        ]
        try lines.joined(separator: "\n").write(
            toFile: file, atomically: true, encoding: .utf8)
        let run = try await ProgramTests.run(
            "tocsin", ["import", file, "--json"], environment: bus.environment)
        #expect(run.status == 65)
        #expect(run.output == #"{"id":"a"}"# + "\n" + #"{"id":"b"}"#)
        #expect(run.errors.contains("tocsin: line 3: The text is not JSON"))
        #expect(run.errors.contains("tocsin: line 4: 'p' is past"))
        #expect(run.errors.contains("2001-01-02"))
    }

    @Test func `an import names each bad line of many and takes the good lines in order`()
        async throws
    {
        let bus = try PrivateBus()
        let file = "\(bus.directory)/lines"
        // One call cannot carry so many requests. The daemon refuses a bad request, because its
        // interval repeats each second.
        let bad: Set = [7, 8, 1_024, 1_500, 2_100]
        let lines = (1...2_100).map { number in
            let seconds = bad.contains(number) ? 1 : 86_400
            return #"{"id":"r\#(number)","title":"T","trigger":{"kind":"interval","seconds":"#
                + #"\#(seconds),"repeats":true}}"#
        }
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await ProgramTests.run(
            "tocsin", ["import", file], environment: bus.environment)
        #expect(run.status == 65)
        let taken = (1...2_100).filter { !bad.contains($0) }.map { "r\($0)" }
        #expect(run.output.split(separator: "\n").map(String.init) == taken)
        let named = run.errors.split(separator: "\n").map { $0.prefix { $0 != "T" } }
        #expect(named.dropLast() == bad.sorted().map { "tocsin: line \($0): " }[...])
        #expect(run.errors.hasSuffix("\n2095 imported, 5 could not be used.\n"), "\(run.errors)")
        let list = try await ProgramTests.run(
            "tocsin", ["list", "--ids"], environment: bus.environment)
        #expect(Set(list.output.split(separator: "\n").map(String.init)) == Set(taken))
    }

    @Test func `the summary of a calendar does not call an imported event unusable`() async throws {
        let bus = try PrivateBus()
        let file = "\(bus.directory)/calendar"
        let event = "UID:u\nDTSTART;TZID=Nowhere:20990101T100000"
        try "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(event)\nEND:VEVENT\nEND:VCALENDAR\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        let run = try await ProgramTests.run(
            "tocsin", ["import", file], environment: bus.environment)
        #expect(run.status == 65 && run.output == "u", "\(run.errors)")
        #expect(run.errors.hasSuffix("\n1 imported, warnings: 1.\n"), "\(run.errors)")
    }

    @Test func `a later line replaces an earlier line with the same identifier`() async throws {
        let bus = try PrivateBus()
        let file = "\(bus.directory)/lines"
        let lines = (1...2_100).map { number in
            let identifier = number % 1_000 == 5 ? "same" : "r\(number)"
            return #"{"id":"\#(identifier)","title":"T\#(number)","trigger":{"kind":"at","#
                + #""date":"2090-01-02T10:00:00Z"}}"#
        }
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await ProgramTests.run(
            "tocsin", ["import", file], environment: bus.environment)
        #expect(run.status == 0 && run.errors == "2100 imported.\n", "\(run.errors)")
        let shown = try await ProgramTests.run(
            "tocsin", ["show", "same", "--json"], environment: bus.environment)
        #expect(shown.output.contains(#""title":"T2005""#), "\(shown.output)")
    }

    @Test func `an import stores each line of a slow writer at once`() async throws {
        let bus = try PrivateBus()
        let shell = try RunningProgram(
            "bash",
            [
                "-c",
                """
                coproc "$0" import -
                for id in a b; do
                  echo '{"id":"'$id'","title":"T","trigger":{"kind":"interval","seconds":9000}}' \
                    >&${COPROC[1]}
                  read -r line <&${COPROC[0]}; echo "told $line"; "$0" list --ids
                done
                """, "\(ProgramTests.products)/tocsin",
            ], environment: bus.environment)
        #expect(try await shell.exit() == 0)
        try await shell.lines.untilFinished()
        #expect(shell.lines.all == ["told a", "a", "told b", "a", "b"], "\(shell.said)")
    }

    @Test func `an import with files and several apps keeps the order of its lines`() async throws {
        let bus = try PrivateBus()
        let image = "\(bus.directory)/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        func line(_ id: String, _ app: String, _ more: String = "") -> String {
            #"{"id":"\#(id)","app":"\#(app)","title":"T","trigger":{"kind":"interval","#
                + #""seconds":9000}\#(more)}"#
        }
        func attached(_ path: String) -> String {
            #","attachments":[{"id":"p","path":"\#(path)","type":"public.png"}]"#
        }
        let lines = [
            line("a", "org.example.A"), line("b", "org.example.B"),
            line("c", "org.example.B", attached(image)), line("d", "org.example.B"),
            line("e", "org.example.A", attached("/nonexistent.png")), line("f", "org.example.A"),
        ]
        let file = "\(bus.directory)/lines"
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await ProgramTests.run(
            "tocsin", ["import", file, "--all-apps"], environment: bus.environment)
        #expect(run.status == 65)
        #expect(run.output == "a\nb\nc\nd\nf")
        #expect(run.errors.contains("tocsin: line 5: "), "\(run.errors)")
        #expect(run.errors.contains("/nonexistent.png"))
    }

    /// An import keeps only one of two events with the same UID.
    @Test func `requests of two apps with the same identifier get different UIDs`() throws {
        let date = Self.environment.now.adding(microseconds: 3_600_000_000)
        let pending = try [ApplicationID.tocsin, ApplicationID("org.example.App")].map { app in
            let content = NotificationContent(title: "T")
            return PendingNotification(
                app: app,
                request: NotificationRequest(
                    identifier: "daily", content: content, trigger: .at(date)),
                state: .pending, nextFire: date)
        }
        let text = ICalendarWriter(environment: Self.environment).text(of: pending)
        let (items, errors) = ICalendarImport(environment: Self.environment).items(of: text)
        #expect(errors.isEmpty)
        #expect(items.map(\.request.identifier) == ["daily", "org.example.App/daily"])
    }

    @Test func `a calendar is imported and exported`() async throws {
        let bus = try PrivateBus()
        let file = "\(bus.directory)/a.ics"
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:one@x
            SUMMARY:Meeting\\, weekly
            DTSTART:20300107T100000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:odd
            DTSTART:20300107T100000Z
            RRULE:FREQ=SECONDLY
            END:VEVENT
            END:VCALENDAR
            """
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await ProgramTests.run(
            "tocsin", ["import", file], environment: bus.environment)
        #expect(run.status == 65)
        #expect(run.output == "one@x")
        #expect(run.errors.contains("'odd': the recurrence 'FREQ=SECONDLY'"))
        let export = try await ProgramTests.run(
            "tocsin", ["export", "--ics"], environment: bus.environment)
        #expect(export.output.contains("UID:one@x\r"))
        #expect(export.output.contains("DTSTART:20300107T100000Z\r"))
        #expect(export.output.contains("SUMMARY:Meeting\\, weekly\r"))
        let again = try await ProgramTests.run(
            "tocsin", ["import", "/nonexistent.ics"], environment: bus.environment)
        #expect(again.status == 65)
    }
}
