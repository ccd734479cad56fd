import CenterInterface
import DesktopBus
import Foundation
import NotificationModel
import Reactor
import TestSupport
import Testing

/// The client on a bus without a daemon.
@Suite(.timeLimit(.minutes(2))) struct LaunchingTests {
    private static func script(_ text: String, in bus: PrivateBus) async throws -> String {
        let path = bus.directory + "/tocsind"
        try await ShellScript.write(text, to: path)
        return path
    }

    private static func open(
        _ bus: PrivateBus, _ launcher: DaemonLauncher?
    ) async throws -> RemoteService {
        try await RemoteService.open(
            connection: .open(on: bus, name: "client"), launcher: launcher)
    }

    @Test func `without a launcher the error says what to install`() async throws {
        let bus = try PrivateBus()
        let error = await #expect(throws: NotificationError.self) { try await Self.open(bus, nil) }
        #expect(error?.code == .noDaemon)
        #expect(error?.message.contains("Install Tocsin") == true)
    }

    @Test func `the error of a launcher whose daemon is missing names the daemon's path`()
        async throws
    {
        let bus = try PrivateBus()
        let launcher = DaemonLauncher(
            executable: bus.directory + "/none", environment: bus.environment)
        let error = await #expect(throws: NotificationError.self) {
            try await Self.open(bus, launcher)
        }
        #expect(error?.code == .noDaemon)
        #expect(error?.message.contains(bus.directory + "/none") == true)
    }

    @Test func `the error about a daemon that ends at once quotes its error output`() async throws {
        let bus = try PrivateBus()
        let launcher = DaemonLauncher(
            executable: try await Self.script(
                "echo 'tocsind: the store is broken' >&2; exit 1", in: bus),
            environment: bus.environment, log: bus.directory + "/deep/er/log")
        let error = await #expect(throws: NotificationError.self) {
            try await Self.open(bus, launcher)
        }
        #expect(error?.code == .noDaemon)
        #expect(error?.message.contains("the store is broken") == true)
    }

    @Test func `a daemon file that is no program is reported`() async throws {
        let bus = try PrivateBus()
        let path = bus.directory + "/tocsind"
        try Data("\u{7F}not a program".utf8).write(to: URL(filePath: path + ".text"))
        try await RunningProgram.run("install", ["-m", "755", path + ".text", path])
        let launcher = DaemonLauncher(executable: path, environment: bus.environment)
        let error = await #expect(throws: NotificationError.self) {
            try await Self.open(bus, launcher)
        }
        #expect(error?.message.contains("Exec format error") == true)
    }

    @Test func `the client stops waiting for a daemon that never takes its name`() async throws {
        let bus = try PrivateBus()
        let pipe = bus.directory + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let launcher = DaemonLauncher(
            executable: try await Self.script("read line < '\(pipe)'", in: bus),
            environment: bus.environment, timeout: .milliseconds(50))
        let error = await #expect(throws: NotificationError.self) {
            try await Self.open(bus, launcher)
        }
        #expect(error?.message.contains("is not on the bus after 0.05 seconds") == true)
        // Opening the pipe to write ends the wait of the script.
        try FileHandle(forWritingTo: URL(filePath: pipe)).close()
    }

    private static let failingService =
        "[D-BUS Service]\nName=\(CenterName.bus)\nExec=/bin/false\n"

    /// Checks that the bus, and not the launcher, starts the daemon of `failingService`.
    private static func checkThatBusStarts(
        on bus: PrivateBus, over connection: BusConnection
    ) async throws {
        let launcher = DaemonLauncher(
            executable: try await Self.script("touch '\(bus.directory)/started'", in: bus),
            environment: bus.environment)
        let error = await #expect(throws: NotificationError.self) {
            try await RemoteService.open(connection: connection, launcher: launcher)
        }
        #expect(error?.message.contains("The bus could not start the notification centre") == true)
        #expect(!FileManager.default.fileExists(atPath: bus.directory + "/started"))
    }

    @Test func `a daemon that the bus can start is not started by the launcher`() async throws {
        let bus = try PrivateBus(services: ["\(CenterName.bus).service": Self.failingService])
        try await Self.checkThatBusStarts(on: bus, over: .open(on: bus, name: "client"))
    }

    /// An installation may make the folder of the service file, and dbus-daemon watches only the
    /// folders that were there at its start.
    @Test func `the bus starts a daemon whose service folder is younger than the bus`()
        async throws
    {
        let bus = try PrivateBus()
        let folder = bus.directory + "/services"
        try FileManager.default.removeItem(atPath: folder)
        try bus.restart()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try Self.failingService.write(
            toFile: "\(folder)/\(CenterName.bus).service", atomically: true, encoding: .utf8)
        try await Self.checkThatBusStarts(on: bus, over: .open(on: bus, name: "client"))
    }

    /// dbus-broker sends another error than dbus-daemon if an installed daemon does not start, for
    /// example because the user has masked its unit.
    @Test(.enabled(if: BusRelay.canRun, "no python3"))
    func `a daemon that dbus-broker could not start is not started by the launcher`() async throws {
        let bus = try PrivateBus()
        let path = bus.directory + "/relay"
        // Both names have the same length, so the message stays valid.
        let broker = BusRelay.program(answer: "data.replace(b'ServiceUnknown', b'NameHasNoOwner')")
        let relay = try RunningProgram(
            "/usr/bin/python3", ["-u", "-c", broker, path, bus.directory + "/run/bus"])
        try await relay.lines.first("the relay") { $0 == "listening" }
        let connection = BusConnection(
            address: try BusAddress(socketPath: path), reactor: Reactor.started("client"),
            options: .init { $0.openTimeout = .seconds(60) })
        try await connection.open()
        try await Self.checkThatBusStarts(on: bus, over: connection)
        await connection.close()
    }

    /// The user may have masked the daemon's unit; then systemd, not the bus, sends the error.
    @Test(
        arguments: [
            "org.freedesktop.DBus.Error.Spawn.ChildExited", "org.freedesktop.systemd1.UnitMasked",
            "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.systemd1.ShuttingDown",
        ] as [ErrorName])
    func `the error of a call whose daemon cannot be started says that there is no daemon`(
        name: ErrorName
    ) {
        let error = NotificationError(BusError.remote(name, "It was not started."))
        #expect(error.code == .noDaemon)
        #expect(error.message == "It was not started.")
    }

    @Test func `a started daemon is detached and knows its bus`() async throws {
        let bus = try PrivateBus()
        let report = bus.directory + "/report"
        let launcher = DaemonLauncher(
            executable: try await Self.script(
                """
                echo "$1 $DBUS_SESSION_BUS_ADDRESS $(ps -o sid= -p $$ | tr -d ' ') $PPID" \
                > '\(report)'
                """, in: bus), environment: bus.environment)
        await #expect(throws: NotificationError.self) { try await Self.open(bus, launcher) }
        let words = try String(contentsOfFile: report, encoding: .utf8)
            .split { $0.isWhitespace }.map(String.init)
        try #require(words.count == 4)
        #expect(words[0] == "--dev")
        #expect(words[1] == bus.address.rawValue)
        #expect(words[2] != "\(getsid(0))", "the daemon must have its own session")
        #expect(words[3] != "\(getpid())", "the daemon must be no child of this process")
    }
}
