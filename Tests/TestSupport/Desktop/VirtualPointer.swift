internal import Foundation

/// A mouse and a keyboard for a Wayland compositor that accepts such devices from clients.
///
/// It owns the path of the compositor's socket. The mouse uses the protocol
/// `wlr-virtual-pointer-unstable-v1`, and the keyboard uses the program wtype. A compositor
/// without a monitor has no other devices.
///
/// It promises that the compositor has handled each step before the next. A mouse disconnects
/// after its last step; only the mouse of `resting(on:)` stays connected.
package struct VirtualPointer: Hands {
    private let socket: String

    /// Makes a mouse for the compositor at this socket.
    package init(socket: String) {
        self.socket = socket
    }

    package func hover(_ point: ScreenPoint) async throws {
        try await act(["\(point.x - 3),\(point.y)", "\(point.x),\(point.y)"])
    }

    package func click(_ point: ScreenPoint, _ button: PointerButton) async throws {
        try await act(["\(point.x),\(point.y)", "\(button.eventCode)", "4,796"])
    }

    package func clickSlowly(_ point: ScreenPoint) async throws {
        // Each step waits for an answer of the compositor, which makes a click slow enough.
        try await click(point, .left)
    }

    package func moveAway() async throws {
        try await act(["4,796"])
    }

    /// Replaces the text in the focused widget by this text.
    package func type(_ text: String) async throws {
        try await RunningProgram.run(
            "wtype", ["-M", "ctrl", "-k", "a", "-m", "ctrl", "-d", "20", text],
            environment: ProcessInfo.processInfo.environment
                .merging(["WAYLAND_DISPLAY": socket]) { $1 })
    }

    /// Starts a keyboard that types nothing for a day; `resting(on:)` says why.
    package static func restingKeyboard(on socket: String) throws -> RunningProgram {
        try RunningProgram(
            "wtype", ["-s", "86400000", "x"],
            environment: ProcessInfo.processInfo.environment
                .merging(["WAYLAND_DISPLAY": socket]) { $1 })
    }

    /// Starts a mouse that stays connected and does nothing.
    ///
    /// When the last mouse disconnects, the compositor tells its clients, and they miss the first
    /// events of the next mouse. The same is true of keyboards.
    package static func resting(on socket: String) async throws -> RunningProgram {
        let program = try RunningProgram("python3", ["-c", script, socket, "stay"])
        do {
            try await program.lines.first("a mouse that stays") { $0 == "there" }
            return program
        } catch {
            await program.stop()
            throw error
        }
    }

    private func act(_ steps: [String]) async throws {
        try await RunningProgram.run("python3", ["-c", Self.script, socket] + steps)
    }

    /// The script writes messages of Wayland: object, size and opcode, arguments.
    ///
    /// A step is a position or a button. After each step the script waits for an answer of the
    /// compositor, which has then handled the step.
    private static let script = """
        import socket, struct, sys, time

        path, steps = sys.argv[1], sys.argv[2:]
        wire = socket.socket(socket.AF_UNIX)
        wire.connect(path)
        display, registry = 1, 2
        # The protocol demands new ids without a gap.
        last = registry
        received = b''

        def send(target, opcode, data=b''):
            wire.sendall(struct.pack('=IHH', target, opcode, 8 + len(data)) + data)

        def text(value):
            data = value.encode() + b'\\0'
            return struct.pack('=I', len(data)) + data + b'\\0' * (-len(data) % 4)

        def events():
            # The events before the answer to a `sync` request.
            global last, received
            last += 1
            send(display, 0, struct.pack('=I', last))
            while True:
                while len(received) < 8 or len(received) < struct.unpack_from('=H', received, 6)[0]:
                    more = wire.recv(65536)
                    if not more:
                        sys.exit('the compositor closed the connection')
                    received += more
                target, opcode, size = struct.unpack_from('=IHH', received)
                data, received = received[8:size], received[size:]
                if target == display and opcode == 0:
                    sys.exit(f'the compositor refused: {data[8:]}')
                if target == last:
                    return
                yield target, opcode, data

        send(display, 1, struct.pack('=I', registry))
        wanted, name = 'zwlr_virtual_pointer_manager_v1', None
        for target, opcode, data in events():
            if target == registry and opcode == 0:
                number, length = struct.unpack_from('=II', data)
                if data[8:8 + length - 1].decode() == wanted:
                    name = number
        if name is None:
            sys.exit('the compositor takes no virtual pointers')
        manager, pointer = last + 1, last + 2
        last = pointer
        send(registry, 0,
             struct.pack('=I', name) + text(wanted) + struct.pack('=II', 1, manager))
        send(manager, 0, struct.pack('=II', 0, pointer))
        list(events())

        def milliseconds():
            return int(time.monotonic() * 1000) & 0xffffffff

        for step in steps:
            if step == 'stay':
                print('there', flush=True)
                while wire.recv(65536):
                    pass
                sys.exit(0)
            if ',' in step:
                x, y = map(int, step.split(','))
                send(pointer, 1, struct.pack('=IIIII', milliseconds(), x, y, 1280, 800))
                send(pointer, 4)
            else:
                for state in (1, 0):
                    send(pointer, 2, struct.pack('=III', milliseconds(), int(step), state))
                    send(pointer, 4)
            list(events())
        """
}
