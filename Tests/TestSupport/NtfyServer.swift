internal import Foundation

/// An ntfy server on the loopback interface: the real program, or a double in Python.
///
/// The double does what the documentation of ntfy describes: it has topics, streams and `since`. It
/// sends a body that is no text in base64, and refuses topics that are not UnifiedPush's. It sends
/// stored messages out of order: by turns the oldest and the newest. ntfy mixes messages, too, if
/// new messages arrive while it sends stored messages.
package final class NtfyServer: Sendable {
    package enum Kind: CaseIterable, Sendable {
        case double
        case real
    }

    private static let port = 2586

    private let program: RunningProgram
    private let folder: String
    /// The address of the server.
    package let address: String

    /// Whether the real server is installed; Debian has it since version 13.
    package static var isInstalled: Bool { RunningProgram.path(of: "ntfy") != nil }

    /// Starts the server; its messages stay in `folder` for the next start.
    package init(_ kind: Kind, host: String, in folder: String) async throws {
        self.folder = folder
        let listener = "\(host):\(Self.port)"
        address = "http://" + listener
        switch kind {
        case .double:
            program = try RunningProgram(
                "/usr/bin/python3",
                ["-u", "-c", Self.script, host, "\(Self.port)", folder + "/messages"])
            _ = try await program.lines.first("the double of ntfy") { $0 == "ready" }
        case .real:
            // ntfy logs to standard error, but the test reads standard output.
            program = try RunningProgram(
                "sh",
                [
                    "-c",
                    "exec ntfy serve --listen-http \(listener) --base-url \(address) "
                        + "--cache-file '\(folder)/cache.db' "
                        + "--visitor-request-limit-exempt-hosts 127.0.0.0/8 2>&1",
                ])
            _ = try await program.lines.first("ntfy") { $0.contains("Listening on") }
        }
    }

    /// Ends the server; its clients see a lost connection.
    package func stop() async { await program.stop() }

    /// An address of the loopback network that no other test uses.
    package static func freeHost() -> String {
        let numbers = (0..<3).map { _ in String(UInt8.random(in: 1...254)) }
        return "127." + numbers.joined(separator: ".")
    }

    private static let script = """
        import base64, http.server, json, queue, re, sys, threading, time, urllib.parse
        host, port, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
        lock, listeners = threading.Lock(), []
        try:
            messages = [json.loads(line) for line in open(path)]
        except FileNotFoundError:
            messages = []
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_POST(self):
                topic = urllib.parse.urlparse(self.path).path.strip("/")
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if not re.fullmatch("up[A-Za-z0-9]{12}", topic):
                    return self.answer(507)
                message = {"event": "message", "time": int(time.time()), "topic": topic}
                try:
                    message["message"] = body.decode()
                except UnicodeDecodeError:
                    message["message"] = base64.b64encode(body).decode()
                    message["encoding"] = "base64"
                with lock:
                    message["id"] = "m%07d" % len(messages)
                    messages.append(message)
                    with open(path, "a") as file:
                        file.write(json.dumps(message) + "\\n")
                    for topics, line in listeners:
                        if topic in topics:
                            line.put(message)
                self.answer(200)
            def answer(self, status):
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()
            def do_GET(self):
                address = urllib.parse.urlparse(self.path)
                topics = address.path.strip("/").rsplit("/", 1)[0].split(",")
                since = urllib.parse.parse_qs(address.query).get("since", ["none"])[0]
                line = queue.Queue()
                def sign(event):
                    return {"id": event, "event": event, "time": int(time.time()),
                            "topic": ",".join(topics)}
                with lock:
                    line.put(sign("open"))
                    ids = [message["id"] for message in messages]
                    first = ids.index(since) + 1 if since in ids else 0
                    least = int(since) if since.isdigit() else 0
                    old = [message for message in messages[first:]
                           if message["topic"] in topics and message["time"] >= least]
                    while old:
                        line.put(old.pop(0))
                        if old:
                            line.put(old.pop())
                    listeners.append((topics, line))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                while True:
                    try:
                        event = line.get(timeout=5)
                    except queue.Empty:
                        event = sign("keepalive")
                    text = ("data: " + json.dumps(event) + "\\n\\n").encode()
                    self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(text), text))
                    self.wfile.flush()
            def log_message(self, *arguments):
                pass
        class Server(http.server.ThreadingHTTPServer):
            daemon_threads, allow_reuse_address = True, True
        server = Server((host, port), Handler)
        print("ready")
        server.serve_forever()
        """
}
