import Foundation
import TestSupport
import Testing
import WebPush

/// `tocsin push --to` as a real program, to a push service on the loopback interface.
@Suite(.timeLimit(.minutes(5))) struct PushSendTests {
    private static let payload =
        #"{"aps":{"alert":"Tea"},"apns-headers":{"apns-collapse-id":"tea"}}"#

    private let keys = PushKeys()
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "push-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    private func withService(_ body: (ScriptedPushService) async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await ScriptedPushService.withService(body)
    }

    private func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func subscription(_ endpoint: String) throws -> [UInt8] {
        try PushSubscription(
            endpoint: endpoint, publicKey: keys.publicKey,
            authenticationSecret: keys.authenticationSecret
        ).json
    }

    private func push(_ arguments: [String]) async throws -> ProgramTests.Run {
        try await ProgramTests.run("tocsin", ["push"] + arguments, environment: [:])
    }

    @Test func `a signed message arrives, and its receiver decrypts the payload`() async throws {
        try await withService { service in
            let made = try await push(["--new-vapid-key", "\(folder)/key"])
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.output.utf8.count == 87)
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/key")
            #expect(mode[.posixPermissions] as? Int == 0o600)
            let to = try file("to.json", subscription(service.endpoint("201")))
            let run = try await push([
                "--to", to, try file("payload", Self.payload.utf8), "--vapid-key",
                "\(folder)/key", "--vapid-subject", "mailto:you@example.org", "--ttl", "60",
                "--urgency", "high", "--topic", "tea",
            ])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.isEmpty && run.errors.isEmpty)
            let request = try #require(try await service.requests(atLeast: 1).first)
            #expect(request.headers["ttl"] == "60")
            #expect(request.headers["urgency"] == "high")
            #expect(request.headers["topic"] == "tea")
            #expect(request.headers["authorization"]?.hasSuffix("k=\(made.output)") == true)
            let body = try #require(Data(base64Encoded: request.body))
            let decrypted = try MessageEncryption.decrypt(Array(body), with: keys)
            #expect(String(decoding: decrypted, as: UTF8.self) == Self.payload)
        }
    }

    @Test func `a URL with keys in options is accepted as a subscription`() async throws {
        try await withService { service in
            let run = try await push([
                "--to", service.endpoint("201"), "--p256dh", Base64URL.encode(keys.publicKey),
                "--auth", Base64URL.encode(keys.authenticationSecret),
                try file("payload", Self.payload.utf8), "--json",
            ])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains(#""outcome":"accepted""#))
        }
    }

    @Test(arguments: [
        ("410", 3, "Delete it."), ("403", 77, "server key"), ("413", 65, "Shorten"),
        ("400", 1, "(HTTP 400: ok). Check the endpoint"), ("429+9999", 75, "Send again"),
    ])
    func `an answer of the push service becomes an exit status and a sentence`(
        answer: String, status: Int32, words: String
    ) async throws {
        try await withService { service in
            let endpoint = service.endpoint(answer)
            let run = try await push([
                "--to", try file("to.json", subscription(endpoint)),
                try file("payload", Self.payload.utf8),
            ])
            #expect(run.status == status)
            #expect(run.errors.hasPrefix("tocsin: \(endpoint): "))
            #expect(run.errors.contains(words))
        }
    }

    /// An app names its push service, so the body of an answer may attack the sender's terminal.
    @Test func `an answer's control characters do not reach the terminal`() async throws {
        try await withService { service in
            let run = try await push([
                "--to", try file("to.json", subscription(service.endpoint("hostile/400"))),
                try file("payload", Self.payload.utf8),
            ])
            #expect(run.status == 1)
            #expect(run.errors.contains("(HTTP 400:  ]0;a ). Check the endpoint"))
            #expect(!run.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
    }

    @Test func `a file of many lines reports each subscription`() async throws {
        try await withService { service in
            var lines: [UInt8] = []
            for path in ["a/201", "b/410", "c/201"] {
                lines += try subscription(service.endpoint(path)) + [UInt8(ascii: "\n")]
            }
            let run = try await push([
                "--to", try file("all.jsonl", lines), try file("payload", Self.payload.utf8),
                "--json",
            ])
            #expect(run.status == 1)
            let results = run.output.split(separator: "\n")
            #expect(results.count == 3)
            #expect(results.count { $0.contains(#""outcome":"accepted""#) } == 2)
            #expect(results.count { $0.contains(#""outcome":"gone""#) } == 1)
        }
    }

    @Test func `a key file that is too large is refused with a fitting remedy`() async throws {
        try await withService { service in
            let large = try file("large", [UInt8]())
            #expect(truncate(large, 64 << 20 + 1) == 0)
            let run = try await push([
                "--to", try file("to.json", subscription(service.endpoint("201"))),
                "--vapid-key", large, "--vapid-subject", "mailto:a",
                try file("payload", Self.payload.utf8),
            ])
            #expect(run.status == 65)
            #expect(run.errors.contains("The key '\(large)' is larger than 64 MB. Give a smaller"))
        }
    }

    @Test(arguments: [
        (["--ttl", "5", "PAYLOAD"], 64, "'--to'"),
        (["--to", "https://a.example/b", "PAYLOAD"], 64, "--p256dh"),
        (["--to", "HTTPS://a.example/b", "PAYLOAD"], 64, "--p256dh"),
        (["--to", "TO", "PAYLOAD", "--collapse-id", "x"], 64, "apns-headers"),
        (["--to", "TO", "PAYLOAD", "--vapid-key", "PAYLOAD"], 64, "--vapid-subject"),
        (["--to", "TO", "PAYLOAD", "--urgency", "soon"], 64, "very-low"),
        (["--to", "PAYLOAD", "PAYLOAD"], 65, "subscription"),
        (["--to", "TO", "TO"], 65, "aps"), (["--to", "NONE", "PAYLOAD"], 65, "cannot be read"),
        (["--to", "TO", "PAYLOAD", "--topic", "a b"], 65, "topic"),
        (
            ["--to", "TO", "PAYLOAD", "--vapid-key", "PAYLOAD", "--vapid-subject", "mailto:a"], 65,
            "--new-vapid-key"
        ), (["--new-vapid-key", "PAYLOAD"], 65, "new file"),
        (["--new-vapid-key", "NONE", "--ttl", "5"], 64, "excludes"),
        (["--new-vapid-key", "NONE", "--collapse-id", "x"], 64, "excludes"),
        (["--new-vapid-key", "NONE", "--json"], 64, "excludes"),
    ])
    func `a wrong command line or file is refused before anything is sent`(
        arguments: [String], status: Int32, words: String
    ) async throws {
        try await withService { service in
            let to = try file("TO", subscription(service.endpoint("201")))
            let payload = try file("PAYLOAD", Self.payload.utf8)
            let paths = ["TO": to, "PAYLOAD": payload, "NONE": "\(folder)/NONE"]
            let run = try await push(arguments.map { paths[$0] ?? $0 })
            #expect(run.status == status, "\(run.errors)")
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(!run.errors.contains(".."), "no message has two full stops: \(run.errors)")
            let requests = try await service.requests()
            #expect(requests.isEmpty)
        }
    }
}
