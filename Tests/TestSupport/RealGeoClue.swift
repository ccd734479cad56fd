internal import DesktopBus
internal import Foundation
internal import Reactor

/// The machine's own GeoClue on a private bus, with a receiver that a test moves.
///
/// It runs in a mount namespace of its own. Its configuration has only one source: sentences of
/// NMEA 0183 from a socket. GeoClue answers only if it has an agent, so this actor registers one.
package actor RealGeoClue {
    /// The reason why GeoClue cannot run here; nil if it can run.
    package static var obstacle: String? {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            return "GeoClue is not installed (geoclue-2.0)"
        }
        guard RunningProgram.path(of: "python3") != nil else { return "python3 is not installed" }
        return Jail.isPossible ? nil : "only root may give GeoClue a configuration of its own"
    }

    private static let program = "/usr/libexec/geoclue"
    private static let name: BusName = "org.freedesktop.GeoClue2"
    private static let client: InterfaceName = "org.freedesktop.GeoClue2.Client"

    private let agent: BusConnection
    private let receiver: RunningProgram
    private let daemon: RunningProgram
    private let sentences: String
    /// One entry for each place that GeoClue has reported to its client.
    private let moves = Recording<Void>()
    private var updates: BusSubscription?

    /// Starts GeoClue with an agent; GeoClue connects to the receiver once a client is started.
    package static func start(on bus: PrivateBus) async throws -> RealGeoClue {
        let socket = bus.directory + "/nmea"
        let sentences = bus.directory + "/sentences"
        let configuration = bus.directory + "/geoclue.conf"
        try """
        [agent]
        whitelist=geoclue-demo-agent
        [network-nmea]
        enable=true
        nmea-socket=\(socket)
        [3g]
        enable=false
        [cdma]
        enable=false
        [modem-gps]
        enable=false
        [wifi]
        enable=false
        [compass]
        enable=false

        """.write(toFile: configuration, atomically: true, encoding: .utf8)
        guard mkfifo(sentences, 0o600) == 0 else { throw HarnessError("no pipe") }
        let receiver = try RunningProgram("python3", ["-uc", script, socket, sentences])
        try await receiver.lines.wait(for: "the receiver") { $0.contains("listening") }
        let agent = try await BusConnection.open(on: bus, name: "agent")
        let owners = Recording<BusName?>()
        let watch = try await agent.watchOwner(of: name) { owners.append($0) }
        let daemon = try RunningProgram(
            "unshare",
            [
                "-m", "sh", "-ec", "mount --bind \"$1\" /etc/geoclue/geoclue.conf; exec \"$2\"",
                "sh", configuration, program,
            ],
            environment: bus.environment.merging([
                "DBUS_SYSTEM_BUS_ADDRESS": bus.address.rawValue
            ]) { $1 })
        try await owners.wait(for: "GeoClue") { $0.last.flatMap(\.self) != nil }
        watch.cancel()
        let table = InterfaceTable(
            name: "org.freedesktop.GeoClue2.Agent",
            methods: [
                MethodEntry(
                    "AuthorizeApp", in: [ArgumentEntry("id", "s"), ArgumentEntry("level", "u")],
                    out: [ArgumentEntry("authorized", "b"), ArgumentEntry("allowed", "u")]
                ) { [.bool(true), $0.arguments[1]] }
            ], properties: [PropertyEntry("MaxAccuracyLevel", "u") { .uint32(8) }])
        try await agent.export(
            ExportedObject(interfaces: [table]), at: "/org/freedesktop/GeoClue2/Agent")
        _ = try await agent.call(
            MethodCall(
                destination: name,
                path: "/org/freedesktop/GeoClue2/Manager",
                interface: "org.freedesktop.GeoClue2.Manager", member: "AddAgent",
                arguments: [.string("geoclue-demo-agent")]))
        return RealGeoClue(agent, receiver, daemon, sentences)
    }

    private init(
        _ agent: BusConnection, _ receiver: RunningProgram, _ daemon: RunningProgram,
        _ sentences: String
    ) {
        self.agent = agent
        self.receiver = receiver
        self.daemon = daemon
        self.sentences = sentences
    }

    /// Waits until GeoClue reads the receiver, and then records the places that GeoClue reports.
    ///
    /// GeoClue reads the receiver only while a client is started.
    package func connected() async throws {
        try await receiver.lines.wait(for: "GeoClue at the receiver") { $0.contains("connected") }
        let reply = try await agent.call(
            MethodCall(
                destination: Self.name, path: "/org/freedesktop/GeoClue2/Manager",
                interface: "org.freedesktop.GeoClue2.Manager", member: "GetClient"))
        guard let path = reply.arguments.first?.objectPathValue else {
            throw HarnessError("GeoClue gave no client")
        }
        let rule = MatchRule(path: path, interface: Self.client, member: "LocationUpdated")
        updates = try await agent.subscribe(rule) { [moves] _ in moves.append(()) }
        for (property, value) in [
            ("DesktopId", BusValue.string("org.example.Test")),
            ("RequestedAccuracyLevel", .uint32(8)),
        ] {
            _ = try await agent.call(
                MethodCall(
                    destination: Self.name, path: path,
                    interface: "org.freedesktop.DBus.Properties", member: "Set",
                    arguments: [
                        .string(Self.client.rawValue), .string(property), .variant(value),
                    ]))
        }
        _ = try await agent.call(
            MethodCall(
                destination: Self.name, path: path, interface: Self.client, member: "Start"))
    }

    /// Sends a fix (a position) that the receiver took `age` seconds ago.
    ///
    /// The call returns when GeoClue has reported the fix. If GeoClue reads several sentences at
    /// once, it reports only the last sentence.
    package func move(to latitude: Double, _ longitude: Double, age: Double) async throws {
        let count = moves.all.count
        let time = Date().addingTimeInterval(-age).formatted(
            .iso8601.time(includingFractionalSeconds: false).timeSeparator(.omitted))
        let fields = [
            "GPGGA", time.filter(\.isNumber), Self.angle(latitude, digits: 2),
            latitude < 0 ? "S" : "N", Self.angle(longitude, digits: 3), longitude < 0 ? "W" : "E",
            "1", "08", "0.9", "30.0", "M", "40.0", "M", "", "",
        ]
        let body = fields.joined(separator: ",")
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        let checksum = String(repeating: "0", count: 2 - sum.count) + sum
        guard let pipe = FileHandle(forWritingAtPath: sentences) else {
            throw HarnessError("the receiver has ended: \(receiver.said)")
        }
        try pipe.write(contentsOf: Data("$\(body)*\(checksum)\r\n".utf8))
        try pipe.close()
        try await moves.first(count + 1)
    }

    /// Ends GeoClue, the receiver and the agent.
    package func stop() async {
        await daemon.stop()
        await receiver.stop()
        await agent.close()
    }

    /// Degrees and minutes, as NMEA writes them: 5230.0000.
    private static func angle(_ degrees: Double, digits: Int) -> String {
        let whole = Int(abs(degrees))
        let minutes = (abs(degrees) - Double(whole)) * 60
        let text = String(whole)
        return String(repeating: "0", count: digits - text.count) + text
            + String(format: "%07.4f", minutes)
    }

    /// The receiver: it waits for GeoClue, and sends GeoClue the bytes from a pipe.
    private static let script = """
        import socket, sys
        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1])
        server.listen()
        print("listening")
        client = server.accept()[0]
        print("connected")
        with open(sys.argv[2], "r+b", buffering=0) as pipe:
            while True:
                client.sendall(pipe.read(4096))
        """
}
