import Foundation
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("How fast and how much one app may add", .timeLimit(.minutes(2)))
struct AppLimitTests {
    let app = ApplicationID.tocsin
    let other: ApplicationID

    init() throws {
        other = try ApplicationID("org.example.Other")
    }

    // MARK: Rate

    private func limits(burst: Int, rate: Int) -> StoreLimits {
        var limits = StoreLimits()
        limits.addBurst = burst
        limits.addsPerSecond = rate
        return limits
    }

    /// The bucket loses a token with each add, and is refilled at a steady rate.
    @Test
    func `a bucket admits a burst at once, then a steady rate, and never saves more than a burst`()
        throws
    {
        var allowance = AddAllowance()
        let limits = limits(burst: 3, rate: 2)
        for _ in 0..<3 { #expect(allowance.spendAllowance(app, now: 0, limits: limits) == nil) }
        #expect(allowance.spendAllowance(app, now: 0, limits: limits) == 0.5)
        #expect(
            allowance.spendAllowance(other, now: 0, limits: limits) == nil,
            "another app has its own bucket")
        #expect(allowance.spendAllowance(app, now: 500_000, limits: limits) == nil)
        #expect(allowance.spendAllowance(app, now: 500_000, limits: limits) != nil)
        for _ in 0..<3 {
            #expect(allowance.spendAllowance(app, now: 3_600_000_000, limits: limits) == nil)
        }
        #expect(allowance.spendAllowance(app, now: 3_600_000_000, limits: limits) != nil)
        // After a boot the clock starts at zero, but the allowance stays spent.
        #expect(allowance.spendAllowance(app, now: 0, limits: limits) != nil)
    }

    @Test
    func `a refused call spends no allowance`() {
        var allowance = AddAllowance()
        let limits = limits(burst: 3, rate: 2)
        #expect(allowance.spendAllowance(app, count: 2, now: 0, limits: limits) == nil)
        #expect(allowance.spendAllowance(app, count: 2, now: 0, limits: limits) == 0.5)
        #expect(allowance.spendAllowance(app, count: 1, now: 0, limits: limits) == nil)
        let full = allowance.spendAllowance(app, count: 9, now: 1_500_000, limits: limits)
        #expect(
            full == nil, "a call for more requests than a bucket holds needs only a full bucket")
    }

    @Test
    func `by default the burst admits as many requests as one app may have pending`() {
        let limits = StoreLimits()
        #expect(Int64(limits.addBurst) > limits.pending)
        var allowance = AddAllowance()
        let refused = (0..<limits.pending).contains { _ in
            allowance.spendAllowance(app, now: 0, limits: limits) != nil
        }
        #expect(!refused)
    }

    @Test
    func `the error for an app that adds too fast names the limit and a sufficient wait`()
        async throws
    {
        let fixture = try EngineFixture()
        let engine = try await fixture.start(limits: limits(burst: 2, rate: 1))
        for name in ["a", "b"] {
            try await engine.add(.after(60, name), attachments: [], for: app)
        }
        let error = try await #require(throws: NotificationError.self) {
            try await engine.add(.after(60, "c"), attachments: [], for: app)
        }
        #expect(error.code == .limitReached)
        for part in ["\(app) adds requests too fast", "2 at once, then 1 a second", "in 1 s"] {
            #expect(error.message.contains(part), "\(error.message)")
        }
        await #expect(throws: error) {
            try await engine.push(
                Array(#"{"aps":{"alert":"a"}}"#.utf8), collapseIdentifier: nil, for: app)
        }
        try await engine.add(.after(60, "c"), attachments: [], for: other)
        fixture.clock.advance(by: .seconds(1))
        try await engine.add(.after(60, "c"), attachments: [], for: app)
        await engine.stop()
    }

    // MARK: Bytes

    private func sized(_ identifier: String, _ size: Int) -> NotificationRequest {
        var request = NotificationRequest.after(60, identifier)
        request.content.userInfo = ["blob": .data([UInt8](repeating: 0, count: size))]
        return request
    }

    @Test
    func `the requests of one app share a size limit, and a removal or replacement makes room`()
        async throws
    {
        let fixture = try EngineFixture()
        var limits = StoreLimits()
        limits.bytes = 40_000
        let engine = try await fixture.start(limits: limits)
        for name in ["a", "b"] {
            try await engine.add(sized(name, 12_000), attachments: [], for: app)
        }
        let error = try await #require(throws: NotificationError.self) {
            try await engine.add(sized("c", 15_000), attachments: [], for: app)
        }
        #expect(error.code == .limitReached)
        for part in ["\(app) has", "bytes in the store", "may have 40000", "Remove"] {
            #expect(error.message.contains(part), "\(error.message)")
        }
        try await engine.add(sized("c", 15_000), attachments: [], for: other)
        try await engine.add(sized("b", 1), attachments: [], for: app)
        try await engine.removePending(.identifiers(["a"]), of: app)
        try await engine.add(sized("c", 15_000), attachments: [], for: app)
        await engine.stop()
    }

    @Test
    func `an attachment counts against the size limit until its notification is removed`()
        async throws
    {
        let fixture = try EngineFixture()
        let image = TestPNG.bytes + [UInt8](repeating: 0, count: 30_000)
        let path = try fixture.directory.write(image, to: "a.png")
        func request(_ identifier: String) -> NotificationRequest {
            var request = NotificationRequest.sample(identifier)
            request.content.attachments = [
                NotificationAttachment(identifier: "a", path: path, type: "public.png")
            ]
            return request
        }
        var limits = StoreLimits()
        limits.bytes = 50_000
        let engine = try await fixture.start(limits: limits)
        let file = { try OpenFile(path: path) }
        try await engine.add(request("a"), attachments: [file()], for: app)
        try await engine.rest()
        #expect(try await engine.delivered(of: app).count == 1)
        let error = try await #require(throws: NotificationError.self) {
            try await engine.add(request("b"), attachments: [file()], for: app)
        }
        #expect(error.code == .limitReached)
        try await engine.removeDelivered(.all, of: app)
        try await engine.add(request("b"), attachments: [file()], for: app)
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.layout.attachments)
        #expect(left.count == 1)
        await engine.stop()
    }

    // MARK: Concurrent adds

    @Test
    func `concurrent adds beyond an app's limit of 256 wait and are all stored`() async throws {
        let fixture = try EngineFixture()
        let engine = try await fixture.start()
        let count = 256 * 3
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await engine.add(.after(60, "\(number)"), attachments: [], for: app)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await engine.pending(of: app).count == count)
        await engine.stop()
    }

    @Test
    func `a released permit goes to the next waiter, or is free if nobody waits`() async {
        var window = KeyedSemaphore<ApplicationID>(limit: 256)
        let taken = (0..<256).filter { _ in window.acquire(app) == nil }
        #expect(taken.count == 256)
        let (further, others) = (window.acquire(app), window.acquire(other))
        #expect(others == nil)
        window.release(app)
        await further?.value()
        let next = window.acquire(app)
        #expect(further != nil && next != nil)
        window.release(app)
        window.release(app)
        let again = window.acquire(app)
        #expect(again == nil)
    }
}
