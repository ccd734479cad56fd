import DesktopBus
import Glibc
import NotificationModel
import NotificationRuntime
import Reactor
import TestSupport
import Testing

/// The signals of logind and timedated, on a private bus in place of the system bus.
@Suite(.timeLimit(.minutes(2))) final class SystemEventsTests {
    private let reactor = Reactor.started("events")
    private let events = Recording<ClockEvent>()

    deinit {
        reactor.stop()
    }

    private func listener(_ environment: [String: String]) async -> SystemEvents {
        let system = SystemBus(environment: environment, reactor: reactor)
        let listener = SystemEvents(on: system) { [events] in events.append($0) }
        await listener.start()
        return listener
    }

    private func service(_ name: BusName, on bus: PrivateBus) async throws -> BusConnection {
        let connection = try await BusConnection.open(on: bus, name: "service")
        try await connection.requestName(name) {}
        return connection
    }

    private func prepareForSleep(_ begins: Bool, _ service: BusConnection) async throws {
        try await service.emit(
            path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
            member: "PrepareForSleep", arguments: [.bool(begins)])
    }

    private func change(
        _ values: [(String, BusValue)], _ invalidated: [String] = [], _ service: BusConnection
    ) async throws {
        try await service.emitPropertiesChanged(
            path: "/org/freedesktop/timedate1", interface: "org.freedesktop.timedate1",
            changed: values, invalidated: invalidated)
    }

    @Test
    func `the end of a sleep and a new zone are reported, and a sleep's start is not`() async throws
    {
        let bus = try PrivateBus()
        let logind = try await service("org.freedesktop.login1", on: bus)
        let timedated = try await service("org.freedesktop.timedate1", on: bus)
        let listener = await listener(["DBUS_SYSTEM_BUS_ADDRESS": bus.address.rawValue])
        try await prepareForSleep(true, logind)
        try await prepareForSleep(false, logind)
        #expect(try await events.first(1) == [.resumed])
        try await change([("NTP", .bool(true))], [], timedated)
        try await change([("Timezone", .string("Europe/Paris"))], [], timedated)
        #expect(try await events.first(2) == [.resumed, .timeZoneChanged])
        try await change([], ["Timezone"], timedated)
        try await events.first(3)
        // Another program cannot signal in the names of logind and timedated.
        let stranger = try await BusConnection.open(on: bus, name: "stranger")
        try await prepareForSleep(false, stranger)
        await stranger.flush()
        try await prepareForSleep(false, logind)
        try await events.first(4)
        #expect(events.all == [.resumed, .timeZoneChanged, .timeZoneChanged, .resumed])
        await listener.stop()
    }

    /// The system bus can be slow at the login.
    ///
    /// A daemon that gave up would get no sleep events until its next start.
    @Test func `a system bus that answers late is used`() async throws {
        let bus = try PrivateBus()
        let logind = try await service("org.freedesktop.login1", on: bus)
        let process = try #require(bus.processIdentifier)
        #expect(kill(process, SIGSTOP) == 0)
        let system = SystemBus(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address.rawValue], reactor: reactor)
        // A connection with the default timeout gives up, twice.
        let other = BusConnection(address: bus.address, reactor: reactor)
        for _ in 0..<2 {
            await #expect(throws: BusError.self) { try await other.open() }
        }
        #expect(kill(process, SIGCONT) == 0)
        let listener = SystemEvents(on: system) { [events] in events.append($0) }
        await listener.start()
        try await prepareForSleep(false, logind)
        #expect(try await events.first(1) == [.resumed])
        await listener.stop()
        await system.close()
    }

    @Test
    func `without a system bus the listener starts and reports nothing`() async {
        for address in ["unix:path=/nowhere/bus", "autolaunch:"] {
            let listener = await listener(["DBUS_SYSTEM_BUS_ADDRESS": address])
            await listener.stop()
        }
        #expect(events.all.isEmpty)
    }

    @Test
    func `the system bus is at the environment's address, or at the standard socket`() throws {
        let named = try BusAddress.system(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/here"])
        #expect(named.rawValue == "unix:path=/here")
        let socket = "/run/dbus/system_bus_socket"
        let standard = try? BusAddress.system(environment: [:])
        // On most systems, /var/run is a link to /run.
        let hasSocket = access(socket, F_OK) == 0 || access("/var" + socket, F_OK) == 0
        #expect((standard != nil) == hasSocket)
        #expect(standard?.rawValue.hasSuffix(socket) != false)
    }
}
