internal import DesktopBus
internal import Foundation

/// The user's actions in front of the screen.
extension RealServer {
    /// Chooses the action with this label.
    package func choose(_ label: String, of summary: String) async throws {
        try await perform(server.action, label: label, summary: summary)
    }

    /// Chooses `default`, whose label some servers draw.
    package func chooseDefault(labelled label: String, of summary: String) async throws {
        try await perform(server.defaultAction, label: label, summary: summary)
    }

    /// Dismisses the popup without choosing anything.
    package func dismiss(_ summary: String) async throws {
        try await perform(server.dismissal, label: summary, summary: summary)
    }

    /// Returns once the popup can be seen.
    package func waitUntilShown(_ summary: String) async throws {
        switch server.sight {
        case .window(let name): _ = try await pointer.window(ofClass: name)
        case .color(let color): _ = try await place(of: color)
        case .widgets, .shell, .printed:
            _ = try await tree.waitUntilShown(summaryRole, summary)
        }
        if server.fadesIn { try await waitUntilStill() }
    }

    private static let screensReportNothing = "a screen does not say when it is drawn"

    /// Returns once two screenshots in a row are equal: clicks on a fading popup are lost.
    private func waitUntilStill() async throws {
        var last: Data?
        try await polled(
            "the end of all movement on the screen", because: Self.screensReportNothing
        ) {
            let image = FileManager.default.contents(atPath: try await takeScreenshot())
            defer { last = image }
            return image == last ? () : nil
        }
    }

    /// Whether the popup can be seen at this moment.
    package func isShown(_ summary: String) async throws -> Bool {
        switch server.sight {
        case .window(let name): return try await pointer.hasWindow(ofClass: name)
        case .color(let color):
            return try await TestImage.pixels(in: try await takeScreenshot(), of: color) > 0
        case .widgets, .shell, .printed:
            return try await tree.widgets().contains { $0.text == summary }
        }
    }

    /// Returns once the popup cannot be seen any more.
    package func waitUntilGone(_ summary: String) async throws {
        if case .widgets = server.sight {
            return try await tree.waitUntilGone(summaryRole, summary)
        }
        try await polled("the end of \"\(summary)\"", because: Self.screensReportNothing) {
            try await isShown(summary) ? nil : ()
        }
    }

    private var summaryRole: Widget.Role {
        if case .widgets(_, let role) = server.sight { role } else { .label }
    }

    /// On GNOME Shell, moves the pointer onto the popup, which then shows its buttons; elsewhere
    /// does nothing.
    package func hover(_ summary: String) async throws {
        if case .shell = server.sight {
            try await hands.hover(try await tree.waitUntilShown(.label, summary))
            // The close button appears together with the other buttons.
            _ = try await tree.waitUntilShown(.pushButton, "Close")
        }
    }

    /// Writes the program of an app with a window.
    package func appWindow(_ title: String) throws -> AppWindow {
        try AppWindow(
            title, in: bus.directory, environment: environment, windows: windows, hands: hands)
    }

    /// Types a text into the text field of a popup.
    ///
    /// The server opens the field at once if the popup offers only a reply.
    package func type(intoPopup text: String) async throws {
        // The field is invisible to assistive technologies, but lies beside its button.
        let send = try await tree.waitUntilShown(.pushButton, "Send")
        try await pointer.click(send.moved(x: -120, y: 0))
        try await pointer.type(text)
    }

    /// Types a text into the dialog that appears.
    package func type(intoDialog text: String) async throws {
        switch server.session.display {
        case .shell:
            _ = try await dialogTitle()
            try await hands.type(text)
        case .sway:
            let title = try await dialogTitle()
            try await polled(
                "\"\(text)\" in the dialog", because: Self.screensReportNothing
            ) { () -> Void? in
                // Type again after a failed check: a window that does not have the keyboard yet
                // loses letters.
                try await hands.type(text)
                guard let area = try await windows.area(of: title) else { return nil }
                let seen = try await PrintedText.read(try await takeScreenshot(), in: area)
                // More letters are accepted: tesseract reads a mark beside the cursor as letters.
                return seen.filter(\.isLetter).contains(text.filter(\.isLetter)) ? () : nil
            }
        case .x11, .kwin:
            let corner = try await pointer.window(ofClass: "Zenity")
            // Without a window manager the window under the pointer has the keyboard.
            try await pointer.hover(corner.moved(x: 60, y: 30))
            try await pointer.type(text)
        }
    }

