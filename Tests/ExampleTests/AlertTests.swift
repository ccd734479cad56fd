import HostingSupport
import TestSupport
import Testing

/// UIKit's alerts on a real desktop: in zenity's window, or as a popup if zenity is missing.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct AlertTests {
    private static let xfce = ServerCatalog.xfce
    private static let dunst = ServerCatalog.dunst
    private static let hasZenity = RunningProgram.path(of: "zenity") != nil

    @Test(
        .enabled(if: xfce.isWanted, "\(xfce.skipReason)"),
        .enabled(if: hasZenity, "zenity is not installed: apt-get install zenity"))
    func `text that the user types into an alert becomes the text of the alert's field`()
        async throws
    {
        try await RunningExample.with("UIKitProbe", ["alert-text"], on: Self.xfce) { example in
            let session = example.session
            let rename = try await session.tree.waitUntilShown(.pushButton, "改名")
            // The text of the field is selected, so the typed text replaces it.
            try await session.pointer.type("new name")
            try await session.screenshot("alert-text")
            try await session.pointer.click(rename)
            try await example.prints("chosen 改名: [\"new name\"]")
        }
    }

    @Test(
        .enabled(if: xfce.isWanted, "\(xfce.skipReason)"), arguments: ["改名", "不改"])
    func `each button of an alert's popup calls its handler`(_ button: String) async throws {
        try await withoutDialogs(on: Self.xfce) { example in
            try await example.session.screenshot("alert-popup-xfce")
            try await example.session.choose(button, of: "新名字")
            try await example.prints("chosen \(button): []")
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"))
    func `a dismissal of an alert's popup chooses the cancel button`() async throws {
        try await withoutDialogs(on: Self.dunst) { example in
            try await example.session.screenshot("alert-popup-dunst")
            try await example.session.dismiss("新名字")
            try await example.prints("chosen 不改: []")
        }
    }

    /// The alert in a session whose `PATH` has no program for dialogs.
    private func withoutDialogs(
        on server: DesktopServer, _ body: (RunningExample) async throws -> Void
    ) async throws {
        try await RunningExample.with(
            "UIKitProbe", ["alert"], on: server, environment: ["PATH": "/nowhere"]
        ) { example in
            try await example.session.waitUntilShown("新名字")
            try await body(example)
        }
    }
}
