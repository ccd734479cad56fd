internal import CenterInterface
package import DesktopBus
internal import Foundation
internal import NotificationEngine
package import NotificationModel
internal import NotificationRuntime
internal import NotificationStore
internal import Reactor
package import TestSupport

/// A notification centre on a private bus, in either mode, for the app `org.tocsin.Test`.
package struct HostedService: Sendable {
    /// The process that runs the centre's engine.
    package let hosting: Hosting
    package let service: any NotificationService
    package let app: ApplicationID
    /// The events that the app received.
    package let events = Recording<ServiceEvent>()
    private let daemon: RunningProgram?

    /// Starts a centre; in daemon mode it is a real `tocsind`.
    package static func start(
        _ hosting: Hosting, on bus: PrivateBus, adding variables: [String: String] = [:]
    ) async throws -> HostedService {
        let daemon =
            hosting == .daemon ? try await startDaemon(on: bus, adding: variables) : nil
        return try await attach(hosting, on: bus, adding: variables, daemon: daemon)
    }

    /// Opens a centre as an app does; in daemon mode the daemon on the bus runs its engine.
    ///
    /// `kill` and `stop` end the given daemon, if there is one.
    package static func attach(
        _ hosting: Hosting, on bus: PrivateBus, adding variables: [String: String] = [:],
        daemon: RunningProgram? = nil
    ) async throws -> HostedService {
        let configuration = Configuration(
            environment: hosting.environment(bus.environment).merging(variables) { $1 },
            executable: "/usr/bin/test", directory: "/", userID: geteuid(),
            machineID: Configuration.current().machineID)
        return HostedService(
            hosting: hosting,
            service: try await ServiceHost(configuration: configuration).service(),
            app: try ApplicationID("org.tocsin.Test"), daemon: daemon)
    }

    /// Returns a client of the daemon on this bus; the client never starts a daemon.
    package static func client(on bus: PrivateBus) async throws -> any NotificationService {
        client(over: try await BusConnection.open(on: bus, name: "client"))
    }

    /// Returns a client of the daemon on a given connection.
    package static func client(over connection: BusConnection) -> any NotificationService {
        RemoteService(connection: connection, launcher: nil)
    }

    /// Allows an app to notify before its program runs, for tests that are not about permission.
    ///
    /// In daemon mode a daemon must be on the bus. `decision` may also deny the permission.
    package static func allow(
        _ hosting: Hosting, on bus: PrivateBus, app: String = "org.tocsin.Test",
        decision: PermissionDecision = .allow
    ) async throws {
        let app = try ApplicationID(app)
        switch hosting {
        case .daemon:
            let connection = try await BusConnection.open(on: bus, name: "allow")
            try await RemoteService(connection: connection, launcher: nil).decide(
                decision, for: app)
            await connection.close()
        case .embedded:
            // Write to the app's own store, which no process uses before the program runs.
            let configuration = Configuration.current(in: bus.environment)
            let reactor = Reactor.started("allow")
            let reading = ClockReading(
                wall: Instant(microseconds: 0), boot: 0, bootID: "allow", timeZone: "UTC")
            let engine = try await CenterEngine.start(
                EngineConfiguration(
                    layout: configuration.embeddedLayout(of: app), hosting: "embedded",
                    version: "test", zones: SystemZones(environment: [:])),
                presenter: RecordingPresenter(isAvailable: false), clock: VirtualClock(reading),
                reactor: reactor)
            try await engine.decide(decision, for: app)
            await engine.stop()
            reactor.stop()
        }
    }

    /// Kills the daemon, and waits for its end.
    package func kill() async {
        daemon?.signal(SIGKILL)
        _ = try? await daemon?.exit()
    }

    /// Ends the daemon, if there is one.
    package func stop() async {
        await daemon?.stop()
    }

    /// Starts a daemon and returns when it serves.
    ///
    /// A given shell script starts the daemon; the script's `$1` is the daemon's path.
    package static func startDaemon(
        on bus: PrivateBus, adding variables: [String: String] = [:], by script: String? = nil
    ) async throws -> RunningProgram {
        let owners = Recording<BusName?>()
        let connection = try await BusConnection.open(on: bus, name: "watch")
        let watch = try await connection.watchOwner(of: "org.tocsin.NotificationCenter1") {
            owners.append($0)
        }
        let path = try program("tocsind")
        let environment = bus.environment.merging(variables) { $1 }
        let daemon = try RunningProgram(
            script == nil ? path : "sh", script.map { ["-c", $0, "sh", path] } ?? [],
            environment: environment)
        try await owners.wait(for: "the daemon's name") { $0.last.flatMap(\.self) != nil }
        // The daemon owns its name before its store is open, and it handles clicks only with an
        // open store. Wait until it answers `status`, which needs the store. A development daemon,
        // which a client starts, has another store; if it answers, wait for the next owner.
        let other = Configuration.current(in: environment).developmentLayout.database
        var changes = owners.all.count
        while try await client(over: connection).status().store == other, script == nil {
            changes += 1
            _ = try await owners.first(changes)
        }
        watch.cancel()
        await connection.close()
        return daemon
    }

    /// The identity of the program at this path, with the texts of its `Info.plist`.
    package static func identity(
        of program: String, environment: [String: String] = [:]
    ) -> ApplicationIdentity {
        var configuration = Configuration.current()
        configuration.environment.merge(environment) { $1 }
        configuration.executable = program
        return configuration.identity()
    }

    /// The path of a program of this build.
    package static func program(_ name: String) throws -> String {
        guard let runner = Bundle.main.executableURL else {
            throw HarnessError("The test runner does not know where it is.")
        }
        return runner.deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Connects as the test's app, and records the events that the app receives.
    @discardableResult
    package func connect(
        asking: Bool = false, needsPermission: Bool = false
    ) async throws -> ServiceSession {
        try await service.connect(
            ApplicationIdentity(
                id: app, name: "Test App",
                usageDescription: "To tell you when the tea is ready.",
                needsPermission: needsPermission), asksBeforePresenting: asking
        ) { [events] in events.append($0) }
    }

    package func add(
        _ identifier: String, title: String? = nil, trigger: NotificationTrigger? = nil,
        files: [OpenFile] = [], configure: (inout NotificationContent) -> Void = { _ in }
    ) async throws {
        var content = NotificationContent(title: title ?? identifier, body: "body")
        configure(&content)
        try await service.add(
            NotificationRequest(identifier: identifier, content: content, trigger: trigger),
            attachments: files, for: app)
    }

    /// The nth response, counted from 1.
    package func response(_ count: Int) async throws -> NotificationResponse {
        let all = try await events.wait(for: "response \(count)") {
            $0.compactMap(\.response).count >= count
        }
        return all.compactMap(\.response)[count - 1]
    }

    /// The nth question whether a notification may be shown, counted from 1.
    package func question(
        _ count: Int
    ) async throws -> (token: PresentationToken, notification: DeliveredNotification) {
        let all = try await events.wait(for: "question \(count)") {
            $0.compactMap(\.question).count >= count
        }
        return all.compactMap(\.question)[count - 1]
    }

    /// The nth pushed notification that the app may change, counted from 1.
    package func extending(
        _ count: Int
    ) async throws -> (token: ExtensionToken, request: NotificationRequest) {
        let all = try await events.wait(for: "extension \(count)") {
            $0.compactMap(\.extending).count >= count
        }
        return all.compactMap(\.extending)[count - 1]
    }

    /// Waits until the lists satisfy the condition; reads them again after each change.
    package func settled(
        _ isSettled: ([PendingNotification], [DeliveredNotification]) -> Bool
    ) async throws {
        try await service.waitForChange(until: "lists as expected") {
            let pending = try await service.pending(of: nil)
            let delivered = try await service.delivered(of: nil)
            return isSettled(pending, delivered) ? () : nil
        }
    }
}

extension ServiceEvent {
    fileprivate var response: NotificationResponse? {
        guard case .response(let response) = self else { return nil }
        return response
    }

    fileprivate var extending: (token: ExtensionToken, request: NotificationRequest)? {
        guard case .extend(let token, let request, _) = self else { return nil }
        return (token, request)
    }

    fileprivate var question: (token: PresentationToken, notification: DeliveredNotification)? {
        guard case .willPresent(let token, let notification) = self else { return nil }
        return (token, notification)
    }
}

extension Configuration {
    /// Returns this process's configuration with another environment.
    fileprivate static func current(in environment: [String: String]) -> Configuration {
        var configuration = current()
        configuration.environment = environment
        return configuration
    }
}
