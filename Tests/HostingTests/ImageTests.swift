import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// How attached images reach the notification server, in both hosting modes.
///
/// A server cannot clip an image, so the notification centre clips it.
@Suite(.timeLimit(.minutes(5))) struct ImageTests {
    /// A PNG of 4 × 2 pixels, red on its left and blue on its right half.
    private static let halves = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAE0lE"
            + "QVR4nGP4z8AARGDiPwMyBwBnsgf5Q2OaZwAAAABJRU5ErkJggg=="
    )

    private static func attachment(
        _ path: String, part: (x: Double, width: Double)?
    ) -> NotificationAttachment {
        var attachment = NotificationAttachment(identifier: "a", path: path, type: "public.png")
        if let part {
            let sides = ["X": part.x, "Y": 0, "Width": part.width, "Height": 1]
            attachment.options[AttachmentThumbnail.Key.clippingRectangle] =
                .dictionary(sides.mapValues(PropertyListValue.real))
        }
        return attachment
    }

    @Test(arguments: Hosting.allCases)
    func `the clipped part of an image goes to the server as pixels`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let path = harness.bus.directory + "/halves.png"
            try #require(Self.halves).write(to: URL(fileURLWithPath: path))
            for (identifier, part) in [("part", (x: 0.5, width: 0.5)), ("all", nil)] {
                try await harness.center.add(identifier, files: [try OpenFile(path: path)]) {
                    $0.attachments = [Self.attachment(path, part: part)]
                }
            }
            let part = try await harness.post(1)
            let blue: [UInt8] = [0, 0, 255, 255]
            #expect(
                part.hints["image-data"]
                    == .structure([
                        .int32(2), .int32(2), .int32(8), .bool(true), .int32(8), .int32(4),
                        .bytes(Array([blue, blue, blue, blue].joined())),
                    ]))
            #expect(part.hints["image-path"] == nil)
            let all = try await harness.post(2)
            #expect(all.hints["image-data"] == nil && all.hints["image-path"] != nil)
        }
    }

    /// If SIGCHLD is ignored, the kernel keeps no exit status of the decoder.
    ///
    /// The daemon must not take the missing status for a damaged image.
    @Test func `a daemon whose parent ignores SIGCHLD decodes images`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(
            on: bus, by: "exec env --ignore-signal=CHLD \"$1\"")
        let connection = try await BusConnection.open(on: bus, name: "client")
        let path = bus.directory + "/halves.png"
        try #require(Self.halves).write(to: URL(fileURLWithPath: path))
        var content = NotificationContent(title: "half")
        content.attachments = [Self.attachment(path, part: (x: 0.5, width: 0.5))]
        try await HostedService.client(over: connection).add(
            NotificationRequest(identifier: "half", content: content),
            attachments: [try OpenFile(path: path)], for: .tocsin)
        let post = try await server.calls.first("the popup") { $0.summary == "half" }
        #expect(post.hints["image-data"] != nil)
        await connection.close()
        await daemon.stop()
        await server.stop()
    }

    @Test(arguments: Hosting.allCases)
    func `a damaged image is sent to the server as a file`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let path = harness.bus.directory + "/damaged.png"
            try Data(TestPNG.bytes.prefix(40)).write(to: URL(fileURLWithPath: path))
            try await harness.center.add("damaged", files: [try OpenFile(path: path)]) {
                $0.attachments = [Self.attachment(path, part: (x: 0, width: 0.5))]
            }
            let post = try await harness.post(1)
            #expect(post.hints["image-data"] == nil && post.hints["image-path"] != nil)
        }
    }
}
