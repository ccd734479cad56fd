import DesktopBus
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// The calls of an import that run at the same time.
@Suite(.timeLimit(.minutes(5))) struct ImportRunTests {
    @Test func `an import makes two calls at a time, and its outcomes keep the order`() async throws
    {
        let keeper = HeldKeeper()
        let names = (0..<4 * RequestWithFiles.limit).map { "\($0)" }
        let task = Task { try await Self.imported(names, to: keeper) }
        for ended in 0..<4 {
            try await keeper.events.wait(for: "the calls") { events in
                events.count { $0.hasPrefix("begin") } == min(ended + 2, 4)
                    && events.count { $0.hasPrefix("end") } == ended
            }
            await keeper.release()
        }
        #expect(try await task.value == names)
        #expect(
            keeper.events.all == [
                "begin 0", "begin 1024", "end 0", "begin 2048", "end 1024", "begin 3072",
                "end 2048", "end 3072",
            ])
    }

    @Test func `a call waits for the end of an earlier call that has one of its identifiers`()
        async throws
    {
        let keeper = HeldKeeper()
        var names = (0..<2 * RequestWithFiles.limit).map { "\($0)" }
        names[1_500] = "7"
        let task = Task { [names] in try await Self.imported(names, to: keeper) }
        for begun in 1...2 {
            try await keeper.events.wait(for: "a call") { events in
                events.count { $0.hasPrefix("begin") } == begun
            }
            await keeper.release()
        }
        #expect(try await task.value == names)
        #expect(keeper.events.all == ["begin 0", "end 0", "begin 1024", "end 1024"])
    }

    /// If errors were reported last, those of a long input of unusable lines would stay in memory.
    @Test func `the errors of unusable lines are reported before the input ends`() async throws {
        let keeper = HeldKeeper()
        var run = try Self.run(to: keeper)
        var outcomes: [Result<String, ToolError>] = []
        let count = 4 * RequestWithFiles.limit
        for number in 0..<count {
            outcomes += try await run.add(ToolError.data("no"), place: "line \(number): ")
        }
        // The import may still hold two batches.
        #expect(outcomes.count == count / 2)
        outcomes += try await run.flush()
        #expect(run.failureCount == count && !run.isWaiting && keeper.events.all.isEmpty)
        let messages = outcomes.map { outcome in
            if case .failure(let error) = outcome { error.message } else { "" }
        }
        #expect(messages == (0..<count).map { "line \($0): no" })
    }

    /// The daemon accepts such a request and never shows it.
    @Test func `a request with only past dates is an error`() async throws {
        var components = CalendarComponents()
        (components.year, components.month, components.day) = (2026, 3, 1)
        components.hour = 9
        let request = NotificationRequest(
            identifier: "p", content: NotificationContent(title: "T"),
            trigger: .calendar(components, repeats: false))
        // 2026-11-21.
        var run = try Self.run(
            to: HeldKeeper(), at: Instant(microseconds: 1_795_258_800_000_000))
        let outcomes =
            try await run.add(ImportItem(request: request), size: 1, place: "line 1: ")
            + run.flush()
        let error = try #require(throws: ToolError.self) { try outcomes.first?.get() }
        #expect(error.status == .data && outcomes.count == 1)
        #expect(
            error.message.hasPrefix("line 1: 'p' is past: 2026-03-01T09:00:00+00:00."),
            "\(error.message)")
    }

    /// An interval that began now would fire on the date that the user skipped.
    @Test(arguments: [
        NotificationTrigger.interval(seconds: 3_600, repeats: true),
        .rule(NotificationRule("every 1h")),
    ])
    func `an interval with a skipped date begins at its next date, and others begin now`(
        trigger: NotificationTrigger
    ) async throws {
        let keeper = HeldKeeper()
        let now = Instant(microseconds: 1_795_258_800_000_000)
        let (soon, later) = (
            now.adding(microseconds: 1_800_000_000), now.adding(microseconds: 5_400_000_000)
        )
        let task = Task {
            var run = try Self.run(to: keeper, at: now)
            for date in [soon, later] {
                let request = NotificationRequest(
                    identifier: "\(date)", content: NotificationContent(title: "T"),
                    trigger: trigger)
                _ = try await run.add(
                    ImportItem(request: request, nextFire: date), size: 1, place: "")
            }
            return try await run.flush()
        }
        try await keeper.events.wait(for: "the call") { !$0.isEmpty }
        await keeper.release()
        #expect(try await task.value.count == 2)
        #expect(keeper.dates.all == [nil, later])
    }

    @Test func `a batch takes requests of one app up to its limits, or one request with files`()
        throws
    {
        let (app, other) = (ApplicationID.tocsin, try ApplicationID("org.other"))
        let request = NotificationRequest(
            identifier: "a", content: NotificationContent(title: "T"), trigger: nil)
        let plain = RequestWithFiles(request)
        let file = try OpenFile(path: #filePath)
        let heavy = RequestWithFiles(request, files: [file])
        var batch = ImportBatch()
        #expect(batch.admits(plain, of: app) && batch.admits(heavy, of: app))
        batch.append(ToolError(.data, "bad"), place: "line 1: ")
        #expect(batch.admits(plain, of: other))
        for _ in 1..<RequestWithFiles.limit {
            #expect(!batch.isFull && batch.admits(plain, of: app))
            batch.append(.init(request: plain), of: app, size: 1, place: "")
            #expect(!batch.admits(plain, of: other) && !batch.admits(heavy, of: app))
        }
        #expect(batch.isFull && !batch.admits(plain, of: app))
        batch = ImportBatch()
        batch.append(.init(request: plain), of: app, size: ImportBatch.maximumSize, place: "")
        #expect(batch.isFull)
        batch = ImportBatch()
        batch.append(.init(request: heavy), of: app, size: 1, place: "")
        #expect(batch.isFull)
    }

    /// Imports requests with these identifiers; returns the accepted identifiers in order.
    private static func imported(
        _ names: [String], to keeper: HeldKeeper
    ) async throws -> [String] {
        var run = try Self.run(to: keeper)
        var outcomes: [Result<String, ToolError>] = []
        for name in names {
            let request = NotificationRequest(
                identifier: name, content: NotificationContent(title: "T"))
            outcomes += try await run.add(ImportItem(request: request), size: 1, place: "")
        }
        outcomes += try await run.flush()
        #expect(run.count == names.count && run.failureCount == 0 && !run.isWaiting)
        return try outcomes.map { try $0.get() }
    }

    private static func run(
        to keeper: HeldKeeper, at now: Instant = Instant(microseconds: 0)
    ) throws -> ImportRun {
        let environment = ToolEnvironment(
            variables: [:], directory: "/tmp", now: now, zone: .fixed(0),
            reactor: Reactor.hosted("unused"))
        let connection = BusConnection(
            address: try BusAddress("unix:path=/nowhere"), reactor: environment.reactor)
        return ImportRun(
            to: CenterClient(connection: connection, requests: keeper), by: ImportRules(),
            in: environment)
    }
}

/// Stores nothing; each call of `add` waits until the test releases it.
private actor HeldKeeper: RequestKeeping {
    /// The begin and the end of each call, with the first identifier of its requests.
    nonisolated let events = Recording<String>()
    /// The `nextFire` of each request.
    nonisolated let dates = Recording<Instant?>()
    private var calls: [CheckedContinuation<Void, Never>] = []

    /// Ends the oldest call.
    func release() { calls.removeFirst().resume() }

    func add(
        _ requests: [RequestWithFiles], for app: ApplicationID
    ) async throws(NotificationError) {
        for request in requests { dates.append(request.nextFire) }
        let name = requests.first?.request.identifier ?? ""
        await withCheckedContinuation { call in
            calls.append(call)
            events.append("begin \(name)")
        }
        events.append("end \(name)")
    }

    func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(NotificationError) {
        try await add([RequestWithFiles(request)], for: app)
    }

    func removePending(_ selection: NotificationSelection, of app: ApplicationID) async {}

    func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async -> ListPage<PendingNotification> {
        ListPage(notifications: [], next: nil)
    }
}
