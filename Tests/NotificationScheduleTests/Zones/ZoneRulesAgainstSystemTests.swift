import Foundation
import NotificationModel
import NotificationSchedule
import TestSupport
import Testing

/// Our zone rules, compared with zdump and Foundation; `make test-time` checks every zone.
@Suite("The zones of the system", .timeLimit(.minutes(10)))
struct ZoneRulesAgainstSystemTests {
    private static let program = RunningProgram.path(of: "zdump")
    private static let start = SystemZones.start(of: 1970)
    private static let end = SystemZones.start(of: 2101)

    /// A line of `zdump -v`: an instant, and the local time at that instant.
    private struct Line {
        var zone: String
        var seconds: Int64
        var local: LocalTimeType
    }

    @Test(.enabled(if: program != nil, "zdump (libc-bin) is not installed"))
    func `around every change, our rules give the offset, name and daylight saving of zdump`()
        async throws
    {
        let program = try #require(Self.program)
        var compared = 0
        let names = SystemZones.sample
        for first in stride(from: 0, to: names.count, by: 50) {
            let some = Array(names[first..<min(first + 50, names.count)])
            let result = try await ChildProcess(
                program, ["-v", "-c", "1970,2101"] + some
            ).finish()
            #expect(result.status == 0)
            let lines = Dictionary(
                grouping: result.output.split(separator: "\n").compactMap(Self.line), by: \.zone)
            for name in some {
                let rules = try #require(SystemZones.rules(named: name), "\(name)")
                let lines = lines[name] ?? []
                for line in lines {
                    let ours = rules.localTime(at: line.seconds)
                    #expect(ours == line.local, "\(name) at \(line.seconds)")
                }
                // Each change has two lines: the last second before it, and its first second.
                let theirs = lines.map(\.seconds).filter { $0 > Self.start && $0 < Self.end }
                let ours = SystemZones.transitions(of: rules, from: Self.start, to: Self.end)
                #expect(
                    ours.flatMap { [$0 - 1, $0] }.filter { $0 > Self.start } == theirs, "\(name)")
                compared += lines.count
            }
        }
        #expect(compared > 1_000)
    }

    // Reads `Africa/Abidjan  Mon Jan  1 00:16:07 1912 UT = Mon Jan  1 00:16:07 1912 GMT isdst=0 …`.
    private static func line(_ text: Substring) -> Line? {
        let words = text.split(separator: " ")
        guard words.count == 16, words[6] == "UT",
            let month = months.firstIndex(of: String(words[2])), let day = Int(words[3]),
            let year = Int(words[5]), let offset = Int(words[15].dropFirst(7))
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3 else { return nil }
        let civil = CivilTime(
            year: year, month: month + 1, day: day, hour: time[0], minute: time[1], second: time[2])
        return Line(
            zone: String(words[0]), seconds: civil.seconds,
            local: LocalTimeType(
                offset: offset, isDaylightSaving: words[14] == "isdst=1",
                abbreviation: String(words[13])))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    @Test(
        .enabled(
            if: release == TimeZone.timeZoneDataVersion,
            "Foundation has tzdata \(TimeZone.timeZoneDataVersion), not \(release ?? "none")"))
    func `our rules give Foundation's offsets if both use the same release of tzdata`() throws {
        var compared = 0
        // Since 2024b, WET and EET are links to Lisbon and Athens; Debian keeps the older zones.
        for name in SystemZones.sample where name != "WET" && name != "EET" {
            guard let theirs = TimeZone(identifier: name) else { continue }
            let rules = try #require(SystemZones.rules(named: name))
            var instants = Array(stride(from: Self.start, to: Self.end, by: 86_400 * 41 + 1_234))
            for change in SystemZones.transitions(of: rules, from: Self.start, to: Self.end) {
                instants += [change - 1, change]
            }
            for instant in instants {
                let date = Date(timeIntervalSince1970: Double(instant))
                #expect(
                    rules.offset(at: instant) == theirs.secondsFromGMT(for: date),
                    "\(name) at \(instant)")
            }
            compared += instants.count
        }
        #expect(compared > 1_000)
    }

    /// The release in the first line of the compact source: `# version 2025b`.
    private static var release: String? {
        let text = try? String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
        return text?.prefix { $0 != "\n" }.split(separator: " ").last.map(String.init)
    }

    private static let leapSeconds = "/usr/share/zoneinfo/right"

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: leapSeconds),
            "\(leapSeconds) is not installed"))
    func `a copy of the database that counts leap seconds gives the same instants`() throws {
        for name in ["Europe/Berlin", "America/New_York"] {
            let data = try #require(
                FileManager.default.contents(atPath: "\(Self.leapSeconds)/\(name)"))
            let right = try ZoneRules(tzif: Array(data))
            let plain = try #require(SystemZones.rules(named: name))
            let start = SystemZones.start(of: 1990)
            // These files end at the last date for which the leap seconds are announced.
            let end = SystemZones.start(of: 2025)
            #expect(
                SystemZones.transitions(of: right, from: start, to: end)
                    == SystemZones.transitions(of: plain, from: start, to: end))
        }
    }
}
