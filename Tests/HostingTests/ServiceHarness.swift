import DesktopBus
import Foundation
import NotificationModel
import NotificationRuntime
import TestSupport
import Testing

/// A notification centre on a bus of its own with a scripted server, in either hosting mode.
struct ServiceHarness {
    let hosting: Hosting
    let bus: PrivateBus
    let server: ScriptedServer
    let service: any NotificationService
    let events = Recording<ServiceEvent>()
    let daemon: RunningProgram?

    static let app = try? ApplicationID("org.tocsin.Test")

    /// Runs a test body; what crossed the bus is printed if it throws.
    static func run(
        _ hosting: Hosting, script: ServerScript = ServerScript(),
        _ body: @Sendable (ServiceHarness) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: script)
            let daemon = hosting == .daemon ? try await startDaemon(on: bus) : nil
            let configuration = configuration(hosting, on: bus)
            let harness = ServiceHarness(
                hosting: hosting, bus: bus, server: server,
                service: try await ServiceHost(configuration: configuration).service(),
                daemon: daemon)
            try await body(harness)
            await daemon?.stop()
            await server.stop()
        }
    }

    /// A program of this build.
    static func program(_ name: String) throws -> String {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        return folder.appendingPathComponent(name).path
    }

    /// A daemon that has its name.
    static func startDaemon(on bus: PrivateBus) async throws -> RunningProgram {
        let owners = Recording<BusName?>()
        let connection = try await BusConnection.open(on: bus, name: "watch")
        let watch = try await connection.watchOwner(of: "org.tocsin.NotificationCenter1") {
            owners.append($0)
        }
        let daemon = try RunningProgram(
            try program("tocsind"), [], environment: bus.environment)
        try await owners.wait(for: "the daemon's name") { $0.last.flatMap(\.self) != nil }
        watch.cancel()
        await connection.close()
        return daemon
    }

    private static func configuration(_ hosting: Hosting, on bus: PrivateBus) -> Configuration {
        Configuration(
            environment: hosting.environment(bus.environment), executable: "/usr/bin/test",
            directory: "/", userID: geteuid(), machineID: "test")
    }

    /// Connects as the test's app; its events are recorded.
    func connect(asking: Bool = false) async throws -> ServiceSession {
        try await service.connect(
            ApplicationIdentity(id: try Self.id(), name: "Test App"),
            asksBeforePresenting: asking
        ) { [events] in events.append($0) }
    }

    static func id() throws -> ApplicationID { try #require(app) }

    func add(
        _ identifier: String, title: String? = nil, trigger: NotificationTrigger? = nil,
        configure: (inout NotificationContent) -> Void = { _ in }
    ) async throws {
        var content = NotificationContent(title: title ?? identifier, body: "body")
        configure(&content)
        try await service.add(
            NotificationRequest(identifier: identifier, content: content, trigger: trigger),
            attachments: [], for: try Self.id())
    }

    /// The nth post, counted from 1.
    func post(_ count: Int) async throws -> NotifyCall {
        let calls = try await server.calls.wait(for: "post \(count)") { $0.count >= count }
        return calls[count - 1]
    }

    /// The nth response, counted from 1.
    func response(_ count: Int) async throws -> NotificationResponse {
        let all = try await events.wait(for: "response \(count)") {
            $0.compactMap(\.response).count >= count
        }
        return all.compactMap(\.response)[count - 1]
    }
}

extension ServiceEvent {
    var response: NotificationResponse? {
        guard case .response(let response) = self else { return nil }
        return response
    }

    var question: (token: PresentationToken, notification: DeliveredNotification)? {
        guard case .willPresent(let token, let notification) = self else { return nil }
        return (token, notification)
    }
}
