import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// `move`, `skip` and `--past-ok` on the command line.
@Suite struct MovingTests {
    /// Saturday 2026-11-21, 12:00 in a zone one hour east.
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))

    private static func move(_ arguments: [String]) throws -> ScheduleTime {
        guard case .command(let command) = try Invocation.parse(["move", "tea"] + arguments),
            let move = command as? MoveCommand
        else { throw ToolError(.failure, "not a move command") }
        #expect(move.identifier == "tea")
        return try move.moment(in: environment)
    }

    private static func moment(_ arguments: [String]) throws -> ScheduleTime? {
        guard case .command(let command) = try Invocation.parse(arguments) else {
            throw ToolError(.failure, "not a command")
        }
        switch command {
        case let schedule as ScheduleCommand:
            return try schedule.when.moment(past: schedule.past, in: environment)
        case let at as AtCommand:
            let reader = try ScheduleTimeParser(at.bounds, past: at.past, in: environment)
            do throws(TimeTextError) {
                return try reader.time(at.time)
            } catch {
                throw ToolError(error)
            }
        default: throw ToolError(.failure, "not a scheduling command")
        }
    }

    private static let eight = NotificationTrigger.at(
        Instant(microseconds: 1_795_330_800_000_000))

    @Test(
        arguments: [
            (["10m"], .interval(seconds: 600, repeats: false)),
            (["--in", "10m"], .interval(seconds: 600, repeats: false)),
            (["tomorrow", "8am"], eight), (["tomorrow 8am"], eight),
            (["--at", "tomorrow 8am"], eight), (["8am"], eight),
            (["in", "10m"], .interval(seconds: 600, repeats: false)),
            (["every", "15m"], .rule(NotificationRule("every 15m"))),
            (["day", "at", "9"], .rule(NotificationRule("every day at 09:00"))),
            (["--every", "day at 9"], .rule(NotificationRule("every day at 09:00"))),
            (["30 9 * * 1-5"], .rule(NotificationRule("cron 30 9 * * 1-5"))),
            (["--cron", "@daily"], .rule(NotificationRule("cron 0 0 * * *"))),
            (
                ["--on-calendar", "Mon 9:00"],
                .rule(NotificationRule("calendar Mon *-*-* 09:00:00"))
            ),
            (
                ["day at 9", "--count", "2", "--tz", "Asia/Tokyo"],
                .rule(NotificationRule("every day at 09:00", timeZone: "Asia/Tokyo", count: 2))
            ),
        ] as [([String], NotificationTrigger)])
    func `move takes every form of a time`(arguments: [String], trigger: NotificationTrigger) throws
    {
        #expect(try Self.move(arguments).trigger == trigger)
    }

    @Test(
        arguments: [
            (["tomorow", "8am"], "did you mean 'tomorrow'"), (["10 parsecs"], "parsecs"),
            (["2001-01-01 8am"], "'--past-ok'"), (["8am", "--count", "2"], "belongs to a rule"),
            (["--at", "tomorow 8am"], "did you mean"), (["--tz", "Mars/Base", "8am"], "Mars"),
        ])
    func `an unreadable time is refused with a caret`(arguments: [String], text: String) throws {
        let error = try #require(throws: ToolError.self) { try Self.move(arguments) }
        #expect(error.status == .data)
        #expect(error.text.contains(text), "\(error.text)")
        #expect(error.detail.contains("^") || text == "Mars")
    }

    @Test(
        arguments: [
            (["move", "tea"], "The time is missing"), (["move"], "<id>"),
            (["move", "tea", "8am", "--in", "1m"], "exclude each other"),
            (["skip"], "<id>"), (["skip", "a", "b"], "Unexpected argument 'b'"),
        ])
    func `a wrong command line has status 64`(arguments: [String], text: String) throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(arguments) }
        #expect(error.status == .usage)
        #expect(error.message.contains(text), "\(error.message)")
    }

    @Test(
        arguments: [
            ["schedule", "Tea", "--at", "2001-01-01 8am"], ["at", "2001-01-01 8am", "Tea"],
            ["at", "@5", "Tea"], ["schedule", "Tea", "--at", "today 8am"],
        ])
    func `a past time is refused, or means now with --past-ok`(arguments: [String]) throws {
        let error = try #require(throws: ToolError.self) { try Self.moment(arguments) }
        #expect(error.status == .data)
        #expect(error.text.contains("has passed") && error.text.contains("'--past-ok'"))
        let moment = try #require(try Self.moment(arguments + ["--past-ok"]))
        #expect(moment.trigger == nil)
        let line = moment.line(now: Self.environment.now)
        #expect(line.hasPrefix("now; ") && line.hasSuffix(" is past"))
    }

    @Test func `a future time is not changed by --past-ok`() throws {
        let moment = try #require(try Self.moment(["at", "8am", "Tea", "--past-ok"]))
        #expect(moment.trigger == Self.eight)
        #expect(moment.line(now: Self.environment.now) == "Sun 2026-11-22 08:00:00 CET (in 20 h)")
    }

    @Test func `skip prints the skipped and the next date in the zone of the rule`() throws {
        let dates = SkippedOccurrence(
            skipped: Instant(microseconds: 1_795_305_600_000_000),
            next: Instant(microseconds: 1_795_392_000_000_000))
        func text(_ arguments: [String], zone: String?) throws -> String {
            guard case .command(let command) = try Invocation.parse(["skip", "p"] + arguments),
                let skip = command as? SkipCommand
            else { throw ToolError(.failure, "not a skip command") }
            let request = NotificationRequest(
                identifier: "pills", content: .init(title: "Pills"),
                trigger: .rule(NotificationRule("every day at 09:00", timeZone: zone)))
            return skip.text(dates, of: request, in: Self.environment)
        }
        #expect(
            try text([], zone: "Asia/Tokyo")
                == "pills: skipped Sun 2026-11-22 09:00:00 JST, next Mon 2026-11-23 09:00:00 JST "
                + "(in 1 d 13 h)")
        #expect(
            try text(["--json"], zone: nil)
                == #"{"id":"pills","skipped":"2026-11-22T01:00:00+01:00","#
                + #""nextFire":"2026-11-23T01:00:00+01:00"}"#)
    }

    /// The ID `last` means the newest notification.
    @Test func `a move makes the request new`() throws {
        let now = Self.environment.now
        let made = now.adding(microseconds: -3_000_000_000)
        let moment = try Self.move(["10m"])
        let request = NotificationRequest(
            identifier: "tea", content: RequestTag.content("Tea", "", at: made),
            trigger: .interval(seconds: 3_600, repeats: false))
        let moved = MoveCommand.moved(request, to: moment, at: now)
        #expect(RequestTag.creation(of: moved) == now)
    }

    /// The trigger does not tell: it may have other dates after a journey.
    @Test func `missed lists a late notification with its due date, and no punctual one`() {
        let now = Self.environment.now
        let request = NotificationRequest(
            identifier: "tea", content: .init(title: "Tea"),
            trigger: .at(now.adding(microseconds: -7_200_000_000)))
        var shown = DeliveredNotification(app: .tocsin, request: request, date: now)
        #expect(MissedRow(shown) == nil)
        shown.due = now.adding(microseconds: -600_000_000)
        let row = MissedRow(shown)
        #expect(row?.due == shown.due)
        #expect(row?.shown == now && row?.reason == "shown-late")
    }

    @Test func `a move adds no creation date to a request of another program`() throws {
        let request = NotificationRequest(
            identifier: "tea", content: .init(title: "Tea"), trigger: Self.eight)
        let moved = MoveCommand.moved(
            request, to: try Self.move(["10m"]), at: Self.environment.now)
        #expect(moved.content.userInfo.isEmpty)
        #expect(moved.trigger == .interval(seconds: 600, repeats: false))
    }

    @Test func `a numbered list shows the number of each request`() {
        let rows = ["a", "b"].map {
            ListedNotification.pending(
                PendingNotification(
                    app: .tocsin, request: .init(identifier: $0, content: .init(title: "T")),
                    state: .pending, nextFire: nil))
        }
        let times = RelativeTime(now: Self.environment.now, zone: .fixed(0))
        let table = ListTable(times: times, showsApp: false, isNumbered: true)
        #expect(
            table.text(of: rows.map(table.row)) == """
                #  ID  WHEN  TIME  TITLE
                1  a   -     -     T
                2  b   -     -     T

                """)
    }
}
