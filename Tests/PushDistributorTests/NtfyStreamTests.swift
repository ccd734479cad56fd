import Foundation
import PushDistributor
import TestSupport
import Testing

/// The stream from a server that redirects each request, or that sends too many messages.
@Suite(.timeLimit(.minutes(1))) struct NtfyStreamTests {
    /// A server on two addresses: the first redirects to the second, which prints the access token.
    private static let script = """
        import http.server, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/moved":
                    print(self.headers.get("Authorization"))
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(b'data: {"event":"open"}\\n')
                else:
                    self.send_response(302)
                    self.send_header("Location", "http://%s:2586/moved" % sys.argv[2])
                    self.end_headers()
            def log_message(self, *arguments):
                pass
        for host in set(sys.argv[1:]):
            server = http.server.HTTPServer((host, 2586), Handler)
            threading.Thread(target=server.serve_forever).start()
        print("ready")
        """

    private func redirection(from host: String, to other: String) async throws -> RunningProgram {
        let program = try RunningProgram(
            "/usr/bin/python3", ["-u", "-c", Self.script, host, other])
        try await program.lines.first("the server") { $0 == "ready" }
        return program
    }

    private func open(_ host: String) throws -> NtfyStream {
        try #require(
            NtfyStream(
                server: "http://\(host):2586", topics: ["up"], since: "all", accessToken: "secret"))
    }

    /// The system's HTTP client sends the token to every host to which a server redirects.
    @Test func `a redirection to another host ends the stream, and the host gets no access token`()
        async throws
    {
        let host = NtfyServer.freeHost()
        let program = try await redirection(from: host, to: NtfyServer.freeHost())
        let stream = try open(host)
        let error = await #expect(throws: NtfyRefusal.self) {
            for try await _ in stream.events {}
        }
        #expect(error?.description.contains("redirects to another address") == true)
        await program.stop()
        #expect(try await !program.allSaid().contains("secret"))
    }

    @Test func `a stream follows a redirection on its own host`() async throws {
        let host = NtfyServer.freeHost()
        let program = try await redirection(from: host, to: host)
        let stream = try open(host)
        var events: [NtfyEvent] = []
        for try await event in stream.events { events.append(event) }
        #expect(events == [.opened])
        await program.stop()
        #expect(try await program.allSaid().contains("Bearer secret"))
    }

    /// A server that sends more messages than may wait, and prints when the client has left.
    private static let flood = """
        import http.server, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                try:
                    for number in range(2000):
                        self.wfile.write(b'data: {"event":"message","id":"m%d","topic":"up",'
                            b'"message":"x"}\\n' % number)
                    self.connection.recv(1)
                except ConnectionError:
                    pass
                print("left")
            def log_message(self, *arguments):
                pass
        server = http.server.HTTPServer((sys.argv[1], 2586), Handler)
        print("ready")
        server.serve_forever()
        """

    /// Without a limit, all messages of a fast server would wait in memory.
    @Test func `a stream ends when more messages wait than the distributor may keep`()
        async throws
    {
        let host = NtfyServer.freeHost()
        let program = try RunningProgram("/usr/bin/python3", ["-u", "-c", Self.flood, host])
        try await program.lines.first("the server") { $0 == "ready" }
        let stream = try open(host)
        try await program.lines.first("the end of the connection") { $0 == "left" }
        var count = 0
        do {
            for try await _ in stream.events { count += 1 }
            Issue.record("the stream ended without an error")
        } catch {
            #expect(error is NtfyOverflow, "\(error)")
        }
        #expect(count == NtfyStream.mostWaiting)
        await program.stop()
    }
}
