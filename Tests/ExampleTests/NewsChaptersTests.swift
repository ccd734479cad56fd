import HostingSupport
import TestSupport
import Testing

/// The example `NewsChapters` on real servers, chapter by chapter.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NewsChaptersTests {
    private static let dunst = ServerCatalog.dunst
    private static let xfce = ServerCatalog.xfce

    @Test(
        .enabled(if: dunst.isWanted, "\(dunst.skipReason)"),
        arguments: [("Allow", "allowed"), ("Don’t Allow", "not allowed")])
    func `the program asks the user once and prints every setting`(
        _ button: String, _ answer: String
    ) async throws {
        try await RunningExample.with(
            "NewsChapters", ["permission"], on: Self.dunst, .daemon, .notAsked
        ) { example in
            try await example.prints("Nobody was asked yet.")
            try await example.answersPrompt(button)
            try await example.prints("The user was asked: \(answer)")
            try await example.ends()
            #expect(example.lines.contains("notifications: \(answer)"))
            let settings = ["sound", "badge", "lock screen", "history", "banner", "previews"]
            #expect(
                settings.allSatisfy { setting in
                    example.lines.contains { $0.hasPrefix("\(setting): ") }
                })
            #expect(example.lines.contains("banner: \(answer == "allowed" ? "on" : "off")"))
        }
    }

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"))
    func `the subtitle is the first line of the popup's text`() async throws {
        try await RunningExample.with("NewsChapters", ["content", "0.5"], on: Self.xfce) {
            example in
            try await example.prints("Scheduled: Morning paper, Science, badge 2")
            try await example.session.waitUntilShown("Morning paper")
            // The popup's text begins with the subtitle.
            try await example.session.waitUntilShown(
                "Science\nThe far side of the moon has a weather station.")
            try await example.session.dismiss("Morning paper")
            try await example.session.tree.waitUntilGone(.label, "Morning paper")
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"), arguments: Hosting.allCases)
    func `the program prints when each trigger fires`(_ hosting: Hosting) async throws {
        try await RunningExample.with("NewsChapters", ["triggers"], on: Self.dunst, hosting) {
            example in
            try await example.ends()
            #expect(example.lines.contains("soon: after 600 seconds"))
            #expect(example.lines.contains("place: at harbour, each time"))
            #expect(example.lines.contains("date: once, Wed 2037-11-11 00:00"))
            let weekly = example.lines.first { $0.hasPrefix("weekly: ") } ?? ""
            #expect(weekly.hasPrefix("weekly: every week, next Mon ") && weekly.hasSuffix(" 08:30"))
            #expect(example.lines.last == "Left: 0")
        }
    }

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"), arguments: Hosting.allCases)
    func `the program finds, updates and removes requests and notifications`(
        _ hosting: Hosting
    ) async throws {
        try await RunningExample.with("NewsChapters", ["manage"], on: Self.xfce, hosting) {
            example in
            try await example.ends()
            #expect(
                example.lines == [
                    "Waiting: Second edition, Yesterday's paper", "Waiting: Second edition",
                    "Waiting: ", "Shown: Extra", "Shown: Extra, corrected", "Shown: ",
                ])
            try await example.session.tree.waitUntilGone(.label, "Extra, corrected")
        }
    }

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"))
    func `a foreground app decides which of its notifications are shown`() async throws {
        try await RunningExample.with("NewsChapters", ["foreground", "0.5"], on: Self.xfce) {
            example in
            try await example.prints("Horoscope: not shown")
            try await example.prints("Weather: in the list only")
            try await example.session.waitUntilShown("Headline")
            // This popup was posted last, so any other popup would already be on the screen.
            try await example.session.tree.waitUntilGone(.label, "Weather")
            try await example.session.tree.waitUntilGone(.label, "Horoscope")
            try await example.session.chooseDefault(labelled: "Open", of: "Headline")
            try await example.prints("Opened: Headline")
            try await example.prints("In the list: Weather")
            try await example.ends()
        }
    }

    @Test(
        .enabled(if: xfce.isWanted, "\(xfce.skipReason)"),
        arguments: ["Like", "Cancel", "Open"])
    func `the app tells the buttons of its notification apart`(_ label: String) async throws {
        try await news(on: Self.xfce, says: Self.words(label)) { session, title in
            if label == "Open" {
                try await session.chooseDefault(labelled: label, of: title)
            } else {
                try await session.choose(label, of: title)
            }
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"))
    func `the app does not treat a dismissal as a button`() async throws {
        try await news(on: Self.dunst, says: Self.words("dismiss")) { session, title in
            try await session.dismiss(title)
        }
    }

    /// dunst has no text field in its popups, so a dialog asks for the comment.
    @Test(
        .enabled(if: dunst.isWanted, "\(dunst.skipReason)"),
        .enabled(
            if: RunningProgram.path(of: "zenity") != nil,
            "zenity is not installed: apt-get install zenity"))
    func `the user types a comment into a dialog window`() async throws {
        try await news(on: Self.dunst, says: "You wrote: Not me!") { session, title in
            try await session.choose("Comment", of: title)
            let corner = try await session.pointer.window(ofClass: "Zenity")
            // Without a window manager the window under the pointer has the keyboard.
            let field = corner.moved(x: 120, y: 70)
            for act in [
                ["mousemove", "--sync", "\(field.x)", "\(field.y)", "click", "1"],
                ["type", "Not me!"], ["key", "Return"],
            ] {
                try await RunningProgram.run("xdotool", act, environment: session.environment)
            }
        }
    }

    private static func words(_ action: String) -> String {
        switch action {
        case "Like": "You like it."
        case "Cancel": "You pressed Cancel."
        case "Open": "No button: com.apple.UNNotificationDefaultActionIdentifier"
        default: "No button: com.apple.UNNotificationDismissActionIdentifier"
        }
    }

    private func news(
        on server: DesktopServer, says words: String,
        _ act: (RealServer, String) async throws -> Void
    ) async throws {
        try await RunningExample.with("NewsChapters", ["actions", "0.5"], on: server) { example in
            let title = "Who still queues for a telephone?"
            try await example.prints("Scheduled: \(title)")
            try await example.session.waitUntilShown(title)
            try await act(example.session, title)
            try await example.prints(words)
            try await example.ends()
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"))
    func `the image is on the screen of dunst`() async throws {
        try await picture(on: Self.dunst)
    }

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"))
    func `the image is on the screen of Xfce`() async throws {
        try await picture(on: Self.xfce)
    }

    private func picture(on server: DesktopServer) async throws {
        try await RunningExample.with("NewsChapters", ["picture", "0.5"], on: server, .daemon) {
            example in
            try await example.prints("Scheduled with 1 picture")
            try await example.session.waitUntilShown("Picture of the day")
            let screen = try await example.session.screenshot("news-picture-\(server.name)")
            #expect(try await TestImage.pixels(in: screen) > 100)
            try await example.session.chooseDefault(labelled: "Open", of: "Picture of the day")
            try await example.prints("The picture imageAttachment has 371 bytes.")
            try await example.ends()
        }
    }
}
