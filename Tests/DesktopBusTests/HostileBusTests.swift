import DesktopBus
import Foundation
import Reactor
import TestSupport
import Testing

/// A bus that authenticates correctly and then sends arbitrary data.
@Suite(.timeLimit(.minutes(2))) struct HostileBusTests {
    @Test(arguments: 0..<12)
    func `garbage after authentication is an error and no trap`(seed: Int) async throws {
        let error = try await errorOfOpening(with: "bytes(random.randbytes(4096))", seed)
        #expect(error?.code == .connectionFailed)
    }

    @Test(arguments: 0..<40)
    func `a damaged answer to Hello is an error or is accepted, and does not trap`(
        seed: Int
    ) async throws {
        let error = try await errorOfOpening(with: "damaged()", seed)
        #expect(
            error == nil || error?.code == .connectionFailed || error?.code == .unexpectedType
                || error?.code == .disconnected || error?.remoteName != nil)
    }

    @Test func `an answer of the wrong type to Hello is an error`() async throws {
        let error = try await errorOfOpening(with: "reply(b'u', struct.pack('<I', 7))", 0)
        #expect(error?.code == .unexpectedType)
    }

    @Test func `a correct answer to Hello opens the connection`() async throws {
        let error = try await errorOfOpening(with: "hello", 0)
        #expect(error == nil)
    }

    @Test func `a call before the answer to Hello fails if the opening fails`() async throws {
        let error = try await error(
            of: "after_the_call()", 0, .init { $0.connectsOnReactor = true }
        ) {
            try await EarlyCaller(reactor: $0.reactor).call(on: $0)
        }
        #expect(error?.code == .connectionFailed)
        #expect(error?.message.contains("before it answered Hello") == true)
    }

    /// A bus could name any user, so the connection asks the kernel.
    @Test(arguments: [nil, 65_533] as [UInt32?])
    func `the user of a bus is the user whose process listens`(user: UInt32?) async throws {
        if user != nil, geteuid() != 0 { try Test.cancel("only root starts a bus of another user") }
        let seen = Inbox<UInt32?>()
        let error = try await error(of: "hello", 0, as: user) {
            try await $0.open()
            seen.append(await $0.peerUserID)
        }
        #expect(error == nil)
        #expect(seen.values == [user ?? geteuid()])
    }

    private func errorOfOpening(with bytes: String, _ seed: Int) async throws -> BusError? {
        try await error(of: bytes, seed) { try await $0.open() }
    }

    private func error(
        of bytes: String, _ seed: Int, _ options: BusConnectionOptions = .init(),
        as user: UInt32? = nil, _ work: (BusConnection) async throws -> Void
    ) async throws -> BusError? {
        let directory = FileManager.default.temporaryDirectory.path
        let path = "\(directory)/hostile-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = ["/usr/bin/python3", "-u", "-c", Self.program, path, "\(seed)", bytes]
        let switching = user.map { ["--reuid=\($0)", "--clear-groups"] }
        let process =
            try switching.map { try ChildProcess("/usr/bin/setpriv", $0 + command) }
            ?? ChildProcess(command[0], Array(command.dropFirst()))
        #expect(!process.output.availableData.isEmpty)
        let reactor = Reactor.started("hostile")
        defer { reactor.stop() }
        var options = options
        options.openTimeout = .seconds(30)
        let connection = BusConnection(
            address: try BusAddress(socketPath: path), reactor: reactor, options: options)
        let error = await busError { try await work(connection) }
        await connection.close()
        return error
    }

    private static let program = """
        import random, socket, struct, sys
        path, seed, expression = sys.argv[1:]
        random.seed(int(seed))
        def align(data, size):
            return data + bytes(-len(data) % size)
        def field(code, kind, value):
            data = bytes([code, 1]) + kind + bytes(1)
            if kind == b"u":
                return data + struct.pack("<I", value)
            if kind == b"g":
                return data + bytes([len(value)]) + value + bytes(1)
            return data + struct.pack("<I", len(value)) + value + bytes(1)
        def reply(signature, body):
            fields = b""
            for one in (field(5, b"u", 1), field(7, b"s", b"org.freedesktop.DBus"),
                        field(8, b"g", signature)):
                fields = align(fields, 8) + one
            head = struct.pack("<BBBBII", ord("l"), 2, 1, 1, len(body), 1)
            return align(head + struct.pack("<I", len(fields)) + fields, 8) + body
        hello = reply(b"s", struct.pack("<I", 4) + b":1.1" + bytes(1))
        def damaged():
            data = bytearray(hello)
            for _ in range(random.randint(1, 3)):
                data[random.randrange(16, len(data))] = random.randrange(256)
            return bytes(data)
        def after_the_call():
            received = data
            while b"GetId" not in received:
                received += peer.recv(4096)
            return random.randbytes(4096)
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen()
        print("listening")
        peer, _ = server.accept()
        data = b""
        while b"BEGIN\\r\\n" not in data:
            data = peer.recv(4096)
            if not data:
                sys.exit()
            if b"AUTH" in data:
                peer.sendall(b"OK 0123456789abcdef0123456789abcdef\\r\\n")
            elif b"NEGOTIATE" in data:
                peer.sendall(b"AGREE_UNIX_FD\\r\\n")
        try:
            peer.sendall(eval(expression))
            peer.shutdown(socket.SHUT_WR)
            while peer.recv(4096):
                pass
        except OSError:
            pass
        """

    /// Runs on the connection's thread, as the tool does, and calls before the connection can be
    /// lost.
    private actor EarlyCaller {
        nonisolated let reactor: Reactor
        nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

        init(reactor: Reactor) {
            self.reactor = reactor
        }

        func call(on connection: BusConnection) async throws {
            try await connection.openAhead()
            _ = try await connection.call(.toBus("GetId"))
        }
    }
}
