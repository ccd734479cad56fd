import DesktopBus
import Foundation
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// Apps register sessions while the daemon, or its bus, is replaced.
@Suite(.timeLimit(.minutes(2))) struct RegistrationTests {
    /// The relay holds back the first data that contains a given text until it gets SIGUSR1.
    private static let relay = BusRelay.program(
        preparation: "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
        step: """
            if texts and texts[0].encode() in data:
                texts = []
                print("holding")
                signal.sigwait([signal.SIGUSR1])
            """)

    private static let request = NotificationRequest(
        identifier: "a", content: NotificationContent(title: "a"))

    private static let response = NotificationResponse(
        id: 1,
        notification: DeliveredNotification(
            app: .tocsin, request: request, date: Instant(microseconds: 7)),
        action: .standard, activationToken: nil)

    private static func connect(
        _ client: RemoteService, _ heard: Recording<Int64> = Recording()
    ) async throws {
        _ = try await client.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: false) {
            if case .response(let response) = $0 { heard.append(response.id) }
        }
    }

    /// If the client subscribed only on the old bus, the app would hear nothing.
    @Test(.enabled(if: BusRelay.canRun, "no python3"))
    func `an app that connects while its calls move to another bus hears its responses there`()
        async throws
    {
        let (home, away) = (try PrivateBus(), try PrivateBus())
        let connection = try await BusConnection.open(on: home, name: "home")
        // A call waits up to an hour for the service, so that a busy machine fails no test.
        let exporter = ServiceExporter(
            service: nil, connection: connection, openingLimit: .seconds(3_600)
        ) { _ in CallerRights(scope: .user) }
        let waiting = Recording<Int>()
        await exporter.onWaitingCall { waiting.append(1) }
        try await exporter.start()
        try await connection.requestName(CenterName.bus)
        let center = try await RemoteServiceTests.Center(
            on: away, rights: CallerRights(scope: .user))
        let path = home.directory + "/relay"
        let rule = "path='\(CenterName.path.rawValue)'"
        let relay = try RunningProgram(
            "/usr/bin/python3",
            ["-u", "-c", Self.relay, path, home.directory + "/run/bus", rule])
        try await relay.lines.first("the relay") { $0 == "listening" }
        let relayed = BusConnection(
            address: try BusAddress(socketPath: path), reactor: Reactor.started("client"),
            options: .init { $0.openTimeout = .seconds(60) })
        try await relayed.open()
        let client = RemoteService(connection: relayed, launcher: nil)
        // `waitUntilIdle` sends no pings. While the relay holds data, a ping would get no answer.
        let idle = Task { try await client.waitUntilIdle(.tocsin, includingPopups: false) }
        try await waiting.first(1)
        let heard = Recording<Int64>()
        let connecting = Task { try await Self.connect(client, heard) }
        try await relay.lines.first("the subscription") { $0 == "holding" }
        await exporter.awaitStore { away.address.rawValue }
        try await idle.value
        relay.signal(SIGUSR1)
        try await connecting.value
        await center.service.send(.response(Self.response))
        #expect(try await heard.first(1) == [1])
        await relayed.close()
    }

    /// A second registration would end the daemon's open questions to the session.
    @Test func `a session is registered once with the daemon of another bus`() async throws {
        let (home, away) = (try PrivateBus(), try PrivateBus())
        let rights = CallerRights(scope: .user)
        let former = try await RemoteServiceTests.Center(on: home, rights: rights)
        let next = try await RemoteServiceTests.Center(on: away, rights: rights)
        let client = try await former.client()
        try await Self.connect(client)
        await former.exporter.awaitStore { away.address.rawValue }
        _ = try await client.status()
        // The exporter performs this call after the earlier registrations of the client.
        _ = try await client.watch(nil) { _ in }
        #expect(next.service.inputs(of: Members.connect).count == 1)
    }

    /// A daemon that has lost its name still answers the calls that it has begun.
    ///
    /// The next daemon does not know the session that this answer confirms.
    @Test func `a session that a replaced daemon accepts is registered with the next daemon`()
        async throws
    {
        let bus = try PrivateBus()
        let rights = CallerRights(scope: .user)
        let former = try await RemoteServiceTests.Center(on: bus, rights: rights)
        let mayAnswer = Promise<Void>()
        await former.service.script(Members.connect) { _ in
            await mayAnswer.value()
            return .unknown
        }
        let client = try await former.client()
        _ = try await client.watch(nil) { _ in }
        let connecting = Task { try await Self.connect(client) }
        try await former.service.inputs(of: Members.connect) { !$0.isEmpty }
        try await former.connection.releaseName(CenterName.bus)
        let next = try await RemoteServiceTests.Center(on: bus, rights: rights)
        // The client registers its watch after its sessions.
        try await next.service.inputs(of: Members.watch) { !$0.isEmpty }
        #expect(next.service.inputs(of: Members.connect).isEmpty)
        mayAnswer.fulfill(())
        try await connecting.value
        try await next.service.inputs(of: Members.connect) { !$0.isEmpty }
    }

    private static func endDaemon(_ daemon: BusConnection, on bus: PrivateBus) async {
        let name = await daemon.uniqueName
        await daemon.close()
        await BusConnection.wait(until: CenterName.bus, leaves: name, on: bus)
    }

    /// Makes a daemon that ends acknowledgements only when `end` is fulfilled.
    private static func center(
        on bus: PrivateBus, acknowledgingAt end: Promise<Void>
    ) async throws -> RemoteServiceTests.Center {
        let center = try await RemoteServiceTests.Center(
            on: bus, rights: CallerRights(scope: .user))
        await center.service.script(Members.acknowledge) { _ in await end.value() }
        return center
    }

    /// Ends a daemon during an acknowledgement.
    private static func endAcknowledgingDaemon(_ center: RemoteServiceTests.Center) async throws {
        try await center.service.inputs(of: Members.acknowledge) { !$0.isEmpty }
        await endDaemon(center.connection, on: center.bus)
    }

    /// If each daemon crashed at a registration, registrations would start daemons without end.
    @Test func `a registration whose daemon dies starts no daemon, and the next daemon gets it`()
        async throws
    {
        let bus = try PrivateBus()
        let (path, log) = (bus.directory + "/tocsind", bus.directory + "/starts")
        try await ShellScript.write("echo started >>'\(log)'; exit 1", to: path)
        let rights = CallerRights(scope: .user)
        let former = try await RemoteServiceTests.Center(on: bus, rights: rights)
        // A busy machine may start the script late.
        let launcher = DaemonLauncher(
            executable: path, environment: bus.environment, timeout: .seconds(60))
        let client = try await RemoteService.open(
            connection: .open(on: bus, name: "client"), launcher: launcher)
        try await Self.connect(client)
        await client.useUpRestarts()
        await Self.endDaemon(former.connection, on: bus)
        let dying = try await BusConnection.open(on: bus, name: "center")
        let exporter = ServiceExporter(
            service: nil, connection: dying, openingLimit: .seconds(3_600)
        ) { _ in rights }
        let waiting = Recording<Int>()
        await exporter.onWaitingCall { waiting.append(1) }
        try await exporter.start()
        try await dying.requestName(CenterName.bus)
        try await waiting.first(1)
        await Self.endDaemon(dying, on: bus)
        // The client hears of the failed registration before the bus answers this call, which may
        // start a daemon.
        await #expect(throws: NotificationError.self) { try await client.status() }
        let next = try await RemoteServiceTests.Center(on: bus, rights: rights)
        try await next.service.inputs(of: Members.connect) { !$0.isEmpty }
        // The call started both: the launcher makes a second attempt if its daemon ends at once.
        let starts = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(starts.count == 2)
    }

    /// If each daemon crashed at the acknowledgement, it would start daemons without end.
    @Test func `a repeated acknowledgement whose daemon dies starts no daemon`() async throws {
        let bus = try PrivateBus()
        let (path, log) = (bus.directory + "/tocsind", bus.directory + "/starts")
        try await ShellScript.write("echo started >>'\(log)'; exit 1", to: path)
        // A busy machine may start the script late.
        let launcher = DaemonLauncher(
            executable: path, environment: bus.environment, timeout: .seconds(60))
        let end = Promise<Void>()
        let former = try await Self.center(on: bus, acknowledgingAt: end)
        let client = try await RemoteService.open(
            connection: .open(on: bus, name: "client"), launcher: launcher)
        let heard = Recording<Int64>()
        try await Self.connect(client, heard)
        await client.useUpRestarts()
        await former.service.send(.response(Self.response))
        try await heard.first(1)
        let acknowledging = Task { try await client.acknowledge(1, of: .tocsin) }
        try await Self.endAcknowledgingDaemon(former)
        await #expect(throws: NotificationError.self) { try await acknowledging.value }
        let next = try await Self.center(on: bus, acknowledgingAt: end)
        try await next.service.inputs(of: Members.connect) { !$0.isEmpty }
        await next.service.send(.response(Self.response))
        try await Self.endAcknowledgingDaemon(next)
        // The client hears of the failed acknowledgement before the bus answers this call, which
        // may start a daemon.
        await #expect(throws: NotificationError.self) { try await client.status() }
        end.fulfill(())
        // The app's own acknowledgement and the last call started two daemons each: the launcher
        // makes a second attempt if its daemon ends at once.
        let starts = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(starts.count == 4)
        #expect(heard.all == [1])
    }

    /// An app that only listens makes no call that would start a daemon later.
    @Test func `a client whose daemon could not be started tries again after a pause`()
        async throws
    {
        let bus = try PrivateBus()
        let path = bus.directory + "/tocsind"
        // If the daemon ends at once, the launcher runs it twice in one attempt.
        try await ShellScript.write(
            "cd '\(bus.directory)'; mkdir one || mkdir two || mkdir three; exit 1", to: path)
        let former = try await RemoteServiceTests.Center(
            on: bus, rights: CallerRights(scope: .user))
        // A busy machine may start the script late.
        let launcher = DaemonLauncher(
            executable: path, environment: bus.environment, timeout: .seconds(60))
        let client = try await RemoteService(
            connection: .open(on: bus, name: "client"), launcher: launcher,
            restartBackoff: Backoff(first: .milliseconds(1), longest: .seconds(3_600)))
        try await Self.connect(client)
        await Self.endDaemon(former.connection, on: bus)
        try await FileArrival.wait(for: bus.directory + "/three")
        // The next daemon gets the session.
        let next = try await RemoteServiceTests.Center(
            on: bus, rights: CallerRights(scope: .user))
        try await next.service.inputs(of: Members.connect) { !$0.isEmpty }
        withExtendedLifetime(client) {}
    }

    @Test func `a client restarts the daemon three times a minute, and no fourth time`() {
        var budget = RestartBudget(backoff: Backoff())
        let start = ContinuousClock.now
        let seconds = [0, 1, 2, 59, 61]
        let results = seconds.map { budget.takeRestart(at: start.advanced(by: .seconds($0))) }
        #expect(results == [true, true, true, false, true])
    }

    /// A daemon may accept the sessions each time and then die.
    ///
    /// If its arrival ended the growth of the pauses, each app would start such a daemon every
    /// minute without end.
    @Test func `the pauses between restarts grow until two hours pass without a failed restart`() {
        var budget = RestartBudget(
            backoff: Backoff(first: .seconds(60), longest: .seconds(3_600)))
        let start = ContinuousClock.now
        let minutes = [0, 2, 6, 14, 30, 62, 122, 242, 363]
        let pauses = minutes.map {
            budget.pause(at: start.advanced(by: .seconds($0 * 60)), fraction: 0)
        }
        let seconds = [60, 120, 240, 480, 960, 1_800, 1_800, 1_800, 60]
        #expect(pauses == seconds.map { Duration.seconds($0) })
    }
}

extension RemoteService {
    /// Uses up the restarts for the next hour, so that a slow test gets no further restart.
    fileprivate func useUpRestarts() {
        let later = ContinuousClock.now.advanced(by: .seconds(3_600))
        while restarts.takeRestart(at: later) {}
    }
}
