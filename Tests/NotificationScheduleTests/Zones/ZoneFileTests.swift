import Foundation
import NotificationModel
import NotificationSchedule
import TestSupport
import Testing

/// Reading TZif files, including hostile ones.
@Suite("Files of zones")
struct ZoneFileTests {
    private static func file(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + name)))
    }

    @Test
    func `a file of version 1 is read by its 32-bit table`() throws {
        let bytes = ZoneFileBuilder(
            version: 0, times: [1_000_000_000, 1_100_000_000], kinds: [1, 0],
            types: [(3_600, false, 0), (7_200, true, 4)], names: "CET\0CEST\0"
        ).bytes()
        let rules = try ZoneRules(tzif: bytes)
        #expect(rules.offset(at: 999_999_999) == 3_600)
        #expect(rules.localTime(at: 1_000_000_000).abbreviation == "CEST")
        #expect(rules.localTime(at: 1_000_000_000).isDaylightSaving)
        #expect(rules.offset(at: .max) == 3_600)
        #expect(rules.nextTransition(after: 0) == 1_000_000_000)
        #expect(rules.nextTransition(after: 1_100_000_000) == nil)
    }

    @Test(arguments: [2, 3, 4])
    func `a file of version 2 or later is read by its 64-bit table and its footer`(
        version: Int
    ) throws {
        let bytes = ZoneFileBuilder(
            version: version, times: [-5_000_000_000], kinds: [1],
            types: [(-2_670, false, 0), (0, false, 4)], names: "MMT\0GMT\0",
            footer: "<+03>-3<+0330>,J60/-2:30,300/26"
        ).bytes()
        let rules = try ZoneRules(tzif: bytes)
        #expect(rules.offset(at: -5_000_000_001) == -2_670)
        #expect(rules.localTime(at: -4_999_999_999).abbreviation.hasPrefix("+03"))
        let march = CivilTime(year: 2026, month: 3, day: 2).seconds
        #expect(rules.offset(at: march) == 4 * 3_600)
        // The change lies two and a half hours before midnight of 1 March, at an offset of three
        // hours.
        let change = CivilTime(year: 2026, month: 2, day: 28, hour: 18, minute: 30).seconds
        #expect(rules.nextTransition(after: change - 1) == change)
    }

    @Test
    func `a faulty file throws an error that names the problem`() throws {
        func problem(_ builder: ZoneFileBuilder) -> String {
            do {
                _ = try ZoneRules(tzif: builder.bytes())
                return "none"
            } catch {
                return "\(error)"
            }
        }
        let good = ZoneFileBuilder(
            version: 2, times: [0, 10], kinds: [0, 0], types: [(0, false, 0)], names: "UTC\0")
        #expect(problem(good) == "none")
        var bad = good
        bad.times = [10, 10]
        #expect(problem(bad) == "its transitions are not in order")
        bad = good
        bad.kinds = [0, 1]
        #expect(problem(bad) == "a transition has a type of local time that is missing")
        bad = good
        bad.types = [(100_000, false, 0)]
        #expect(problem(bad) == "an offset of 100000 seconds is out of range")
        bad = good
        bad.types = [(0, false, 9)]
        #expect(problem(bad) == "the abbreviation of a type is missing")
        bad = good
        bad.types = []
        #expect(problem(bad) == "it has 0 types of local time")
        bad = good
        bad.footer = "CET-1CEST,M3.5.0"
        #expect(problem(bad).hasPrefix("the rule \"CET-1CEST,M3.5.0\" cannot be read"))
        #expect(throws: ZoneError("it does not begin with 'TZif'")) {
            try ZoneRules(tzif: Array("tzif data".utf8))
        }
        #expect(throws: ZoneError("the file ends within its header")) { try ZoneRules(tzif: []) }
    }

    @Test(arguments: ["Europe/Berlin", "Asia/Tehran"])
    func `a file that is cut off anywhere throws an error`(name: String) throws {
        let bytes = try Self.file(name)
        for length in 0..<bytes.count {
            #expect(throws: ZoneError.self) { try ZoneRules(tzif: Array(bytes.prefix(length))) }
        }
    }

    @Test
    func `a file with random changes throws an error, or its zone answers every call`() throws {
        var generator = SeededGenerator(seed: 8_536)
        let files = try ["Europe/Berlin", "America/New_York", "Asia/Tehran", "Africa/Casablanca"]
            .map(Self.file)
        var read = 0
        for round in 0..<(SystemZones.all ? 40_000 : 2_000) {
            var bytes = files[round % files.count]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            if round % 7 == 0 { bytes.removeLast(Int.random(in: 0...40, using: &generator)) }
            guard let rules = try? ZoneRules(tzif: bytes) else { continue }
            read += 1
            for instant in [Int64.min, -1 << 60, -1 << 44, 0, 1_800_000_000, 1 << 44, .max] {
                let local = rules.wallClock(at: instant)
                let first = rules.firstInstant(atWallClock: local)
                #expect(rules.wallClock(at: first) >= local || abs(instant) > 1 << 43)
                _ = rules.instants(ofWallClock: instant)
                _ = rules.nextTransition(after: instant)
            }
        }
        #expect(read > 100)
    }

    @Test
    func `a file of random bytes throws an error`() {
        var generator = SeededGenerator(seed: 9_636)
        for _ in 0..<500 {
            var bytes = Array("TZif2".utf8)
            for _ in 0..<Int.random(in: 0...300, using: &generator) {
                bytes.append(UInt8.random(in: 0...255, using: &generator))
            }
            #expect(throws: ZoneError.self) { try ZoneRules(tzif: bytes) }
        }
    }
}
