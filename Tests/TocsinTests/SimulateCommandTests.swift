import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// `simulate`: what it asks of the program that simulates, and how it tells what that says.
@Suite struct SimulateCommandTests {
    /// Saturday 2026-11-21, 12:00 in a zone one hour east.
    private static let now = Instant(microseconds: 1_795_258_800_000_000)
    private static let zone = ZoneOffsets.fixed(3_600, abbreviation: "CET")
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: now, zone: zone,
        reactor: Reactor.hosted("unused"))

    private static func arguments(_ words: [String]) throws -> [String] {
        guard case .command(let command) = try Invocation.parse(["simulate"] + words),
            let simulate = command as? SimulateCommand
        else { throw ToolError(.failure, "not a simulate command") }
        return try simulate.arguments(in: environment)
    }

    private static func line(_ text: String) -> SimulationEvent? {
        SimulationEvent(Array(text.utf8))
    }

    private static func ring(_ members: String) throws -> SimulationRing {
        let text =
            #"{"kind":"ring","app":"org.x","id":"a","title":"T","due":1795258800000000,"# + members
            + "}"
        guard case .ring(let ring)? = line(text) else { throw ToolError(.failure, "no ring") }
        return ring
    }

    @Test func withoutOptionsItIsAWeekFromNowOn() throws {
        #expect(
            try Self.arguments([])
                == ["simulate", "--until", "1795863600000000", "--limit", "100000"])
    }

    @Test func everyOptionIsHandedOn() throws {
        #expect(
            try Self.arguments([
                "--from", "2027-01-01", "--for", "1y", "--tz", "Europe/Berlin", "--suspend",
                "day at 23 for 7h", "--limit", "0",
            ]) == [
                "simulate", "--from", "1798758000000000", "--until", "1830294000000000", "--tz",
                "Europe/Berlin", "--suspend", "every day at 23:00", "--suspend-length",
                "25200000000",
            ])
        #expect(
            try Self.arguments(["--suspend", "*-*-* 2:00"]).suffix(6) == [
                "--suspend", "calendar *-*-* 02:00:00", "--suspend-length", "28800000000",
                "--limit", "100000",
            ])
    }

    @Test(
        arguments: [
            ("1y", "2027-11-21T12:00:00+01:00"), ("2 years", "2028-11-21T12:00:00+01:00"),
            ("3 months", "2027-02-21T12:00:00+01:00"), ("15mo", "2028-02-21T12:00:00+01:00"),
            ("90m", "2026-11-21T13:30:00+01:00"), ("1w", "2026-11-28T12:00:00+01:00"),
        ])
    func yearsAndMonthsAreThoseOfTheCalendar(text: String, end: String) throws {
        let found = try SimulatedSpan.end(of: text, from: Self.now, zone: Self.zone)
        #expect(RFC3339.text(found, zone: Self.zone) == end)
    }

    @Test func aMonthThatLacksTheDayEndsItsSpanOnItsLast() throws {
        let leap = Self.zone.instant(of: CivilTime(year: 2028, month: 2, day: 29, hour: 7))
        let end = try SimulatedSpan.end(of: "1y", from: leap, zone: Self.zone)
        #expect(RFC3339.text(end, zone: Self.zone) == "2029-02-28T07:00:00+01:00")
    }

    @Test(
        arguments: [
            (["--from", "2027-33-01"], "no such day"), (["--from", "someday"], "Unknown word"),
            (["--for", "1yy"], "'yy'"), (["--for", "1y 6mo"], "whole ones alone"),
            (["--tz", "Mars/Base"], "no time zone 'Mars/Base'"),
            (["--suspend", "day att 9"], "did you mean 'at'"),
            (["--suspend", "day at 9 for 3 parsecs"], "parsecs"),
            (["--suspend", "tomorrow 8am for 3h"], "happens once"),
        ])
    func whatCannotBeReadHasStatus65(arguments: [String], text: String) throws {
        let error = try #require(throws: ToolError.self) { try Self.arguments(arguments) }
        #expect(error.status == .data)
        #expect(error.text.contains(text), "\(error.text)")
    }

    @Test func aRingIsTheContractsJSON() throws {
        let ring = try Self.ring(
            #""outcome":"rings","fired":1795258800000000,"timeZone":"Asia/Tokyo","missed":0"#)
        let tokyo = ZoneOffsets.fixed(9 * 3_600, abbreviation: "JST")
        #expect(
            ring.object(zone: Self.zone, dueZone: tokyo).text
                == #"{"fire":"2026-11-21T12:00:00+01:00","due":"2026-11-21T20:00:00+09:00","#
                + #""timeZone":"Asia/Tokyo","outcome":"rings","id":"a","app":"org.x","#
                + #""title":"T","missed":0,"note":null}"#)
        #expect(
            ring.line(zone: Self.zone, dueZone: Self.zone) == "Sat 2026-11-21 12:00:00 CET  a  T")
        #expect(
            ring.line(zone: Self.zone, dueZone: tokyo)
                == "Sat 2026-11-21 12:00:00 CET  a  T; due Sat 2026-11-21 20:00:00 JST")
    }

    @Test(
        arguments: [
            (
                #""outcome":"rings","fired":1795262400000000,"suspendedAt":1795255200000000,"#
                    + #""missed":2,"shift":"it is spring""#,
                "it is spring; late: suspended since Sat 2026-11-21 11:00:00 CET; "
                    + "2 more missed, merged into this one"
            ),
            (
                #""outcome":"rings","fired":1795262400000000,"missed":0"#,
                "late: it was due before the start"
            ),
            (#""outcome":"skipped","fired":1795258800000000"#, "skipped"),
            (
                #""outcome":"refused","message":"denied.","fired":1795258800000000"#,
                "not shown: denied."
            ),
            (
                #""outcome":"listed","fired":1795258800000000"#,
                "in the list only, one popup stands for several"
            ),
        ])
    func theNoteTellsWhy(members: String, note: String) throws {
        let ring = try Self.ring(#""timeZone":"UTC","# + members)
        #expect(ring.note(zone: Self.zone) == note)
        let rings = members.contains(#""rings""#)
        #expect(
            ring.object(zone: Self.zone, dueZone: Self.zone).text.contains(#""fire":null"#)
                == !rings)
    }

    @Test func linesThatAreNoneArePassedOver() {
        for text in ["", "{}", "[]", #"{"kind":"other"}"#, #"{"kind":"ring","id":"a"}"#, "\u{1}"] {
            #expect(Self.line(text) == nil, "\(text)")
        }
        guard
            case .error(let error)? = Self.line(
                #"{"kind":"error","code":"StoreUnavailable","message":"There is no store."}"#)
        else {
            Issue.record("no error")
            return
        }
        #expect(error == NotificationError(.storeUnavailable, "There is no store."))
    }
}
