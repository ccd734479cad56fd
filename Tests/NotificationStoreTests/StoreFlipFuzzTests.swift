import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// Fault 14 of `Tests/Faults.md`: one flipped bit anywhere in a small store.
///
/// `make test` tries a sample of the bytes; `make fuzz` tries every byte while its time lasts.
@Suite struct StoreFlipFuzzTests {
    private static let requests = 24
    private static let samples = 80
    /// The largest share of flips, in percent, that may cost more than one row.
    ///
    /// Flips in the schema's text can cost more than one row.
    private static let costlyShare = 5
    /// The page size of every store, in bytes: SQLite's default.
    private static let pageSize = 4_096

    @Test(.timeLimit(.minutes(10)))
    func `at most 5 of 100 flipped bits cost more than the row that they hit`() async throws {
        let fixture = try StoreFixture()
        let filling = try fixture.open()
        for index in 0..<Self.requests { try await filling.add(.after(60, "r\(index)")) }
        filling.close()
        let original = try Data(contentsOf: URL(filePath: fixture.layout.database))
        let seed = FuzzRun("store").seed
        var random = SeededGenerator(seed: seed)
        // SQLite recognises the file by its first page, so flip as many bytes there as in all other
        // pages.
        let first = (0..<Self.pageSize).shuffled(using: &random)
        let others = (Self.pageSize..<original.count).shuffled(using: &random)
        let offsets = zip(first, others).flatMap { [$0, $1] } + others.dropFirst(first.count)
        let end = ContinuousClock.now + .seconds(FuzzRun.seconds ?? 0)
        var (count, hit, costly) = (0, 0, 0)
        for offset in offsets {
            if FuzzRun.seconds == nil ? count == Self.samples : ContinuousClock.now > end { break }
            var damaged = original
            damaged[offset] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
            let layout = StoreLayout(directory: fixture.directory.path + "/flip-\(count)")
            let fired = try await Self.fired(damaged, layout, fixture)
            #expect(
                Set(fired).count == fired.count,
                "no request fires twice; seed \(seed), byte \(offset)")
            hit += Self.requests - fired.count
            if fired.count < Self.requests - 1 {
                costly += 1
                print("store: byte \(offset) cost \(Self.requests - fired.count) rows")
            }
            count += 1
            try FileManager.default.removeItem(atPath: layout.directory)
        }
        #expect(costly * 100 <= count * Self.costlyShare, "seed \(seed)")
        print("store: \(count) of \(offsets.count) bytes flipped, \(hit) rows hit, seed \(seed)")
    }

    /// Returns the notifications that a store of these bytes delivers when all requests are due.
    private static func fired(
        _ bytes: Data, _ layout: StoreLayout, _ fixture: StoreFixture
    ) async throws -> [String] {
        try FileManager.default.createDirectory(
            atPath: layout.directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try bytes.write(to: URL(filePath: layout.database))
        let store = try fixture.open(layout: layout)
        let due = ClockReading.sample(
            wall: ManualClock.start.adding(microseconds: 61_000_000), boot: 3_661_000_000)
        try await store.adoptThisBoot(now: due)
        let fired = try await store.deliver(now: due)
        store.close()
        return fired
    }
}