    /// Waits for a dialog, and returns its title.
    private func dialogTitle() async throws -> String {
        try await polled("a dialog", because: "compositors have no common event for windows") {
            try await windows.titleInFront()
        }
    }

    /// Presses the default button of the dialog in front.
    package func acceptDialog() async throws {
        if let remote = hands as? RemoteDesktop { return try await remote.pressReturn() }
        guard server.session.display == .sway else { return try await pointer.press("Return") }
        guard let title = try await windows.titleInFront(),
            let area = try await windows.area(of: title)
        else { throw HarnessError("there is no dialog to accept") }
        // Click its button OK: GTK's default button ignores the virtual keyboard's Return.
        try await hands.click(area.end.moved(x: -55, y: -26), .left)
    }

    /// Reads the text in the popups, without white space.
    ///
    /// It works for servers that show popups at the top right.
    package func printed(on screenshot: String) async throws -> String {
        try await PrintedText.read(
            screenshot, in: ScreenArea(x: 780, y: 0, width: 500, height: 250))
    }

    /// Moves the pointer to a place without widgets.
    package func movePointerAway() async throws {
        try await hands.moveAway()
    }

    /// Turns Do Not Disturb on or off.
    package func setDoNotDisturb(_ isOn: Bool) async throws {
        switch server.silence {
        case .command(let on, let off): try await run(isOn ? on : off)
        case .shell(let on, let off): try await shell?.run(isOn ? on : off)
        case .inhibition: try await inhibit(isOn)
        case nil: throw HarnessError("a test cannot turn on Do Not Disturb of \(server.name)")
        }
    }

    /// Turns the desktop's own switch for the app on or off.
    package func setAppSwitch(_ isOn: Bool) async throws {
        guard let commands = server.appSwitch else {
            throw HarnessError("\(server.name) has no switch for an app")
        }
        try await run(isOn ? commands.on : commands.off)
    }

    /// Whether the desktop's own switch for the app is on.
    package func appSwitch() async throws -> Bool {
        guard let commands = server.appSwitch, let name = commands.reading.first else {
            throw HarnessError("\(server.name) has no switch for an app")
        }
        let text = try await RunningProgram.run(
            name, Array(commands.reading.dropFirst()), environment: environment)
        return !text.contains(commands.isOffAt)
    }

    private func inhibit(_ isOn: Bool) async throws {
        if isOn {
            let client = try await PlainClient(on: bus)
            let answer = try await client.call(
                "Inhibit", [.string("org.tocsin.Test"), .string("reading"), .vardict([])])
            guard let cookie = answer.first?.uint32Value else {
                throw HarnessError("Inhibit answered \(answer), not a number")
            }
            inhibitions.append((client, cookie))
        } else if let (client, cookie) = inhibitions.all.last {
            _ = try await client.call("UnInhibit", [.uint32(cookie)])
        }
    }

