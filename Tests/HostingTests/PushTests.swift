import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Remote notifications in both hosting modes, from the payload to the popup.
@Suite struct PushTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: Hosting.allCases)
    func aPushIsShownAtOnceWithItsWholePayload(_ hosting: Hosting) async throws {
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
    func aPushOfTheSameCollapseIdentifierReplacesThePopup(_ hosting: Hosting) async throws {
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
    func aPayloadMayNameItsAppAndWhatHasNoTextIsNotShown(_ hosting: Hosting) async throws {
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
    func theAppsExtensionChangesWhatIsShownAndKept(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.center.connect()
            await harness.service.setExtendsPushes(true, in: session)
            _ = try await harness.service.push(
                Self.bytes(Self.mutable), collapseIdentifier: "p", for: harness.app)
            let (token, request) = try await harness.center.extending(1)
            #expect(request.content.title == "secret" && request.trigger == .push)
            // What is pushed meanwhile does not wait for it.
            _ = try await harness.service.push(
                Self.bytes(#"{"aps":{"alert":"quick"}}"#), collapseIdentifier: nil,
                for: harness.app)
            #expect(try await harness.post(1).body == "quick")
            let file = try TestPicture()
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
    func withoutTheKeyOrWithoutAnExtensionNothingChanges(_ hosting: Hosting) async throws {
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
    func anAppThatGoesWhileItWorksLetsTheOriginalThrough(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.center.connect()
            await harness.service.setExtendsPushes(true, in: session)
            _ = try await harness.service.push(
                Self.bytes(Self.mutable), collapseIdentifier: nil, for: harness.app)
            _ = try await harness.center.extending(1)
            await harness.service.disconnect(session)
            #expect(try await harness.post(1).summary == "secret")
        }
    }

    @Test(arguments: Hosting.allCases)
    func contentThatCannotBeShownLeavesTheOriginal(_ hosting: Hosting) async throws {
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
            #expect(try await harness.post(1).summary == "secret")
            _ = try await harness.service.push(
                Self.bytes(Self.mutable), collapseIdentifier: "q", for: harness.app)
            let (second, _) = try await harness.center.extending(2)
            try await harness.service.finishExtension(
                second, of: harness.app, with: ExtendedContent(content: NotificationContent()))
            #expect(try await harness.post(2).summary == "secret", "no text is no notification")
        }
    }
}

/// A real picture in a directory of its own.
private final class TestPicture: Sendable {
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
