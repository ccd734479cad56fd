import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Faults 15 and 18 of `Tests/Faults.md`, on a real disk.
///
/// Other programs take every byte that the daemon frees, or the disk is read-only.
@Suite(
    .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs is not allowed here"),
    .timeLimit(.minutes(3)))
struct FullDiskTests {
    @Test func `on a disk full to the last byte, no popup is shown twice and no request is lost`()
        async throws
    {
        let (bus, disk) = (try PrivateBus(), try SmallDisk(megabytes: 16))
        defer { disk.unmount() }
        let server = try await ScriptedServer.start(on: bus)
        await server.change { $0.replies = .held }
        let place = ["XDG_STATE_HOME": disk.path]
        let daemon = try await HostedService.startDaemon(
            on: bus, adding: place, by: "exec \"$1\" 2>&1")
        let center = try await HostedService.client(on: bus)
        let app = try ApplicationID("org.tocsin.Test")
        for number in 0..<30 {
            try await center.add(
                Self.request("due \(number)", after: 1), attachments: [], for: app)
            try await center.add(
                Self.request("later \(number)", after: 10_800), attachments: [], for: app)
        }
        try await server.calls.wait(for: "what is due") { $0.count == 30 }
        try disk.fill()
        let refusal = await #expect(throws: NotificationError.self) {
            try await center.add(Self.request("new", after: 10_800), attachments: [], for: app)
        }
        #expect(refusal?.code == .noSpace)
        try disk.fill()
        await server.release()
        // The daemon tries twice to store that each of the 30 popups was shown.
        try await daemon.lines.wait(for: "the failures") { lines in
            lines.count { $0.contains("the store failed, and the change is retried in 1 s") } >= 2
        }
        daemon.signal(SIGKILL)
        try await daemon.exit()
        try disk.empty()
        let next = try await HostedService.startDaemon(on: bus, adding: place)
        let again = try await HostedService.client(on: bus)
        try await again.add(
            NotificationRequest(identifier: "last", content: NotificationContent(title: "last")),
            attachments: [], for: app)
        try await server.calls.wait(for: "the last one") { $0.contains { $0.summary == "last" } }
        let titles = server.calls.all.map(\.summary)
        #expect(titles.sorted() == ((0..<30).map { "due \($0)" } + ["last"]).sorted())
        let pending = try await again.pending(of: app).map(\.request.identifier)
        // The store may not have recorded yet that the request "last" was shown.
        #expect(
            pending.filter { $0 != "last" }.sorted() == (0..<30).map { "later \($0)" }.sorted())
        await next.stop()
        await server.stop()
    }

    /// The daemon keeps a reserve file on the disk, and uses its space when the disk is full.
    @Test
    func `on a full disk, due requests are shown and new ones are refused until there is room`()
        async throws
    {
        let (bus, disk) = (try PrivateBus(), try SmallDisk(megabytes: 24))
        defer { disk.unmount() }
        let server = try await ScriptedServer.start(on: bus)
        let place = ["XDG_STATE_HOME": disk.path]
        let daemon = try await HostedService.startDaemon(on: bus, adding: place)
        let center = try await HostedService.client(on: bus)
        let app = try ApplicationID("org.tocsin.Test")
        try await center.add(Self.request("later", after: 10_800), attachments: [], for: app)
        try await center.add(Self.request("soon", after: 2), attachments: [], for: app)
        try disk.fill()
        let large = String(repeating: "x", count: 20_000)
        var kept = ["later"]
        var refusals: [NotificationError] = []
        for number in 0..<2_000 where refusals.isEmpty {
            var request = Self.request("large \(number)", after: 10_800)
            request.content.body = large
            do {
                try await center.add(request, attachments: [], for: app)
                kept.append(request.identifier)
            } catch {
                refusals.append(error)
            }
        }
        #expect(refusals.map(\.code) == [.noSpace])
        try await server.calls.wait(for: "what was due") { !$0.isEmpty }
        let refusal = await #expect(throws: NotificationError.self) {
            try await center.add(Self.request("still", after: 10_800), attachments: [], for: app)
        }
        #expect(refusal?.code == .noSpace)
        try disk.empty()
        try await center.add(Self.request("room", after: 10_800), attachments: [], for: app)
        daemon.signal(SIGKILL)
        try await daemon.exit()
        let next = try await HostedService.startDaemon(on: bus, adding: place)
        let again = try await HostedService.client(on: bus)
        let pending = try await again.pending(of: app).map(\.request.identifier)
        #expect(pending.sorted() == (kept + ["room"]).sorted())
        #expect(server.calls.all.map(\.summary) == ["soon"])
        await next.stop()
        await server.stop()
    }

    /// SQLite needs some space to open a store; without the reserve the daemon would end at each
    /// start.
    @Test func `a daemon that starts on a full disk shows the due requests`() async throws {
        let (bus, disk) = (try PrivateBus(), try SmallDisk(megabytes: 24))
        defer { disk.unmount() }
        let server = try await ScriptedServer.start(on: bus)
        let place = ["XDG_STATE_HOME": disk.path]
        let daemon = try await HostedService.startDaemon(on: bus, adding: place)
        let center = try await HostedService.client(on: bus)
        let app = try ApplicationID("org.tocsin.Test")
        try await center.add(Self.request("later", after: 10_800), attachments: [], for: app)
        try await center.add(Self.request("soon", after: 3), attachments: [], for: app)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        #expect(server.calls.all.isEmpty)
        try disk.fill()
        let next = try await HostedService.startDaemon(on: bus, adding: place)
        let calls = try await server.calls.wait(for: "what was due") { !$0.isEmpty }
        #expect(calls.map(\.summary) == ["soon"])
        let refusal = await #expect(throws: NotificationError.self) {
            try await center.add(Self.request("new", after: 10_800), attachments: [], for: app)
        }
        #expect(refusal?.code == .noSpace)
        try disk.empty()
        try await center.add(Self.request("room", after: 10_800), attachments: [], for: app)
        let pending = try await center.pending(of: app).map(\.request.identifier)
        #expect(pending.filter { $0 != "soon" }.sorted() == ["later", "room"])
        await next.stop()
        await server.stop()
    }

    @Test func `a daemon whose disk is read-only says so to its callers and ends`() async throws {
        let (bus, disk) = (try PrivateBus(), try SmallDisk(megabytes: 16))
        defer { disk.unmount() }
        let place = ["XDG_STATE_HOME": disk.path]
        let daemon = try await HostedService.startDaemon(on: bus, adding: place)
        let center = try await HostedService.client(on: bus)
        let app = try ApplicationID("org.tocsin.Test")
        try await center.add(Self.request("kept", after: 10_800), attachments: [], for: app)
        let store = try await center.status().store
        daemon.signal(SIGTERM)
        try await daemon.exit()
        let before = try Data(contentsOf: URL(filePath: store))
        try disk.set(isReadOnly: true)
        let owners = Recording<BusName?>()
        let connection = try await BusConnection.open(on: bus, name: "watch")
        let watch = try await connection.watchOwner(of: "org.tocsin.NotificationCenter1") {
            owners.append($0)
        }
        let failing = try RunningProgram(
            try HostedService.program("tocsind"), [],
            environment: bus.environment.merging(place) { $1 })
        try await owners.wait(for: "its name") { $0.last.flatMap(\.self) != nil }
        let refusal = await #expect(throws: NotificationError.self) {
            try await HostedService.client(over: connection).status()
        }
        #expect(refusal?.code == .storeUnavailable)
        #expect(refusal?.message.contains("Read-only file system") == true, "\(refusal as Any)")
        #expect(try await failing.exit() == 1)
        #expect(failing.said.contains("Read-only file system"), "\(failing.said)")
        #expect(try Data(contentsOf: URL(filePath: store)) == before)
        try disk.set(isReadOnly: false)
        let next = try await HostedService.startDaemon(on: bus, adding: place)
        let pending = try await HostedService.client(over: connection).pending(of: app)
        #expect(pending.map(\.request.identifier) == ["kept"])
        watch.cancel()
        await next.stop()
    }

    private static func request(_ title: String, after seconds: Double) -> NotificationRequest {
        NotificationRequest(
            identifier: title, content: NotificationContent(title: title),
            trigger: .interval(seconds: seconds, repeats: false))
    }
}
