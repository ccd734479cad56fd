import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// The short forms of `schedule`, whose time and title stand side by side without quotes.
@Suite struct ShortFormTests {
    /// Saturday 2026-11-21, 12:00 in a zone one hour east, with the system's named zones.
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))

    /// The title of a short form whose time can be read.
    private static func title(_ arguments: [String]) throws -> String {
        guard case .command(let command) = try Invocation.parse(arguments) else {
            throw ToolError(.failure, "not a command")
        }
        switch command {
        case let span as InCommand: return try title(of: span)
        case let at as AtCommand: return try title(of: at)
        case let every as EveryCommand: return try title(of: every)
        default: throw ToolError(.failure, "not a short form")
        }
    }

    private static func title<Time>(of command: ShortForm<Time>) throws -> String {
        try command.read(by: ScheduleTimeParser(command.bounds, in: environment)).texts.summary
    }

    /// If the title were accepted, the time would lack the words that the title begins with.
    @Test(
        arguments: [
            (["in", "1h", "30m", "Tea"], #"in "1h 30m" …"#),
            (["in", "2", "hours", "and", "15", "min", "Tea"], #"in "2 hours and 15 min" …"#),
            (["at", "1pm", "friday", "Tea"], #"at "1pm friday" …"#),
            (["at", "1pm", "on", "friday", "Tea"], #"at "1pm on friday" …"#),
            (["at", "18:00", "UTC", "Tea"], #"at "18:00 UTC" …"#),
            (["every", "day", "9:00", "Pills"], #"every "day 9:00" …"#),
            (["every", "mon", "and", "wed", "at", "9", "Gym"], #"every "mon and wed at 9" …"#),
            (["every", "2", "days", "at", "9", "Water"], #"every "2 days at 9" …"#),
            (
                ["every", "2", "weeks", "on", "fri", "at", "9", "Pay"],
                #"every "2 weeks on fri at 9" …"#
            ),
            (
                ["every", "month", "on", "the", "last", "day", "Rent"],
                #"every "month on the last day" …"#
            ),
        ])
    func `a short form refuses a title whose first words continue the time`(
        arguments: [String], remedy: String
    ) throws {
        let error = try #require(throws: ToolError.self) { try Self.title(arguments) }
        #expect(error.status == .usage)
        #expect(error.text.contains("tocsin " + remedy), "\(error.text)")
    }

    @Test(arguments: [["at", "8am", "today", "Tea"], ["at", "today", "8am", "Tea"]])
    func `a short form refuses a past time without quotes`(arguments: [String]) throws {
        let error = try #require(throws: ToolError.self) { try Self.title(arguments) }
        #expect(error.status == .data)
        #expect(error.text.contains("has passed"), "\(error.text)")
    }

    /// A script with an empty variable must not take its time from the title.
    @Test(arguments: [["every", "", "day", "off"], ["in", "", "5m", "Tea"]])
    func `a short form refuses an empty time`(arguments: [String]) throws {
        let error = try #require(throws: ToolError.self) { try Self.title(arguments) }
        #expect(error.status == .data)
        #expect(error.text.contains("is empty"), "\(error.text)")
    }

    /// Quotes do not change a title of one word, so its remedy is another command.
    @Test(
        arguments: [
            (["at", "1pm", "friday", "Tea"], "or put quotes around the title"),
            (["at", "8am", "Today", "is", "the", "day"], "or put quotes around the title"),
            (["at", "1pm", "friday"], "or use 'tocsin schedule' for this title"),
        ])
    func `a short form that refuses a title names a way to keep it`(
        arguments: [String], remedy: String
    ) throws {
        let error = try #require(throws: ToolError.self) { try Self.title(arguments) }
        #expect(error.text.contains(remedy), "\(error.text)")
    }

    @Test(
        arguments: [
            (["in", "1h", "30m left"], "30m left"), (["in", "20", "min", "Tea"], "Tea"),
            (["in", "5m", "May", "I", "call"], "May I call"),
            (["in", "5m", "and", "then", "Tea"], "and then Tea"),
            (["in", "1h", "5", "eggs"], "5 eggs"),
            (["at", "9am", "every", "one", "comes"], "every one comes"),
            (["at", "5pm", "second", "coffee"], "second coffee"),
            (["at", "8am", "on", "fire"], "on fire"),
            (["at", "8am", "tonight", "show"], "tonight show"),
            (["at", "8am", "at", "the", "office"], "at the office"),
            (["every", "15", "minutes", "Stretch"], "Stretch"),
            (["every", "day", "at 9 I leave"], "at 9 I leave"),
            (["every", "day", "on", "call"], "on call"),
            (["every", "monday", "and", "so", "on"], "and so on"),
        ])
    func `a short form keeps a title that has quotes or does not continue the time`(
        arguments: [String], title: String
    ) throws {
        #expect(try Self.title(arguments) == title)
    }
}
