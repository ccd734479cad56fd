import DesktopBus
import Glibc
import Reactor
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct LimitTests {
    /// Returns the error of a call with this value, and checks that the connection still works.
    private func error(sending value: BusValue) async throws -> BusError? {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        try await connection.export(TestObject().exported, at: TestObject.path)
        let name = try #require(await connection.uniqueName)
        let error = await busError {
            _ = try await connection.call(.toPeer(name, "Echo", [.variant(value)]))
        }
        let reply = try await connection.call(.toPeer(name, "Add", [.int32(1), .int32(1)]))
        #expect(reply.arguments == [.int32(2)])
        return error
    }

    private func nested(_ depth: Int, _ wrap: (BusValue) -> BusValue) -> BusValue {
        (0..<depth).reduce(.byte(1)) { value, _ in wrap(value) }
    }

    @Test func `a string with NUL is refused`() async throws {
        #expect(try await error(sending: .string("a\0b"))?.code == .invalidValue)
        #expect(try await error(sending: .vardict([("a\0", .byte(1))]))?.code == .invalidValue)
    }

    @Test func `a container with mixed, missing or forbidden types is refused`() async throws {
        let mixed = BusValue.array(element: "s", [.string("a"), .int32(1)])
        #expect(try await error(sending: mixed)?.code == .invalidValue)
        let entries = BusValue.dictionary(
            key: "s", value: "i", [.init(.string("a"), .string("b"))])
        #expect(try await error(sending: entries)?.code == .invalidValue)
        let key = BusValue.dictionary(key: "v", value: "i", [])
        #expect(try await error(sending: key)?.code == .invalidValue)
        #expect(try await error(sending: .array(element: "", []))?.code == .invalidValue)
        #expect(try await error(sending: .structure([]))?.code == .invalidValue)
    }

    @Test func `a value beyond the depth limit is refused, and a value at the limit is sent`()
        async throws
    {
        let structures = { (depth: Int) in self.nested(depth) { .structure([$0]) } }
        #expect(try await error(sending: structures(32)) == nil)
        #expect(try await error(sending: structures(33))?.code == .tooLarge)
        let arrays = { (depth: Int) in
            self.nested(depth) { .array(element: $0.signature, [$0]) }
        }
        #expect(try await error(sending: arrays(33))?.code == .tooLarge)
        // The argument's own variant is the 64th level.
        let variants = { (depth: Int) in self.nested(depth) { .variant($0) } }
        #expect(try await error(sending: variants(63)) == nil)
        #expect(try await error(sending: variants(64))?.code == .tooLarge)
        #expect(try await error(sending: variants(10_000))?.code == .tooLarge)
    }

    @Test func `a call larger than its reader's limit is refused, and the next call is answered`()
        async throws
    {
        let bus = try PrivateBus()
        let connection = try await connect(
            bus, BusConnectionOptions { $0.maximumCallSize = 10_000 })
        try await connection.export(TestObject().exported, at: TestObject.path)
        let name = try #require(await connection.uniqueName)
        let caller = try await connect(bus)
        let large: [BusValue] = [
            .string(String(repeating: "x", count: 10_001)),
            .bytes([UInt8](repeating: 1, count: 10_001)),
            .array(element: "y", Array(repeating: .byte(1), count: 10_001)),
            // The quota counts small values by their size in memory.
            .array(element: "v", Array(repeating: .variant(.bool(true)), count: 700)),
            .array(element: "v", Array(repeating: .variant(.variant(.bool(true))), count: 400)),
            .vardict((0..<700).map { ("\($0)", .byte(1)) }),
        ]
        for value in large {
            let error = await busError {
                _ = try await caller.call(.toPeer(name, "Echo", [.variant(value)]))
            }
            #expect(error?.code == .limitsExceeded)
        }
        let fitting: [BusValue] = [
            .string(String(repeating: "x", count: 9_000)),
            // The variant around a value costs nothing.
            .array(element: "v", Array(repeating: .variant(.int64(1)), count: 600)),
        ]
        for value in fitting {
            let reply = try await caller.call(.toPeer(name, "Echo", [.variant(value)]))
            #expect(reply.arguments == [.variant(value)])
        }
    }

    @Test
    func `an answer larger than its reader's limit is an error, and such a signal is dropped`()
        async throws
    {
        let bus = try PrivateBus()
        let peer = try await connect(bus)
        try await peer.export(TestObject().exported, at: TestObject.path)
        let name = try #require(await peer.uniqueName)
        let reader = try await connect(
            bus, BusConnectionOptions { $0.maximumReceivedSize = 10_000 })
        let signals = Inbox<BusValue>()
        let subscription = try await reader.subscribe(MatchRule(member: "Said")) {
            signals.append($0.arguments[0])
        }
        let (large, fitting) = (700, 500)
        func list(_ count: Int) -> BusValue {
            .array(element: "v", Array(repeating: .variant(.bool(true)), count: count))
        }
        let error = await busError {
            _ = try await reader.call(.toPeer(name, "Echo", [.variant(list(large))]))
        }
        #expect(error?.code == .unexpectedType)
        let reply = try await reader.call(.toPeer(name, "Echo", [.variant(list(fitting))]))
        #expect(reply.arguments == [.variant(list(fitting))])
        for count in [large, fitting] {
            try await peer.emit(
                path: "/a", interface: "test.Interface", member: "Said", arguments: [list(count)])
        }
        #expect(await signals.wait(for: 1) == [list(fitting)])
        subscription.cancel()
    }

    @Test func `an array beyond 64 MiB is refused`() async throws {
        let bytes = BusValue.bytes([UInt8](repeating: 7, count: 64 << 20 + 1))
        #expect(try await error(sending: bytes)?.code == .tooLarge)
    }

    @Test func `a message beyond 128 MiB is refused`() async throws {
        let block = BusValue.bytes([UInt8](repeating: 7, count: 60 << 20))
        #expect(try await error(sending: .structure([block, block, block]))?.code == .tooLarge)
    }

    @Test func `a signature beyond 255 bytes is refused`() async throws {
        let wide = BusValue.structure([BusValue](repeating: .byte(1), count: 254))
        #expect(try await error(sending: wide)?.code == .invalidValue)
        let fitting = BusValue.structure([BusValue](repeating: .byte(1), count: 253))
        #expect(try await error(sending: fitting) == nil)
    }

    @Test func `the path that libdbus reserves is refused`() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let error = await busError {
            try await connection.emit(
                path: "/org/freedesktop/DBus/Local", interface: "test.Interface", member: "X")
        }
        #expect(error?.code == .invalidValue)
        _ = try await connection.call(.toBus("GetId"))
    }

    @Test func `more descriptors than the bus takes are refused`() async throws {
        let descriptor = try BusDescriptor(duplicating: 0)
        let many = { (count: Int) in
            BusValue.array(
                element: "h", [BusValue](repeating: .descriptor(descriptor), count: count))
        }
        #expect(try await error(sending: many(16)) == nil)
        #expect(try await error(sending: many(17))?.code == .tooLarge)
    }

    @Test func `a descriptor reaches the peer and comes back`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        try await server.export(TestObject().exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (
            BusDescriptor(adopting: ends[0]), BusDescriptor(adopting: ends[1])
        )
        let call = MethodCall.toPeer(name, "Echo", [.variant(.descriptor(writing))])
        let returned = try #require(try await client.call(call).arguments[0].descriptorValue)
        #expect(returned != writing)
        returned.withDescriptor { _ = write($0, "x", 1) }
        var byte: UInt8 = 0
        let count = reading.withDescriptor { read($0, &byte, 1) }
        #expect(count == 1)
        #expect(byte == UInt8(ascii: "x"))
    }

    /// Without a limit, one call can use up all descriptors of the daemon.
    ///
    /// The daemon then loses its connection at the next message that brings a descriptor.
    @Test(
        .enabled(if: RunningProgram.path(of: "python3") != nil, "python3 is not installed"),
        arguments: [
            (100, "test.Error.Taken"), (254, "org.freedesktop.DBus.Error.LimitsExceeded"),
        ])
    func `a call that names more descriptors than a message can bring is refused`(
        count: Int, answer: String
    ) async throws {
        let bus = try PrivateBus()
        let server = try await connect(bus)
        let table = InterfaceTable(
            name: "test.Interface",
            methods: [
                MethodEntry("Take", in: [ArgumentEntry("files", "ah")]) { _ in
                    throw BusError.remote("test.Error.Taken", "taken")
                }
            ])
        try await server.export(ExportedObject(interfaces: [table]), at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let output = try await RunningProgram.run(
            "python3",
            ["-c", Self.namesOneDescriptor, "\(bus.directory)/run/bus", name.rawValue, "\(count)"])
        #expect(output == answer)
    }

    /// Builds the bytes of a message whose handles all name one descriptor.
    ///
    /// D-Bus libraries attach a copy of the descriptor for each handle.
    private static let namesOneDescriptor = #"""
        import array, os, re, socket, struct, sys
        path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
        bus = socket.socket(socket.AF_UNIX)
        bus.connect(path)
        def say(line):
            bus.sendall(line.encode() + b"\r\n")
            bus.recv(256)
        def padded(data):
            return data + b"\0" * (-len(data) % 8)
        def field(code, kind, value):
            head = bytes([code, 1]) + kind + b"\0"
            if kind == b"u":
                return head + struct.pack("<I", value)
            size = struct.pack("<B" if kind == b"g" else "<I", len(value))
            return head + size + value.encode() + b"\0"
        def call(serial, fields, body, files):
            header = b"".join(map(padded, fields[:-1])) + fields[-1]
            start = b"l\1\0\1" + struct.pack("<III", len(body), serial, len(header))
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
            bus.sendmsg([padded(start + header) + body], rights if files else [])
        say("\0AUTH EXTERNAL " + str(os.getuid()).encode().hex())
        say("NEGOTIATE_UNIX_FD")
        bus.sendall(b"BEGIN\r\n")
        call(1, [field(1, b"o", "/org/freedesktop/DBus"), field(6, b"s", "org.freedesktop.DBus"),
                 field(2, b"s", "org.freedesktop.DBus"), field(3, b"s", "Hello")], b"", [])
        # The bus takes no descriptor before it has answered Hello.
        bus.recv(4096)
        call(2, [field(1, b"o", "/test/Object"), field(6, b"s", name),
                 field(2, b"s", "test.Interface"), field(3, b"s", "Take"),
                 field(8, b"g", "ah"), field(9, b"u", 1)],
             struct.pack("<I", 4 * count) + bytes(4 * count), [os.open("/dev/null", os.O_RDONLY)])
        data = b""
        while not re.search(rb"[\w.]+\.Error\.\w+\0", data):
            chunk = bus.recv(4096)
            if not chunk:
                sys.exit("the bus closed the connection")
            data += chunk
        print(re.search(rb"([\w.]+\.Error\.\w+)\0", data).group(1).decode())
        """#

    @Test func `a stopped bus fills the queue to its limit, and no call is lost or reordered`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await connect(bus)
        let client = try await connect(bus, .init { $0.maximumQueuedBytes = 2 << 20 })
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let process = try #require(bus.processIdentifier)
        kill(process, SIGSTOP)
        var accepted: UInt32 = 0
        var refusal: BusError?
        while refusal == nil, accepted < 1_000_000 {
            do {
                try await client.send(.toPeer(name, "Count", [.uint32(accepted)]))
                accepted += 1
            } catch {
                refusal = error
            }
        }
        #expect(refusal?.code == .limitsExceeded)
        #expect(refusal?.remoteName == nil)
        kill(process, SIGCONT)
        await client.flush()
        try await client.send(.toPeer(name, "Count", [.uint32(accepted)]))
        let received = await object.received.wait(for: Int(accepted) + 1)
        #expect(received == Array(0...accepted))
    }

    /// A text that is longer than a socket's buffer.
    private static let longText = String(repeating: "x", count: 400_000)

    /// Opens a connection, and returns both ends.
    private static func open(on bus: RawBus) async throws -> (client: BusConnection, end: Int32) {
        let client = BusConnection(
            address: bus.address, reactor: Reactor.started(),
            options: .init { $0.openTimeout = .seconds(60) })
        let opening = Task.immediate { try await client.open() }
        let end = try #require(await bus.acceptAndGreet())
        try await opening.value
        return (client, end)
    }

    /// The caller of `flush()` must not wait until the bus sends a message.
    @Test func `a flush ends if a later send writes the rest of the queue`() async throws {
        let bus = try RawBus(backlog: 0)
        let (client, end) = try await Self.open(on: bus)
        defer { close(end) }
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        try await client.emit(
            path: "/a", interface: "test.Interface", member: "Happened",
            arguments: [.string(Self.longText)])
        let flushed = Inbox<Int>()
        Task.immediate {
            await client.flush()
            flushed.append(1)
        }
        let errors = Inbox<BusError>()
        // The reactor polls the socket only after this closure, so the sends write the whole queue.
        client.onReactor { client in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            for _ in 0..<4 {
                while read(end, &bytes, bytes.count) > 0 {}
                do throws(BusError) {
                    try client.emit(path: "/a", interface: "test.Interface", member: "Happened")
                } catch {
                    errors.append(error)
                }
            }
        }
        #expect(await flushed.wait(for: 1) == [1])
        #expect(errors.values.isEmpty)
        await client.close()
    }

    @Test func `a flush with a timeout ends although the bus reads nothing`() async throws {
        let bus = try RawBus(backlog: 0)
        let (client, end) = try await Self.open(on: bus)
        defer { close(end) }
        try await client.emit(
            path: "/a", interface: "test.Interface", member: "Happened",
            arguments: [.string(Self.longText)])
        let flushed = Inbox<Bool>()
        Task.immediate {
            await client.flush()
            flushed.append(true)
        }
        await client.flush(within: .milliseconds(10))
        // The other flush still waits for the bus.
        #expect(flushed.values.isEmpty)
        await client.close()
        #expect(await flushed.wait(for: 1) == [true])
    }

    @Test func `ten thousand calls to a peer that stops reading for a time are answered`()
        async throws
    {
        let bus = try PrivateBus()
        let client = try await connect(bus)
        let peer = try PythonPeer(bus)
        let name = try await peer.name()
        peer.process.signal(SIGSTOP)
        let answers = Inbox<Bool>()
        for number in UInt32(0)..<10_000 {
            let call = MethodCall.toPeer(name, "Count", [.uint32(number)])
            client.call(call, timeout: .seconds(120)) { answers.append((try? $0.get()) != nil) }
        }
        // Every call leaves this process before the peer reads the first call.
        await client.flush()
        #expect(answers.values.isEmpty)
        peer.process.signal(SIGCONT)
        #expect(await answers.wait(for: 10_000).allSatisfy(\.self))
        let total = try await client.call(.toPeer(name, "Total"))
        #expect(total.arguments == [.uint32(10_000)])
    }
}
