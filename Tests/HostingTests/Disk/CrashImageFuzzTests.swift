import Foundation
import HostingSupport
import NotificationEngine
import NotificationModel
import NotificationStore
import TestSupport
import Testing

/// Fault 13 of `Tests/Faults.md`: the power fails at any moment of a daemon's work.
///
/// The moments and the losses are random; `make fuzz` tries more of them than `make test`.
@Suite struct CrashImageFuzzTests {
    /// A client's change, with the length of the disk's log at the call and at its answer.
    private struct Step {
        let identifier: String
        /// The new title; nil for a removal.
        let title: String?
        let asked: Int
        let answered: Int
    }

    @Test(.timeLimit(.minutes(10)))
    func `after a power cut at any moment, the store has each acknowledged change`() async throws {
        let disk = try await FailingDisk(logs: true)
        let log = try #require(disk.shim.log)
        let steps = try await Self.work(on: disk, log)
        let entries = try log.entries()
        let store = try #require(entries.first { $0.path.hasSuffix("/center.sqlite") }).path
        let seed = FuzzRun("crash-image").seed
        var random = SeededGenerator(seed: seed)
        let end = ContinuousClock.now + .seconds(FuzzRun.seconds ?? 0)
        var images = 0
        repeat {
            var image = DiskImage()
            for entry in entries {
                image.apply(entry)
                // Try one of 70 entries, but one of 5 in the first tenth, in which the daemon makes
                // the store.
                let rarity = entry.end < entries[entries.count / 10].end ? 5 : 70
                guard Int.random(in: 0..<rarity, using: &random) == 0,
                    let loss = DiskImage.Loss.allCases.randomElement(using: &random)
                else { continue }
                images += 1
                let folder = disk.bus.directory + "/image"
                try image.write(to: folder, losing: loss, &random)
                let found = try await Self.open(
                    folder + store.dropLast("/center.sqlite".count),
                    "seed \(seed), byte \(entry.end) of the log, \(loss)")
                Self.judge(found, steps, at: entry.end, "seed \(seed), image \(images), \(loss)")
                try FileManager.default.removeItem(atPath: folder)
            }
        } while ContinuousClock.now < end
        print("crash images: \(images) of \(entries.count) changes, seed \(seed)")
        #expect(images > 50)
    }

    /// Changes so many requests that SQLite checkpoints its write-ahead log several times.
    private static func work(on disk: FailingDisk, _ log: DiskLog) async throws -> [Step] {
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var steps: [Step] = []
        for number in 0..<150 {
            let name = "r\(number % 40)"
            let asked = log.size
            if number % 7 == 6 {
                try await center.removePending(.identifiers([name]), of: disk.app)
                steps.append(
                    Step(identifier: name, title: nil, asked: asked, answered: log.size))
                continue
            }
            var request = disk.request(name, title: "\(number)")
            request.content.body = String(repeating: "x", count: number % 3 == 0 ? 60_000 : 100)
            try await center.add(request, attachments: [], for: disk.app)
            steps.append(
                Step(identifier: name, title: "\(number)", asked: asked, answered: log.size))
        }
        daemon.signal(SIGTERM)
        try await daemon.exit()
        return steps
    }

    /// Opens the store that a power cut left; returns its titles by identifier.
    private static func open(
        _ directory: String, _ comment: String
    ) async throws -> [String: String] {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let store = try CenterStore(
            layout: StoreLayout(directory: directory), bootID: "image",
            rules: .engine(FireSchedule(zones: SystemZones(environment: [:]))),
            limits: StoreLimits(reserve: 0)
        ) { _ in }
        let now = ClockReading(
            wall: Instant(microseconds: 0), boot: 0, bootID: "image", timeZone: "UTC")
        var titles: [String: String] = [:]
        var query = ListQuery()
        repeat {
            let page = try await store.pendingPage(query, of: nil, now: now)
            for one in page.notifications {
                titles[one.request.identifier] = one.request.content.title
            }
            query.after = page.next
        } while query.after != nil
        #expect(try await store.counts().0 == titles.count, "no row is damaged, \(comment)")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(!files.contains { $0.contains("damaged") }, "\(comment): \(files)")
        store.close()
        return titles
    }

    /// Checks that each request has the state of its last answered step, or of a later step.
    ///
    /// A later step may be on disk before its answer.
    private static func judge(
        _ found: [String: String], _ steps: [Step], at moment: Int, _ comment: String
    ) {
        for identifier in Set(steps.map(\.identifier)).union(found.keys) {
            let own = steps.filter { $0.identifier == identifier && $0.asked <= moment }
            let last = own.lastIndex { $0.answered <= moment }
            let allowed = last.map { own[$0...].map(\.title) } ?? [nil] + own.map(\.title)
            #expect(
                allowed.contains(found[identifier]),
                "\(identifier) is \(found[identifier] ?? "gone"), not \(allowed), \(comment)")
        }
    }
}
