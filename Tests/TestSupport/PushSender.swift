internal import Foundation

/// Sends messages of Web Push with `pywebpush`, an independent implementation from PyPI.
package struct PushSender: Sendable {
    private let python: String

    /// Installs `pywebpush` into a new virtual environment; throws if PyPI cannot be reached.
    package static func install(into folder: String) async throws -> PushSender {
        try await RunningProgram.run("/usr/bin/python3", ["-m", "venv", folder], within: 120)
        try await RunningProgram.run(
            folder + "/bin/pip", ["install", "--quiet", "--retries", "1", "pywebpush==2.5.0"],
            within: 180)
        return PushSender(python: folder + "/bin/python3")
    }

    /// Encrypts a payload for a subscription, and posts it to the endpoint.
    package func send(_ payload: String, to subscription: [UInt8]) async throws {
        let script = """
            import json, sys
            from pywebpush import webpush
            webpush(json.loads(sys.argv[1]), data=sys.argv[2], ttl=60, timeout=10)
            """
        try await RunningProgram.run(
            python, ["-c", script, String(decoding: subscription, as: UTF8.self), payload])
    }
}

/// A push service on the loopback interface: it passes each message on to a distributor.
///
/// It owns the web server, whose lines it reads.
package struct PushService: Sendable {
    /// The address below which the endpoints lie.
    package let address: String
    private let site: RunningProgram
    private let deliveries: Task<Void, any Error>

    package static func start(for distributor: ScriptedDistributor) async throws -> PushService {
        let script = """
            from http.server import BaseHTTPRequestHandler, HTTPServer
            class Handler(BaseHTTPRequestHandler):
                def do_POST(self):
                    body = self.rfile.read(int(self.headers["Content-Length"]))
                    right = self.headers["Content-Encoding"] == "aes128gcm" and self.headers["TTL"]
                    print("message", self.path[1:], body.hex(), flush=True)
                    self.send_response(201 if right else 400)
                    self.send_header("Location", self.path)
                    self.end_headers()
                def log_message(self, *words):
                    pass
            server = HTTPServer(("127.0.0.1", 0), Handler)
            print("port", server.server_port, flush=True)
            server.serve_forever()
            """
        let site = try RunningProgram("/usr/bin/python3", ["-u", "-c", script])
        let port = try await site.lines.first("the port") { $0.hasPrefix("port ") }
            .dropFirst("port ".count)
        let deliveries = Task {
            var count = 0
            while true {
                let lines = try await site.lines.wait(for: "a message", within: 600) { [count] in
                    $0.filter { $0.hasPrefix("message ") }.count > count
                }
                let words = lines.filter { $0.hasPrefix("message ") }[count].split(separator: " ")
                count += 1
                try await distributor.send(bytes(String(words[2])), to: String(words[1]))
            }
        }
        return PushService(
            address: "http://127.0.0.1:\(port)", site: site, deliveries: deliveries)
    }

    package func stop() async {
        deliveries.cancel()
        await site.stop()
    }

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
