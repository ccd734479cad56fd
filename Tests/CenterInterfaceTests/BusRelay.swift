import Foundation

/// The source of a Python program that relays data between one client and a bus.
///
/// Its arguments are the path of the socket on which it listens, the path of the bus's socket, and
/// texts for `step`. It cannot relay descriptors, so it hides the client's request for them.
enum BusRelay {
    static let canRun = FileManager.default.fileExists(atPath: "/usr/bin/python3")

    /// Returns the source; `preparation` runs first, and `step` for each piece of client data.
    ///
    /// The client gets `answer` in place of each piece of the bus's data.
    static func program(
        preparation: String = "", step: String = "pass", answer: String = "data"
    ) -> String {
        let step = step.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        return """
            import signal, socket, sys, threading
            path, bus, *texts = sys.argv[1:]
            \(preparation)
            server = socket.socket(socket.AF_UNIX)
            server.bind(path)
            server.listen()
            print("listening")
            peer, _ = server.accept()
            upstream = socket.socket(socket.AF_UNIX)
            upstream.connect(bus)
            def answer():
                while data := upstream.recv(65536):
                    peer.sendall(\(answer))
            threading.Thread(target=answer, daemon=True).start()
            while data := peer.recv(65536):
            \(step)
                upstream.sendall(data.replace(b"NEGOTIATE_UNIX_FD", b"NEGOTIATE_NOTHING"))
            """
    }
}
