import NotificationModel
import NotificationSchedule
import Reactor
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// Faults 52 and 53 of `Tests/Faults.md`: a changed zone, and a machine without usable tzdata.
@Suite("Zones of this machine", .timeLimit(.minutes(2)))
struct SystemZonesTests {
    private let none = SystemZones(environment: ["TZDIR": "/nowhere"])

    @Test
    func `without tzdata the user's zone is UTC, and a zone named in TZ is not known`() {
        #expect(none.rules(named: "Europe/Berlin") == nil)
        #expect(none.rulesOrUTC(named: "Europe/Berlin") == .utc)
        #expect(none.fixedName(environment: ["TZ": "Europe/Berlin"]) == nil)
        let zone = LocalTimeZone(environment: ["TZ": "Europe/Berlin"], zones: none)
        #expect(!zone.isFixed)
    }

    @Test
    func `a refresh reports a new zone name once, even if the name was read before`() throws {
        let names = Locked(["Etc/UTC", "GMT+0200"])
        let files = ZoneFiles(
            contents: { path in
                guard path == "/etc/timezone" else { return nil }
                return names.withLock { Array(($0.first ?? "").utf8) }
            }, stamp: { _ in nil }, link: { _ in nil }, seconds: { 0 })
        let zones = SystemZones(environment: ["TZDIR": "/nowhere"], files: files)
        let zone = LocalTimeZone(environment: [:], zones: zones)
        #expect(zone.identifier(at: 0) == "Etc/UTC")
        #expect(!zone.refresh(at: 0))
        names.withLock { _ = $0.removeFirst() }
        #expect(zone.identifier(at: 10_000_000) == "GMT+0200")
        #expect(zone.refresh(at: 10_000_000))
        #expect(!zone.refresh(at: 10_000_001))
    }

    /// A copy of a zone's file does not name the zone, but dates must still move to the new zone.
    @Test
    func `a copied zone file that replaces the local zone file is reported once`() async throws {
        let name = Locked("Europe/Berlin")
        let path = { @Sendable (path: String) -> String in
            path == "/etc/localtime" ? "/usr/share/zoneinfo/" + name.withLock(\.self) : "/nowhere"
        }
        let files = ZoneFiles(
            contents: { ZoneFiles.system.contents(path($0)) },
            stamp: { ZoneFiles.system.stamp(path($0)) }, link: { _ in nil }, seconds: { 0 })
        let zones = SystemZones(environment: ["TZDIR": "/nowhere"], files: files)
        let reactor = Reactor.started()
        let clock = SystemClock(reactor: reactor, environment: [:], zones: zones)
        #expect(clock.now().timeZone == "localtime")
        let events = Recording<ClockEvent>()
        reactor.perform {
            do throws(NotificationError) {
                try clock.start { events.append($0) }
            } catch {
                events.finish(error.message)
            }
        }
        clock.report(.timeZoneChanged)
        clock.report(.resumed)
        #expect(try await events.first(1) == [.resumed])
        name.withLock { $0 = "Asia/Tokyo" }
        clock.report(.timeZoneChanged)
        clock.report(.timeZoneChanged)
        clock.report(.resumed)
        #expect(try await events.first(3) == [.resumed, .zoneDataChanged, .resumed])
        #expect(zones.rules(named: "localtime")?.offset(at: 0) == 9 * 3_600)
        reactor.perform { clock.stop() }
        reactor.stop()
    }

    @Test
    func `a zone rule in TZ needs no zone file`() {
        let zone = LocalTimeZone(environment: ["TZ": "JST-9"], zones: none)
        #expect(zone.isFixed)
        #expect(zone.identifier(at: 0) == "JST-9")
        #expect(none.rules(named: "JST-9")?.offset(at: 0) == 9 * 3_600)
    }

    @Test
    func `if a zone's data is removed, accepted dates of that zone continue in UTC`() throws {
        var components = CalendarComponents()
        components.hour = 9
        components.timeZone = "Gone/Since"
        let now = try instant("2026-11-21 12:00:00")
        #expect(
            CalendarDates.sample.nextOfAccepted(components, after: now, timeZone: "UTC")
                == (try instant("2026-11-22 09:00:00")))
        #expect(CalendarDates.sample.next(matching: components, after: now, timeZone: "UTC") == nil)
    }

    @Test
    func `a floating date is computed in UTC if the user's zone is unknown`() throws {
        var components = CalendarComponents()
        components.hour = 9
        #expect(
            CalendarDates.sample.next(
                matching: components, after: try instant("2026-11-21 12:00:00"),
                timeZone: "No/Such") == (try instant("2026-11-22 09:00:00")))
    }
}
