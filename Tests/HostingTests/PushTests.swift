import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Remote notifications in both hosting modes, from the payload to the popup.
@Suite(.timeLimit(.minutes(5))) struct PushTests {
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// The title of the nth post, counted from 1.
    ///
    /// It throws after 25 s. After 30 s the centre would show the push even without its extension.
    private static func titleShownInTime(
        _ count: Int = 1, on server: ScriptedServer
    ) async throws -> String {
        try await server.calls.first(count, within: 25)[count - 1].summary
    }

    @Test(arguments: Hosting.allCases)
    func `a push is shown at once with its whole payload`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            let payload = Self.bytes(
                #"{"aps":{"alert":{"title":"Mail","body":"Hi"},"badge":3},"mail":7}"#)
            let identifier = try await harness.service.push(
                payload, collapseIdentifier: nil, for: harness.app)
            let post = try await harness.post(1)
            #expect(post.summary == "Mail" && post.body == "Hi" && post.appName == "Test App")
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            let request = try #require(
                try await harness.service.delivered(of: harness.app).first?.request)
            #expect(request.trigger == .push)
            #expect(request.identifier == identifier)
            #expect(UUID(uuidString: identifier ?? "") != nil)
            #expect(request.content.badge == 3)
            #expect(request.content.userInfo["mail"] == .integer(7))
            #expect(request.content.userInfo["aps"] != nil)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a push with the same collapse identifier replaces the popup`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            for (number, text) in ["1:0", "2:0"].enumerated() {
                _ = try await harness.service.push(
                    Self.bytes(#"{"aps":{"alert":"\#(text)"}}"#), collapseIdentifier: "score",
                    for: harness.app)
                _ = try await harness.post(number + 1)
                try await harness.center.settled { _, delivered in
                    delivered.map(\.request.content.body) == [text]
                }
            }
            #expect(try await harness.post(2).replacesID == (try await harness.post(1).id))
            #expect(
                try await harness.service.delivered(of: nil).map(\.request.identifier)
                    == ["score"])
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a push of low priority is quiet`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            _ = try await harness.service.push(
                Self.bytes(#"{"aps":{"alert":"news"}}"#), headers: PushHeaders(priority: .low),
                for: harness.app)
            #expect(try await harness.post(1).hints["urgency"] == .byte(0))
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a payload may name its app, and a payload without text is not shown`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let silent = try await harness.service.push(
                Self.bytes(#"{"aps":{"content-available":1}}"#), collapseIdentifier: nil,
                for: harness.app)
            #expect(silent == nil)
            _ = try await harness.service.push(
                Self.bytes(
                    #"{"Simulator Target Bundle":"org.tocsin.Other","aps":{"alert":"x"}}"#),
                collapseIdentifier: nil, for: nil)
            _ = try await harness.post(1)
            try await harness.center.settled { _, delivered in
                delivered.map(\.app.rawValue) == ["org.tocsin.Other"]
            }
            for (payload, app) in [(#"{"aps":{"alert":"x"}}"#, nil), ("{", harness.app)] {
                let error = await #expect(throws: NotificationError.self) {
                    try await harness.service.push(
                        Self.bytes(payload), collapseIdentifier: nil, for: app)
                }
                #expect(error?.code == .invalidArgument)
            }
        }
    }

    // MARK: The app's service extension

    private static let mutable =
        #"{"aps":{"alert":{"title":"secret","body":"b"},"mutable-content":1}}"#

    @Test(arguments: Hosting.allCases)
    func `the app's extension changes the shown and the stored content`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.center.connect()
            await harness.service.setExtendsPushes(true, in: session)
            _ = try await harness.service.push(
                Self.bytes(Self.mutable), collapseIdentifier: "p", for: harness.app)
            let (token, request) = try await harness.center.extending(1)
            #expect(request.content.title == "secret" && request.trigger == .push)
            // Another push does not wait for the extension.
            _ = try await harness.service.push(
                Self.bytes(#"{"aps":{"alert":"quick"}}"#), collapseIdentifier: nil,
                for: harness.app)
            #expect(try await harness.post(1).body == "quick")
            let file = try TestImage()
            var content = request.content
            content.title = "deciphered"
            content.attachments = [
                NotificationAttachment(identifier: "i", path: file.path, type: "public.png")
            ]
            try await harness.service.finishExtension(
                token, of: harness.app,
                with: ExtendedContent(
                    content: content, attachments: [OpenFile(path: file.path)]))
            let post = try await harness.post(2)
            #expect(post.summary == "deciphered")
            let image = try #require(URL(string: post.hints["image-path"]?.stringValue ?? ""))
            #expect(try Data(contentsOf: image) == (try Data(contentsOf: file.url)))
            try await harness.center.settled { pending, delivered in
                pending.isEmpty && delivered.contains { $0.request.content.title == "deciphered" }
            }
            try await harness.service.finishExtension(token, of: harness.app, with: nil)
            #expect(harness.server.calls.all.count == 2)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `without mutable-content or an extension, a push is shown unchanged`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.center.connect()
            _ = try await harness.service.push(
                Self.bytes(Self.mutable), collapseIdentifier: nil, for: harness.app)
            #expect(try await harness.post(1).summary == "secret")
            await harness.service.setExtendsPushes(true, in: session)
            _ = try await harness.service.push(
                Self.bytes(#"{"aps":{"alert":{"title":"plain"}}}"#), collapseIdentifier: nil,
                for: harness.app)
            #expect(try await harness.post(2).summary == "plain")
            try await harness.center.add("local")
            #expect(try await harness.post(3).summary == "local")
            #expect(harness.center.events.all.isEmpty)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `if an app leaves while its extension works, the original push is shown`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.center.connect()
            await harness.service.setExtendsPushes(true, in: session)
            _ = try await harness.service.push(
                Self.bytes(Self.mutable), collapseIdentifier: nil, for: harness.app)
            _ = try await harness.center.extending(1)
            await harness.service.disconnect(session)
            #expect(try await Self.titleShownInTime(on: harness.server) == "secret")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `if the extension's content cannot be shown, the original push is shown`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.center.connect()
            await harness.service.setExtendsPushes(true, in: session)
            _ = try await harness.service.push(
                Self.bytes(Self.mutable), collapseIdentifier: "p", for: harness.app)
            let (token, _) = try await harness.center.extending(1)
            var content = NotificationContent(title: "bad")
            content.userInfo = ["text": .string(String(repeating: "x", count: 300_000))]
            await #expect(throws: NotificationError.self) {
                try await harness.service.finishExtension(
                    token, of: harness.app, with: ExtendedContent(content: content))
            }
            #expect(try await Self.titleShownInTime(on: harness.server) == "secret")
            _ = try await harness.service.push(
                Self.bytes(Self.mutable), collapseIdentifier: "q", for: harness.app)
            let (second, _) = try await harness.center.extending(2)
            try await harness.service.finishExtension(
                second, of: harness.app, with: ExtendedContent(content: NotificationContent()))
            #expect(
                try await Self.titleShownInTime(2, on: harness.server) == "secret",
                "content without a text is not shown")
        }
    }
}

