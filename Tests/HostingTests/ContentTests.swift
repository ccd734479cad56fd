import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Every field of a notification's content, in both hosting modes.
@Suite(.timeLimit(.minutes(5))) struct ContentTests {
    private static var everything: NotificationContent {
        var content = NotificationContent.everyField
        // Attachments are sent as files, and not in the content.
        content.attachments = []
        // At delivery the centre replaces the localization keys with their texts.
        content.localization = nil
        // A request with this option fails if the centre has not found the server yet.
        content.desktop?.requiresServer = false
        return content
    }

    @Test(arguments: Hosting.allCases)
    func `every content field is unchanged in the pending and the delivered list`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let later = NotificationTrigger.interval(seconds: 3_600, repeats: false)
            try await harness.center.add("later", trigger: later) { $0 = Self.everything }
            let pending = try await harness.service.pending(of: harness.app)
            #expect(pending.map(\.request.content) == [Self.everything])
            #expect(pending.map(\.request.trigger) == [later])
            try await harness.center.add("now") { $0 = Self.everything }
            _ = try await harness.post(1)
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            let delivered = try await harness.service.delivered(of: harness.app)
            #expect(delivered.map(\.request.content) == [Self.everything])
        }
    }

    /// Runs the body with an app that has a German text and two sounds.
    private static func withResources(
        _ hosting: Hosting,
        _ body: @Sendable (HostedService, ScriptedServer, String) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        let resources = bus.directory + "/app.resources"
        try FileManager.default.createDirectory(
            atPath: resources + "/de.lproj", withIntermediateDirectories: true)
        try Data(#""MAIL" = "Post von %@";"#.utf8).write(
            to: URL(fileURLWithPath: resources + "/de.lproj/Localizable.strings"))
        try Data(Self.wave(seconds: 1)).write(to: URL(fileURLWithPath: resources + "/bell.wav"))
        try Data(Self.wave(seconds: 31)).write(to: URL(fileURLWithPath: resources + "/long.wav"))
        try await BusRecorder.recording(bus) {
            var script = ServerScript()
            script.capabilities.append("sound")
            let server = try await ScriptedServer.start(on: bus, script: script)
            let center = try await HostedService.start(
                hosting, on: bus, adding: ["LANG": "de_DE.UTF-8", "LC_ALL": "", "LANGUAGE": ""])
            do {
                _ = try await center.service.connect(
                    ApplicationIdentity(id: center.app, name: "T", resources: [resources]),
                    asksBeforePresenting: false
                ) { _ in }
                try await body(center, server, resources)
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
            await server.stop()
        }
    }

    /// A silent WAV file, 16-bit mono.
    private static func wave(seconds: UInt32) -> [UInt8] {
        func little(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let size = seconds * 16_000
        return Array("RIFF".utf8) + little(36 + size) + Array("WAVEfmt ".utf8) + little(16)
            + [1, 0, 1, 0] + little(8_000) + little(16_000) + [2, 0, 16, 0] + Array("data".utf8)
            + little(size) + [UInt8](repeating: 0, count: Int(size))
    }

    @Test(arguments: Hosting.allCases)
    func `the text for a localization key is shown in the user's language`(
        _ hosting: Hosting
    ) async throws {
        try await Self.withResources(hosting) { center, server, _ in
            let payload = #"""
                {"aps":{"alert":{"title-loc-key":"MAIL","title-loc-args":["Anna"],
                "loc-key":"UNKNOWN"}}}
                """#
            _ = try await center.service.push(
                Array(payload.utf8), collapseIdentifier: nil, for: center.app)
            let post = try await server.calls.first(1)[0]
            #expect(post.summary == "Post von Anna" && post.body == "UNKNOWN")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the default sound replaces a sound file of the app that is missing or too long`(
        _ hosting: Hosting
    ) async throws {
        try await Self.withResources(hosting) { center, server, resources in
            let sounds: [(NotificationSound?, String, BusValue)] = [
                (.init(.named("bell.wav")), "sound-file", .string(resources + "/bell.wav")),
                (.init(.named("long.wav")), "sound-name", .string("message-new-instant")),
                (.init(.named("none.wav")), "sound-name", .string("message-new-instant")),
                (.init(.standard), "sound-name", .string("message-new-instant")),
                (.init(.standard, isCritical: true), "sound-name", .string("dialog-warning")),
                (nil, "suppress-sound", .bool(true)),
            ]
            for (number, sound) in sounds.enumerated() {
                try await center.add("n\(number)") { $0.sound = sound.0 }
                let post = try await server.calls.first(number + 1)[number]
                #expect(post.hints.filter { $0.key.contains("sound") } == [sound.1: sound.2])
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a damaged attachment is refused and a hidden thumbnail is not shown`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let folder = FileManager.default.temporaryDirectory.path
            let path = "\(folder)/tocsin-content-\(UUID().uuidString).png"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let attachment = NotificationAttachment(
                identifier: "a", path: path, type: "public.png",
                options: [AttachmentThumbnail.Key.isHidden: .boolean(true)])
            try Data("no picture".utf8).write(to: URL(fileURLWithPath: path))
            let damaged = try OpenFile(path: path)
            let error = await #expect(throws: NotificationError.self) {
                try await harness.center.add("bad", files: [damaged]) {
                    $0.attachments = [attachment]
                }
            }
            #expect(error?.code == .attachmentCorrupt)
            try Data(TestPNG.bytes).write(to: URL(fileURLWithPath: path))
            let file = try OpenFile(path: path)
            try await harness.center.add("good", files: [file]) { $0.attachments = [attachment] }
            #expect(try await harness.post(1).hints["image-path"] == nil)
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            let kept = try await harness.service.delivered(of: nil).first?.request.content
            #expect(kept?.attachments.first?.options == attachment.options)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a request for a past date is accepted and never fires`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            var past = CalendarComponents()
            (past.year, past.month, past.day) = (2020, 1, 1)
            try await harness.center.add("past", trigger: .calendar(past, repeats: false))
            #expect(try await harness.service.pending(of: nil).isEmpty)
            try await harness.center.add("now")
            #expect(try await harness.post(1).summary == "now")
            #expect(harness.server.calls.all.count == 1)
        }
    }
}
