import Foundation
import HostingSupport
import TestSupport
import Testing

/// The tool pushes a payload, the program changes it, and a real server shows it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NewsServiceTests {
    private static let dunst = ServerCatalog.dunst
    private static let xfce = ServerCatalog.xfce

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"))
    func `a pushed payload is shown with its image and the words of the extension`() async throws {
        try await pushing(on: Self.xfce) { example, site in
            try await Self.push(
                """
                {"aps": {"alert": {"title": "Latest", "body": "A town is honoured"},
                 "mutable-content": 1}, "image": "\(site)/town.png"}
                """, in: example)
            try await example.prints(beginning: "The picture has ")
            try await example.session.waitUntilShown("Latest")
            try await example.session.waitUntilShown("A town is honoured [as seen by the News app]")
            let screen = try await example.session.screenshot("news-service")
            #expect(try await TestImage.pixels(in: screen) > 100)
            try await example.session.chooseDefault(labelled: "Open", of: "Latest")
            try await example.prints(
                "Answered: Latest, com.apple.UNNotificationDefaultActionIdentifier")
            try await example.ends()
        }
    }

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"))
    func `a payload without mutable-content is shown unchanged`() async throws {
        try await pushing(on: Self.xfce) { example, site in
            try await Self.push(
                """
                {"aps": {"alert": {"title": "Latest", "body": "A town is honoured"}},
                 "image": "\(site)/town.png"}
                """, in: example)
            try await example.session.waitUntilShown("Latest")
            try await example.session.waitUntilShown("A town is honoured")
            #expect(!example.lines.contains { $0.hasPrefix("The picture") })
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"))
    func `a payload whose image is missing is shown with its texts`() async throws {
        try await pushing(on: Self.dunst) { example, site in
            try await Self.push(
                """
                {"aps": {"alert": {"title": "Latest", "body": "A town is honoured"},
                 "mutable-content": 1}, "image": "\(site)/none.png"}
                """, in: example)
            try await example.prints("No picture: status 404")
            try await example.session.waitUntilShown("Latest")
            try await example.session.chooseDefault(labelled: "Open", of: "Latest")
            try await example.prints(beginning: "Answered: Latest")
        }
    }

    /// Runs the chapter's program, and a web server for one image on the loopback interface.
    private func pushing(
        on server: DesktopServer, _ body: (RunningExample, String) async throws -> Void
    ) async throws {
        try await ImageSite.serving { site in
            try await RunningExample.with(
                "NewsChapters", ["service"], on: server, .daemon,
                environment: ["no_proxy": "127.0.0.1"]
            ) { example in
                try await example.prints(beginning: "Waiting: tocsin push org.tocsin.Test")
                try await body(example, site)
            }
        }
    }

    private static func push(_ payload: String, in example: RunningExample) async throws {
        let file = "\(example.session.bus.directory)/payload.json"
        try payload.write(toFile: file, atomically: true, encoding: .utf8)
        try await RunningProgram.run(
            try HostedService.program("tocsin"), ["push", "org.tocsin.Test", file],
            environment: example.session.environment)
    }
}
