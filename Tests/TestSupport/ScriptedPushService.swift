internal import Foundation

/// A push service on the loopback interface, which answers as the path of the endpoint says.
///
/// An endpoint below `/slow/` has the latency of a network. An endpoint below `/silent/` never
/// answers. Below `/stuck/` the answer stops after two bytes and never ends. Below `/endless/` the
/// answer stops after 16 MiB and never ends. Below `/hostile/` the answer is an escape sequence
/// that sets the title of a terminal.
///
/// The path ends in a list of statuses, such as `/429,201`; the service repeats the last status. A
/// status may have a pause for `Retry-After`, as in `/429+1,201`. The service counts requests by
/// path.
package final class ScriptedPushService: Sendable {
    /// One request that the service got.
    package struct Request: Decodable {
        /// The path with its statuses.
        package var path: String
        /// The headers by their names in lower case.
        package var headers: [String: String]
        /// The body in base64.
        package var body: String
        /// How many requests the service was answering at that moment, this one included.
        package var open: Int
    }

    private let program: RunningProgram
    private let port: String

    /// Starts the service on a free port.
    package init() async throws {
        program = try RunningProgram("/usr/bin/python3", ["-u", "-c", Self.script])
        port = try await program.lines.first("the port") { $0.hasPrefix("port ") }
            .replacingOccurrences(of: "port ", with: "")
    }

    /// Runs `body` with a service, and ends the service afterwards.
    package static func withService(
        _ body: (ScriptedPushService) async throws -> Void
    ) async throws {
        let service = try await ScriptedPushService()
        do {
            try await body(service)
        } catch {
            await service.stop()
            throw error
        }
        await service.stop()
    }

    /// Ends the service.
    package func stop() async { await program.stop() }

    /// The endpoint that the service answers with these statuses.
    package func endpoint(_ statuses: String) -> String { "http://127.0.0.1:\(port)/\(statuses)" }

    /// The requests so far, once there are at least `count`.
    package func requests(atLeast count: Int = 0) async throws -> [Request] {
        // The first line has the port.
        _ = try await program.lines.first(count + 1)
        return try program.lines.all.dropFirst().map {
            try JSONDecoder().decode(Request.self, from: Data($0.utf8))
        }
    }

    private static let script = """
        import base64, collections, http.server, json, threading
        counts, lock, open_requests = collections.Counter(), threading.Lock(), [0]
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with lock:
                    open_requests[0] += 1
                    count = counts[self.path]
                    counts[self.path] += 1
                    print(json.dumps({
                        "path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()},
                        "body": base64.b64encode(body).decode(), "open": open_requests[0]}))
                if self.path.startswith("/slow/"):
                    threading.Event().wait(0.02)
                if self.path.startswith("/silent/"):
                    threading.Event().wait()
                steps = self.path.rsplit("/", 1)[-1].split(",")
                status, _, pause = steps[min(count, len(steps) - 1)].partition("+")
                with lock:
                    open_requests[0] -= 1
                self.send_response(int(status))
                if pause:
                    self.send_header("Retry-After", pause)
                if status.startswith("3"):
                    self.send_header("Location", "/elsewhere/201")
                endless = self.path.startswith("/endless/")
                stuck = self.path.startswith("/stuck/")
                reply = b"\\x1b]0;a\\x07" if self.path.startswith("/hostile/") else b"ok"
                length = len(reply) if not (endless or stuck) else 2**40
                self.send_header("Content-Length", str(length))
                self.end_headers()
                self.wfile.write(reply)
                # No client reads more than these 16 MiB. Without a bound, the bytes could fill the
                # memory of a busy test process, because URLSession takes bytes faster than its
                # delegate.
                try:
                    for _ in range(256 if endless else 0):
                        self.wfile.write(b"o" * 65536)
                except OSError:
                    return
                if stuck or endless:
                    threading.Event().wait()
            do_GET = do_POST
            def log_message(self, *arguments):
                pass
        class Server(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128
        server = Server(("127.0.0.1", 0), Handler)
        print("port", server.server_address[1])
        server.serve_forever()
        """
}
