internal import Foundation
internal import Glibc
internal import NotificationModel
package import TestSupport
package import WebPush

/// A real daemon and the program `PushProbe`, which registers for remote notifications.
///
/// It owns the daemon and the app's process.
package struct PushedApp: Sendable {
    /// The lines that all runs of the app have reported.
    package var lines: Recording<String> { pipe.lines }
    private let pipe: ReportPipe
    private let daemon: RunningProgram
    private let app: RunningProgram
    private let bus: PrivateBus

    /// Starts the daemon and the app, which the user has allowed to notify.
    package static func start(
        on bus: PrivateBus, environment: [String: String]
    ) async throws -> PushedApp {
        let pipe = try ReportPipe(bus.directory + "/report")
        let places = environment.merging(["PROBE_REPORT": pipe.path]) { $1 }
        let daemon = try await HostedService.startDaemon(on: bus, adding: places)
        try await HostedService.allow(.daemon, on: bus)
        let app = try RunningProgram(
            try HostedService.program("PushProbe"),
            environment: Hosting.daemon.environment(places).merging(places) { $1 })
        return PushedApp(pipe: pipe, daemon: daemon, app: app, bus: bus)
    }

    /// Waits for the app's first device token, which is a push subscription in JSON.
    ///
    /// Returns the subscription, and the last part of its endpoint as `token`.
    package func register() async throws -> (subscription: PushSubscription, token: String) {
        let line = try await lines.first("the device token") {
            $0.hasPrefix("token ") || $0.hasPrefix("failed ")
        }
        let json = Array(line.dropFirst("token ".count).utf8)
        let subscription = try PushSubscription(json: json)
        return (subscription, subscription.endpoint.components(separatedBy: "/").last ?? "")
    }

    /// Ends the app with SIGTERM; throws for a status other than 0.
    package func endApp() async throws {
        app.signal(SIGTERM)
        guard try await app.exit() == 0 else { throw HarnessError(app.said) }
    }

    /// Waits until the notification is stored as delivered, so that a click can be handled.
    package func untilDelivered() async throws {
        try await HostedService.client(on: bus).waitForDelivered(
            of: ApplicationID("org.tocsin.Test"))
    }

    /// Waits until a click has started the app and the app has the response; then ends the app.
    package func expectStart(match: String) async throws {
        try await lines.first("the start by the click") {
            $0.hasPrefix("start ") && $0.contains(" match \(match) ")
        }
        try await lines.first("the response") {
            $0 == "response com.apple.UNNotificationDefaultActionIdentifier match \(match)"
        }
        let start = lines.all.last { $0.hasPrefix("start ") } ?? ""
        if let pid = start.components(separatedBy: " ").last.flatMap(Int32.init) {
            kill(pid, SIGTERM)
        }
    }

    /// Ends the app and the daemon, and stops reading the reports.
    package func stop() async {
        await app.stop()
        await daemon.stop()
        await pipe.stop()
    }
}