    private func perform(
        _ gesture: DesktopServer.Gesture, label: String, summary: String
    ) async throws {
        switch gesture {
        case .button:
            try await hover(summary)
            try await click(.pushButton, label, of: summary)
        case .named(let name):
            try await hover(summary)
            try await click(.pushButton, name, of: summary)
        case .text:
            try await click(summaryRole, summary, of: summary)
        case .beside(let x, let y):
            let center = try await tree.waitUntilShown(summaryRole, summary)
            try await hands.click(center.moved(x: x, y: y), .left)
        case .window(let name, let button):
            let corner = try await pointer.window(ofClass: name)
            try await hands.click(corner.moved(x: 40, y: 20), button)
        case .color(let button):
            guard case .color(let color) = server.sight else { return }
            try await hands.click(try await place(of: color), button)
        case .cross: try await clickCross(of: summary)
        case .place(let place):
            try await hands.hover(try await tree.waitUntilShown(summaryRole, summary))
            // When this call returns, the server has drawn the close button.
            _ = try await isShown(summary)
            try await hands.clickSlowly(place)
        case .menu(let name, let button):
            try choose(label)
            try await openMenu(button) {
                try await pointer.window(ofClass: name).moved(x: 40, y: 20)
            }
        case .colorMenu(let button):
            guard case .color(let color) = server.sight else { return }
            try choose(label)
            try await openMenu(button) { try await place(of: color) }
        }
    }

    private func click(_ role: Widget.Role, _ label: String, of summary: String) async throws {
        guard case .shell = server.sight else {
            return try await hands.click(try await tree.waitUntilShown(role, label), .left)
        }
        // The shell loses clicks while it changes the region of the screen that takes clicks. A
        // click that the shell takes ends the banner.
        try await polled(
            "the shell to take a click on \(label)", because: "a click that is lost has no event"
        ) {
            try await hands.click(try await tree.waitUntilShown(role, label), .left)
            for _ in 0..<100 {
                if try await !isShown(summary) { return () }
            }
            try await hover(summary)
            return nil
        }
    }

    /// Runs a command in the session; `@` stands for the folder of the server's files.
    func run(_ command: [String]) async throws {
        try await RunningProgram.run(
            command[0], command.dropFirst().map(placed), environment: environment)
    }

    /// Writes the label of the entry that the menu script is to choose.
    private func choose(_ label: String) throws {
        try label.write(toFile: "\(folder)/choice", atomically: true, encoding: .utf8)
    }

    private func takeScreenshot() async throws -> String {
        try await screenshot("seen-\(server.name)")
    }

    /// Waits until the screen shows this colour, and returns a point that has the colour.
    private func place(of color: String) async throws -> ScreenPoint {
        try await polled("a popup of the colour \(color)", because: Self.screensReportNothing) {
            try await TestImage.place(of: color, in: try await takeScreenshot())
        }
    }

    /// Clicks until the server has opened its menu: a click during a redraw is lost.
    private func openMenu(
        _ button: PointerButton, at place: () async throws -> ScreenPoint
    ) async throws {
        let opened = "\(folder)/opened"
        try? FileManager.default.removeItem(atPath: opened)
        try await polled("the server's menu", because: "a click that is lost has no event") {
            try await hands.click(try await place(), button)
            // `moveAway` waits for the display, so the loop needs no other pause.
            for _ in 0..<100 {
                if FileManager.default.fileExists(atPath: opened) { return () }
                try await hands.moveAway()
            }
            return nil
        }
    }

    /// Clicks on the cross; some servers draw it only while the pointer is on the popup.
    private func clickCross(of summary: String) async throws {
        try await polled(
            "\"\(summary)\" to take a click on its cross",
            because: "a click that is lost has no event"
        ) {
            guard try await isShown(summary) else { return () }
            let place = try await tree.waitUntilShown(summaryRole, summary)
            try await hands.hover(place)
            let nameless = try await tree.widgets().filter {
                $0.role == .pushButton && $0.text.isEmpty
            }
            guard
                let cross = nameless.min(by: {
                    abs($0.center.y - place.y) < abs($1.center.y - place.y)
                })
            else { return nil }
            try await hands.hover(cross.center)
            // When this call returns, the popup has reacted to the pointer and moved its widgets.
            _ = try await isShown(summary)
            try await hands.clickSlowly(cross.center)
            for _ in 0..<5 {
                if try await !isShown(summary) { return () }
            }
            return nil
        }
        try await hands.moveAway()
    }
}
