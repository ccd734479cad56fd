import Foundation

/// A Python program that passes the data of one client on to a bus, and back.
///
/// Its arguments are the path of its own socket, the path of the bus's socket, and texts for
/// `step`. It offers no descriptors, because it cannot pass them on.
enum BusRelay {
    static let canRun = FileManager.default.fileExists(atPath: "/usr/bin/python3")

    /// The program; it runs `preparation` first, and `step` for each piece of `data` of the client.
    static func program(preparation: String = "", step: String) -> String {
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
                    peer.sendall(data)
            threading.Thread(target=answer, daemon=True).start()
            while data := peer.recv(65536):
            \(step)
                upstream.sendall(data.replace(b"NEGOTIATE_UNIX_FD", b"NEGOTIATE_NOTHING"))
            """
    }
}
