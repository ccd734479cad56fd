import DesktopBus
import NotificationModel
import Testing

@testable import Freedesktop

struct ActionTests {
    private func arguments(_ server: ServerInformation) throws -> NotifyArguments {
        NotifyArguments(try Samples.presentation(category: Samples.category), for: server)
    }

    @Test func `destructive actions come after other actions, and the default action is last`()
        throws
    {
        let arguments = try arguments(Samples.server())
        #expect(
            arguments.actions == [
                .init(key: "action.archive", label: "Archive"),
                .init(key: "action.answer", label: "Answer"),
                .init(key: "action.delete", label: "Delete"),
                .init(key: "default", label: ""),
            ])
        #expect(arguments.hints.keys.allSatisfy { !$0.hasPrefix("x-kde") })
    }

    @Test func `a server with inline replies gets the first text field and its labels`() throws {
        let arguments = try arguments(Samples.server("", ["actions", "inline-reply"]))
        #expect(
            arguments.actions.map(\.key) == [
                "action.archive", "inline-reply", "action.delete", "default",
            ])
        #expect(arguments.hints["x-kde-reply-placeholder-text"] == .string("Your answer"))
        #expect(arguments.hints["x-kde-reply-submit-button-text"] == .string("Send"))
    }

    @Test func `only the first action with a text field becomes the inline reply`() throws {
        let field = NotificationAction.TextInput(buttonTitle: "Send", placeholder: "")
        let category = NotificationCategory(
            identifier: "two",
            actions: [
                NotificationAction(identifier: "a", title: "A", textInput: field),
                NotificationAction(identifier: "b", title: "B", textInput: field),
            ])
        let arguments = NotifyArguments(
            try Samples.presentation(category: category),
            for: Samples.server("", ["actions", "inline-reply"]))
        #expect(arguments.actions.map(\.key) == ["inline-reply", "action.b", "default"])
    }

    @Test func `a server without actions gets no actions`() throws {
        let arguments = try arguments(Samples.server("", ["body", "inline-reply"]))
        #expect(arguments.actions.isEmpty)
        #expect(arguments.hints.keys.allSatisfy { !$0.hasPrefix("x-kde") })
    }

    @Test(arguments: [
        ("dunst", 0), ("Xfce Notify Daemon", 0), ("gnome-shell", 1), ("Plasma", 1),
        ("SwayNotificationCenter", 1), ("mako", 1),
    ])
    func `a server that draws the default action gets it only if a click has an effect`(
        server: String, count: Int
    ) throws {
        var presentation = try Samples.presentation()
        presentation.notification.request.content.desktop = DesktopOptions()
        presentation.notification.request.content.desktop?.offersClick = false
        let arguments = NotifyArguments(presentation, for: Samples.server(server))
        #expect(arguments.actions.count == count)
    }

    @Test(arguments: [
        ("dunst", "Open"), ("Xfce Notify Daemon", "Open"), ("mako", "Open"),
        ("gnome-shell", ""), ("Plasma", ""), ("lxqt-notificationd", ""),
        ("Notification Daemon", ""), ("SwayNotificationCenter", "Open"), ("anything", ""),
    ])
    func `the default action has a label only for a server that shows the label`(
        server: String, expected: String
    ) throws {
        let arguments = try arguments(Samples.server(server))
        #expect(arguments.actions.last == .init(key: "default", label: expected))
    }

    @Test(arguments: [
        ("dunst", ["Öffnen"]), ("gnome-shell", [""]), ("Plasma", ["Einstellungen", ""]),
    ])
    func `the labels of the default and settings actions are in the user's language`(
        server: String, expected: [String]
    ) throws {
        var presentation = try Samples.presentation()
        presentation.offersSettings = true
        let arguments = NotifyArguments(
            presentation, for: Samples.server(server), in: .german)
        #expect(arguments.actions.map(\.label) == expected)
    }

    @Test(arguments: [
        "default", "settings", "inline-reply", "", "action.", "Größe 🎈", "a\nb",
        // Swift combines such a mark and the full stop before it into one `Character`.
        "\u{301}a", "\u{1F3FD}",
    ])
    func `an app's action identifier is never treated as a reserved key`(identifier: String) throws
    {
        let category = NotificationCategory(
            identifier: "c", actions: [NotificationAction(identifier: identifier, title: "T")])
        let arguments = NotifyArguments(
            try Samples.presentation(category: category), for: Samples.server())
        let key = try #require(arguments.actions.first?.key)
        #expect(!["default", "settings", "inline-reply"].contains(key))
        #expect(ActionKeys.action(of: key) == .custom(identifier))
    }

    @Test func `an unknown key names no action`() {
        for key in ["", "settings", "inline-reply", "Default", "delete", "action"] {
            #expect(ActionKeys.action(of: key) == nil, "\(key)")
        }
        #expect(ActionKeys.action(of: "default") == .standard)
    }

    /// Without the doubling, LXQt 1.2 drew "RD" and "Save quit", and Plasma 5.27 drew "RD".
    ///
    /// LXQt draws four actions as a list, whose entries have no shortcuts.
    @Test(arguments: [
        ("Plasma", 2, true), ("Plasma", 5, true), ("lxqt-notificationd", 2, true),
        ("lxqt-notificationd", 3, false), ("gnome-shell", 2, false), ("mako", 2, false),
    ])
    func `an ampersand in a label is doubled for a server that would read it as a shortcut`(
        server: String, buttons: Int, isDoubled: Bool
    ) throws {
        let titles = ["R&D", "Save & quit"] + (2..<buttons).map { "\($0)" }
        let category = NotificationCategory(
            identifier: "c",
            actions: titles.map { NotificationAction(identifier: $0, title: $0) })
        let arguments = NotifyArguments(
            try Samples.presentation(category: category), for: Samples.server(server))
        let drawn = isDoubled ? ["R&&D", "Save &&\u{A0}quit"] : ["R&D", "Save & quit"]
        #expect(arguments.actions.prefix(2).map(\.label) == drawn)
        #expect(arguments.actions.map(\.key).prefix(2) == ["action.R&D", "action.Save & quit"])
    }

    /// Plasma 5.27 drew a bold label, and the image of a file that a label named.
    @Test(arguments: [
        ("<b>R&D</b>", "&&lt;b&&gt;R&&amp;D&&lt;/b&&gt;"),
        ("<img src=\"http://x/y.png\">", "&&lt;img src=\"http://x/y.png\"&&gt;"),
        ("1 < 2", "1 &&lt; 2"), ("<\u{301}b>", "&&lt;\u{301}b&&gt;"), ("it's > 1", "it's > 1"),
    ])
    func `a label with a tag is escaped for Plasma, and unchanged for other servers`(
        title: String, escaped: String
    ) throws {
        let category = NotificationCategory(
            identifier: "c", actions: [NotificationAction(identifier: "a", title: title)])
        let presentation = try Samples.presentation(category: category)
        for version in ["5.27.5", "6.3.6", "6.7.4"] {
            let plasma = NotifyArguments(
                presentation, for: Samples.server("Plasma", version: version))
            let label = try #require(plasma.actions.first?.label)
            #expect(Array(label.utf8) == Array(escaped.utf8), "\(version)")
        }
        let other = NotifyArguments(presentation, for: Samples.server("gnome-shell"))
        #expect(other.actions.first?.label == title)
    }

    @Test func `an ampersand on the send button of an inline reply is doubled on Plasma`() throws {
        let field = NotificationAction.TextInput(buttonTitle: "Send & close", placeholder: "R&D")
        let category = NotificationCategory(
            identifier: "c",
            actions: [NotificationAction(identifier: "a", title: "A", textInput: field)])
        let arguments = NotifyArguments(
            try Samples.presentation(category: category),
            for: Samples.server("Plasma", ["actions", "inline-reply"]))
        let label = arguments.hints["x-kde-reply-submit-button-text"]
        #expect(label == .string("Send &&\u{A0}close"))
        #expect(arguments.hints["x-kde-reply-placeholder-text"] == .string("R&D"))
    }

    @Test func `a label is one line without control characters`() throws {
        let category = NotificationCategory(
            identifier: "c",
            actions: [NotificationAction(identifier: "a", title: "Two\nlines\u{1B}")])
        let arguments = NotifyArguments(
            try Samples.presentation(category: category), for: Samples.server())
        #expect(arguments.actions.first?.label == "Two lines")
    }
}
