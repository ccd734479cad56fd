import Foundation
import NotificationModel
import NotificationRuntime
import NotificationStore
import Reactor
import TestSupport
import Testing

/// A daemon that has opened its store, and then cannot serve.
@Suite(.timeLimit(.minutes(2))) struct DaemonFailureTests {
    /// A transport that cannot read its registrations.
    private struct FailingTransport: PushTransport {
        static let failure = NotificationError(.storeUnavailable, "The registrations are lost.")

        /// The engines that the daemon passed to `start`.
        let engines = Recording<any PushCenter>()

        func prepare() async throws(NotificationError) {}

        func start(_ center: any PushCenter) async throws(NotificationError) {
            engines.append(center)
            throw Self.failure
        }

        func register(
            _ app: ApplicationID, name: String, serverKey: String?
        ) async throws(NotificationError) -> [UInt8] { throw Self.failure }

        func unregister(_ app: ApplicationID) async throws(NotificationError) {}
        func chooseDistributor(_ name: String?) async throws(NotificationError) {}
        func registrationsMoved() async {}
        func status() async -> PushStatus { PushStatus() }
    }

    /// A running engine would show popups, and lose the clicks on them when the process ends.
    @Test func `a daemon whose push transport cannot start stops its engine`() async throws {
        let bus = try PrivateBus()
        let configuration = Configuration(
            environment: bus.environment, executable: "/usr/bin/test", directory: "/",
            userID: geteuid(), machineID: "test")
        let transport = FailingTransport()
        let daemon = Daemon(configuration: configuration, isDevelopment: true) { _ in transport }
        let reactor = Reactor.started("daemon")
        let error = await #expect(throws: NotificationError.self) {
            try await daemon.run(on: reactor, until: StopSignal())
        }
        #expect(error == FailingTransport.failure)
        let changes = Recording<NotificationError?>()
        StoreLockWatch(configuration.developmentLayout).onRelease { changes.append($0) }
        #expect(try await changes.first(1) == [nil], "the store has no lock, so no engine runs")
        // The transport still retains the engine, so only a stop can have closed the store.
        #expect(transport.engines.all.count == 1)
        reactor.stop()
        withExtendedLifetime(bus) {}
    }
}
