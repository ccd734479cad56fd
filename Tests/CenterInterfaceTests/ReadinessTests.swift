import DesktopBus
import Foundation
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// What callers get from a daemon that starts, ends or hangs.
@Suite(.timeLimit(.minutes(2))) struct ReadinessTests {
    private static let request = NotificationRequest(
        identifier: "a", content: NotificationContent(title: "a"))

    /// Returns an exporter that owns its bus name and has no service yet.
    ///
    /// A call waits up to an hour for the service, so that a busy machine fails no test.
    private static func exporter(
        on bus: PrivateBus
    ) async throws -> (exporter: ServiceExporter, connection: BusConnection) {
        let connection = try await BusConnection.open(on: bus, name: "center")
        let exporter = ServiceExporter(
            service: nil, connection: connection, openingLimit: .seconds(3_600)
        ) { _ in CallerRights(scope: .user) }
        try await exporter.start()
        try await connection.requestName(CenterName.bus)
        return (exporter, connection)
    }

    private static func client(
        on bus: PrivateBus, followsStore: Bool = true,
        onDelay: (@Sendable (String) -> Void)? = nil
    ) async throws -> RemoteService {
        RemoteService(
            connection: try await BusConnection.open(on: bus, name: "client"), launcher: nil,
            followsStore: followsStore, onDelay: onDelay)
    }

    private static let burst = 200

    private static func remove(_ number: Int) -> MethodCall {
        MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: CenterName.interface,
            member: "Remove", arguments: [.string("org.x"), .strings(["\(number)"])])
    }

    /// Returns the removed numbers in order, up to and including `last`.
    private static func removals(
        _ service: ScriptedService, to last: Int
    ) async throws -> [Int] {
        try await service.inputs(of: Members.remove) { inputs in
            inputs.contains { $0.1 == ["\(last)"] }
        }.compactMap { $0.1.first.flatMap { Int($0) } }
    }

    /// If all waiting calls resumed together, they could run in another order on a busy machine.
    @Test func `calls wait for the store and are served in their order`() async throws {
        let bus = try PrivateBus()
        let (exporter, _) = try await Self.exporter(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "client")
        for _ in 0..<20 {
            await exporter.prepare()
            let waiting = Recording<Int>()
            await exporter.onWaitingCall { waiting.append(1) }
            for number in 0..<Self.burst { try await connection.send(Self.remove(number)) }
            try await waiting.wait(for: "the calls") { $0.count == Self.burst }
            await exporter.onWaitingCall(nil)
            let service = ScriptedService()
            await exporter.serve(service)
            let served = try await Self.removals(service, to: Self.burst - 1)
            #expect(served == Array(0..<Self.burst))
        }
    }

    @Test func `no call overtakes calls that wait for the rights of their caller`() async throws {
        let bus = try PrivateBus()
        let connection = try await BusConnection.open(on: bus, name: "center")
        try await connection.requestName(CenterName.bus)
        for _ in 0..<20 {
            let service = ScriptedService()
            let (inspections, mayGoOn) = AsyncStream.makeStream(of: Never.self)
            let exporter = ServiceExporter(service: service, connection: connection) { _ in
                for await _ in inspections {}
                return CallerRights(scope: .user)
            }
            try await exporter.start()
            let client = try await BusConnection.open(on: bus, name: "client")
            for number in 0..<Self.burst {
                if number == Self.burst / 2 { mayGoOn.finish() }
                try await client.send(Self.remove(number))
            }
            let served = try await Self.removals(service, to: Self.burst - 1)
            #expect(served == Array(0..<Self.burst))
            await client.close()
            await connection.unexport(at: CenterName.path)
        }
    }

    /// The end of the call that inspects a caller must not fail the other calls of that caller.
    ///
    /// A wait beyond the quota ends the oldest wait. Here the oldest wait inspects the caller.
    @Test func `when a call ends, the other calls of its caller keep their rights`() async throws {
        let bus = try PrivateBus()
        let connection = try await BusConnection.open(on: bus, name: "center")
        try await connection.requestName(CenterName.bus)
        let service = ScriptedService()
        let (inspections, mayGoOn) = AsyncStream.makeStream(of: Never.self)
        let exporter = ServiceExporter(service: service, connection: connection) { _ in
            for await _ in inspections {}
            return Task.isCancelled ? nil : CallerRights(scope: .user)
        }
        try await exporter.start()
        let client = try await BusConnection.open(on: bus, name: "client")
        let wait = MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: CenterName.interface,
            member: "WaitUntilIdle", arguments: [.string("org.x"), .bool(false)])
        // The answer to Ping shows that the calls before it wait for the rights.
        let ping = MethodCall(
            destination: CenterName.bus, path: CenterName.path,
            interface: "org.freedesktop.DBus.Peer", member: "Ping")
        try await client.send(wait)
        try await client.send(Self.remove(0))
        _ = try await client.call(ping)
        for _ in 0..<BusConnectionOptions().maximumWaitsOfSender { try await client.send(wait) }
        _ = try await client.call(ping)
        mayGoOn.finish()
        _ = try await client.call(Self.remove(1))
        #expect(service.inputs(of: Members.remove).map(\.1) == [["0"], ["1"]])
    }

    /// A client that waits in silence looks as if it hangs.
    @Test func `a client hears after a second that it waits for the store, and is served later`()
        async throws
    {
        let bus = try PrivateBus()
        let (exporter, _) = try await Self.exporter(on: bus)
        let told = Recording<String>()
        let client = try await Self.client(on: bus) { told.append($0) }
        let start = ContinuousClock.now
        let adding = Task { try await client.add(Self.request, attachments: [], for: .tocsin) }
        try await told.first("a word") { $0.contains("opening its store") }
        #expect(ContinuousClock.now - start >= .seconds(1))
        let service = ScriptedService()
        await exporter.serve(service)
        try await adding.value
        #expect(service.inputs(of: Members.add).map(\.1.identifier) == ["a"])
        #expect(told.all.count == 1, "\(told.all)")
    }

    @Test func `a client that waits, but not for the store, gets no report about the store`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await BusConnection.open(on: bus, name: "daemon")
        let (working, end) = AsyncStream.makeStream(of: Void.self)
        let looks = Recording<Bool>()
        let table = InterfaceTable(
            name: CenterName.interface,
            methods: [
                MethodEntry("RemoveAll", in: [ArgumentEntry("app", "s")]) { _ in
                    for await _ in working {}
                    return []
                }
            ], signals: [],
            properties: [
                PropertyEntry(
                    "Opening", "b",
                    get: {
                        looks.append(true)
                        return .bool(false)
                    })
            ])
        try await daemon.export(ExportedObject(interfaces: [table]), at: CenterName.path)
        try await daemon.requestName(CenterName.bus)
        let told = Recording<String>()
        let client = try await Self.client(on: bus) { told.append($0) }
        let removal = Task { try await client.removePending(.all, of: .tocsin) }
        try await looks.first(1)
        end.finish()
        // The removal ends after the answer to the last question about the store.
        try await removal.value
        #expect(told.all.isEmpty, "\(told.all)")
    }

    @Test func `if the store cannot be opened, every member throws the reason`() async throws {
        let bus = try PrivateBus()
        let (exporter, _) = try await Self.exporter(on: bus)
        await exporter.refuse(NotificationError(.storeUnavailable, "It is a link."))
        let client = try await Self.client(on: bus)
        let add = await #expect(throws: NotificationError.self) {
            try await client.add(Self.request, attachments: [], for: .tocsin)
        }
        #expect(add == NotificationError(.storeUnavailable, "It is a link."))
        for entry in exporter.table.methods {
            let error = await CallerRightsTests.error(entry, naming: "org.example.App")
            #expect(error == "org.tocsin.Error.StoreUnavailable", "\(entry.name)")
        }
        let connect = await #expect(throws: NotificationError.self) {
            try await client.connect(
                .init(id: .tocsin, name: "T"), asksBeforePresenting: false
            ) { _ in }
        }
        #expect(connect?.code == .storeUnavailable)
    }

    /// The caller must not have to repeat the add.
    @Test func `an add that an ending daemon refuses is made by the next daemon`() async throws {
        let bus = try PrivateBus()
        let (ending, old) = try await Self.exporter(on: bus)
        let waiting = Recording<Int>()
        await ending.onWaitingCall { waiting.append(1) }
        let client = try await Self.client(on: bus)
        let adding = Task { try await client.add(Self.request, attachments: [], for: .tocsin) }
        try await waiting.wait(for: "the call") { !$0.isEmpty }
        try await old.releaseName(CenterName.bus)
        let (exporter, _) = try await Self.exporter(on: bus)
        let next = ScriptedService()
        await exporter.serve(next)
        await ending.refuseAsEnding()
        try await adding.value
        #expect(next.calls.all.count == 1)
    }

    /// If the client gave up its session, its app would hear no response until its next start.
    @Test(arguments: [NotificationError.Code.noDaemon, .noSpace, .storeElsewhere])
    func `a session is registered with a daemon that refused it at first`(
        reason: NotificationError.Code
    ) async throws {
        let bus = try PrivateBus()
        let (first, former) = try await Self.exporter(on: bus)
        await first.serve(ScriptedService())
        let client = try await Self.client(on: bus)
        _ = try await client.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: false) {
            _ in
        }
        let changes = Recording<ServiceChange>()
        _ = try await client.watch(nil) { changes.append($0) }
        let name = await former.uniqueName
        await former.close()
        await BusConnection.wait(until: CenterName.bus, leaves: name, on: bus)
        let (next, _) = try await Self.exporter(on: bus)
        let waiting = Recording<Int>()
        await next.onWaitingCall { waiting.append(1) }
        // This call is `Connect`; `Watch` follows its answer.
        try await waiting.first(1)
        await next.refuse(NotificationError(reason, "Call again."))
        let service = ScriptedService()
        await next.serve(service)
        try await service.inputs(of: Members.connect) { !$0.isEmpty }
        try await service.inputs(of: Members.watch) { !$0.isEmpty }
        #expect(try await changes.first(1) == [.lists(nil, [.pending, .delivered])])
    }

    @Test func `a client that does not follow the store gets an error with the store's bus`()
        async throws
    {
        let bus = try PrivateBus()
        let (exporter, _) = try await Self.exporter(on: bus)
        await exporter.awaitStore { "unix:path=/nowhere/bus" }
        let client = try await Self.client(on: bus, followsStore: false)
        let error = await #expect(throws: NotificationError.self) { try await client.status() }
        #expect(error?.code == .storeElsewhere)
        #expect(error?.message.contains("/nowhere/bus") == true)
        let follower = try await Self.client(on: bus)
        let unreachable = await #expect(throws: NotificationError.self) {
            try await follower.status()
        }
        #expect(unreachable?.code == .storeElsewhere)
        #expect(unreachable?.message.contains("cannot be reached") == true)
    }

    /// Redirected calls must arrive at the other bus in their order, and before newer calls.
    @Test func `calls keep their order on the way to another bus`() async throws {
        let (home, away) = (try PrivateBus(), try PrivateBus())
        let (exporter, _) = try await Self.exporter(on: home)
        await exporter.awaitStore { away.address.rawValue }
        let (center, _) = try await Self.exporter(on: away)
        for _ in 0..<10 {
            let service = ScriptedService()
            await center.serve(service)
            let client = try await Self.client(on: home)
            let removals = (0..<20).map { number in
                Task.immediate {
                    try await client.removePending(.identifiers(["\(number)"]), of: .tocsin)
                }
            }
            for removal in removals { try await removal.value }
            let served = try await Self.removals(service, to: 19)
            #expect(served == Array(0..<20))
        }
    }

    @Test func `a call does not overtake a redirected call`() async {
        final class Place {}
        let (first, second) = (Place(), Place())
        let (home, away) = (ObjectIdentifier(first), ObjectIdentifier(second))
        var detours = CallDetours()
        let numbers = (0..<3).map { _ in detours.nextNumber() }
        func free(_ place: ObjectIdentifier) -> [Bool] {
            numbers.map { detours.mayGo($0, to: place) }
        }
        for number in numbers.prefix(2) { detours.callSent(number, to: home) }
        #expect(free(home) == [true, true, true])
        #expect(free(away) == [true, false, false])
        detours.callRepeated(numbers[0])
        #expect(free(home) == [true, false, false])
        detours.callSent(numbers[0], to: away)
        #expect(
            free(away) == [true, true, false],
            "the third call waits until the second call, sent to `home`, is answered")
        detours.callRepeated(numbers[1])
        #expect(free(away) == [true, true, false])
        detours.callEnded(numbers[1])
        #expect(free(away) == [true, true, true])
        withExtendedLifetime((first, second)) {}
    }

    /// The new call may run before the task of the waiting call resumes.
    @Test func `a new call does not pass a waiting call that may already go to the other bus`() {
        final class Place {}
        let (first, second) = (Place(), Place())
        let (home, away) = (ObjectIdentifier(first), ObjectIdentifier(second))
        var detours = CallDetours()
        let refused = detours.nextNumber()
        detours.callSent(refused, to: home)
        detours.callRepeated(refused)
        let waiting = detours.nextNumber()
        #expect(!detours.mayGo(waiting, to: away))
        detours.callSent(refused, to: away)
        let new = detours.nextNumber()
        #expect(detours.mayGo(waiting, to: away))
        #expect(!detours.mayGo(new, to: away))
        detours.callSent(waiting, to: away)
        #expect(detours.mayGo(new, to: away))
        withExtendedLifetime((first, second)) {}
    }

    /// Two places become free, but the new call must wait until the waiting call has resumed.
    @Test func `a new call does not pass a waiting call that the window has admitted`() async {
        actor Client {
            var window = CallWindow()

            func fill() {
                for _ in 0..<CallWindow.limit { #expect(window.acquire(files: 0) == nil) }
            }

            func call() async {
                guard let place = window.acquire(files: 0) else { return }
                await place.value()
                window.waiterResumed()
            }

            func leaveTwiceAndEnter() -> Bool {
                window.release(files: 0)
                window.release(files: 0)
                return window.acquire(files: 0) == nil
            }
        }
        let client = Client()
        await client.fill()
        let waiter = Task.immediate { await client.call() }
        // The actor runs its jobs in order, so `call()` already waits when this job runs.
        #expect(await !client.leaveTwiceAndEnter())
        await waiter.value
    }

    /// The address comes from the store's lock file; it must not make the client start a program or
    /// send the beginning of a file.
    @Test(arguments: [
        "unixexec:path=/bin/sh,argv1=-c", "autolaunch:", "nonsense", "", "unix:path=/\u{0}",
        "nonce-tcp:host=127.0.0.1,port=1,noncefile=/etc/passwd",
    ])
    func `an invalid bus address is not followed`(_ address: String) async throws {
        let bus = try PrivateBus()
        let (exporter, _) = try await Self.exporter(on: bus)
        await exporter.awaitStore { address }
        let client = try await Self.client(on: bus)
        let error = await #expect(throws: NotificationError.self) { try await client.status() }
        #expect(error?.code == .storeLocked)
    }
}