extension PushTests {
    // MARK: The extension program of an app that does not run

    /// Starts a daemon for an installed app whose service extension is `ExtensionProbe`.
    private static func withProgram(
        _ argument: String,
        _ body: @Sendable (HostedService, ScriptedServer, ApplicationID) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        let probe = try HostedService.program("ExtensionProbe")
        let applications = "\(bus.directory)/data/applications"
        try FileManager.default.createDirectory(
            atPath: applications, withIntermediateDirectories: true)
        try Data(
            """
            [Desktop Entry]
            Type=Application
            Name=Reader
            Exec=/bin/true
            X-Tocsin-ServiceExtension="\(probe)" \(argument)

            """.utf8
        ).write(to: URL(fileURLWithPath: applications + "/org.tocsin.Reader.desktop"))
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let center = try await HostedService.start(
                .daemon, on: bus, adding: ["XDG_DATA_HOME": "\(bus.directory)/data"])
            do {
                try await body(center, server, try ApplicationID("org.tocsin.Reader"))
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
            await server.stop()
        }
    }

    private static func mutable(_ encoded: String = "") -> [UInt8] {
        bytes(
            #"{"aps":{"alert":{"title":"secret","body":"b"},"mutable-content":1},"#
                + #""picture":"\#(encoded)"}"#)
    }

    @Test func `if the app does not run, its extension program changes the push`() async throws {
        try await Self.withProgram("picture") { center, server, app in
            let encoded = Data(TestPNG.bytes).base64EncodedString()
            _ = try await center.service.push(
                Self.mutable(encoded), collapseIdentifier: nil, for: app)
            let post = try await server.calls.first(1)[0]
            #expect(post.summary == "secret changed" && post.body == "b")
            let image = try #require(URL(string: post.hints["image-path"]?.stringValue ?? ""))
            #expect(try Data(contentsOf: image) == Data(TestPNG.bytes))
            // Without `mutable-content` the daemon does not start the program.
            _ = try await center.service.push(
                Self.bytes(#"{"aps":{"alert":"plain"}}"#), collapseIdentifier: nil, for: app)
            let second = try await server.calls.first(2)[1]
            #expect(second.body == "plain" && second.summary == "Reader")
        }
    }

    @Test(arguments: ["crash", "garbage", "raw"])
    func `if the extension's program fails, the original push is shown`(
        argument: String
    ) async throws {
        try await Self.withProgram(argument) { center, server, app in
            _ = try await center.service.push(
                Self.mutable(), collapseIdentifier: nil, for: app)
            #expect(try await Self.titleShownInTime(on: server) == "secret")
        }
    }

    @Test func `a running app extends a push itself, and its program is not started`() async throws
    {
        try await Self.withProgram("change") { center, server, app in
            let events = Recording<ExtensionToken>()
            let session = try await center.service.connect(
                ApplicationIdentity(id: app, name: "Reader"), asksBeforePresenting: false
            ) { if case .extend(let token, _, _) = $0 { events.append(token) } }
            await center.service.setExtendsPushes(true, in: session)
            _ = try await center.service.push(
                Self.mutable(), collapseIdentifier: nil, for: app)
            let token = try await events.first("the question") { _ in true }
            try await center.service.finishExtension(
                token, of: app, with: ExtendedContent(content: .init(title: "by the app")))
            let post = try await server.calls.first(1)[0]
            #expect(post.summary == "by the app")
        }
    }
}

/// A real image in a temporary directory.
private final class TestImage: Sendable {
    let url: URL
    var path: String { url.path }

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("tocsin-push-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("picture.png")
        try Data(TestPNG.bytes).write(to: url)
    }

    deinit {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }
}
