import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The trials for every server; each returns its outcome.
extension ServerTrial {
    static let yes = "yes"
    static let no = "no"
    static let hasNone = "has none"

    mutating func outcome(of cell: MatrixCell) async throws -> String {
        switch cell {
        case .name: try await name()
        case .icon: try await drawnIcon()
        case .image: try await image()
        case .markup: try await markup()
        case .buttons: try await buttons()
        case .button: try await button()
        case .body: try await body()
        case .dismissal: try await dismissal()
        case .expiry: try await expiry()
        case .replace: try await replacement()
        case .windowRunning: try await windowOfRunningApp()
        case .windowCold: try await windowOfColdApp()
        case .reply: try await reply()
        case .doNotDisturb: try await doNotDisturb()
        case .silenceSeen: try await silenceSeen()
        case .switchSeen: try await switchSeen()
        case .switchTold: try await switchTold()
        case .unknownID: try await unknownID()
        case .restart: try await restart()
        }
    }

    // MARK: The popup

    private func widgets() async throws -> [Widget] {
        session.server.tellsText ? try await session.tree.widgets() : []
    }

    /// The documentation shows this trial's screenshot.
    private func name() async throws -> String {
        try await show("Tea is ready") { $0.body = "Three minutes are over." }
        try await session.hover("Tea is ready")
        let image = try await session.screenshot("\(session.server.name)-name")
        let widgets = try await widgets()
        try await session.movePointerAway()
        try await clear("Tea is ready")
        guard session.server.tellsText else {
            let text = try await session.printed(on: image)
            guard text.contains("Teaisready") else {
                throw HarnessError("\(image) could not be read: \(text)")
            }
            return text.contains(Self.appName) ? Self.yes : Self.no
        }
        return widgets.contains { $0.text == Self.appName } ? Self.yes : Self.no
    }

    /// Checks the icon with and without an image, because some servers draw both in one place.
    private func drawnIcon() async throws -> String {
        try await show("Without", category: "")
        let plain = try await session.screenshot("\(session.server.name)-icon")
        try await clear("Without")
        guard try await TestImage.pixels(in: plain, of: TestImage.iconColor) > 50 else {
            return Self.no
        }
        try await showImage("With", category: "") { _ in }
        let both = try await session.screenshot("\(session.server.name)-icon-picture")
        try await clear("With")
        let beside = try await TestImage.pixels(in: both, of: TestImage.iconColor) > 50
        return beside ? Self.yes : "without a picture"
    }

    private func image() async throws -> String {
        try await showImage("Pictured", category: "drink") { _ in }
        try await session.hover("Pictured")
        // Some servers draw the image after the rest.
        let drawn: Void? = try? await polled(
            "the image", because: "a screen does not say when it is drawn", within: 5
        ) {
            let image = try await session.screenshot("\(session.server.name)-image")
            let count = try await TestImage.pixels(
                in: image, blended: session.server.isTranslucent)
            return count > 100 ? () : nil
        }
        try await session.movePointerAway()
        try await clear("Pictured")
        return drawn == nil ? Self.no : Self.yes
    }

    private func markup() async throws -> String {
        try await show("Marked", category: "") { content in
            content.subtitle = "Green & fresh"
            content.body = "1 < 2 <b>not bold</b>"
        }
        try await session.hover("Marked")
        let image = try await session.screenshot("\(session.server.name)-markup")
        let widgets = try await widgets()
        try await session.movePointerAway()
        try await clear("Marked")
        let wanted = "Green & fresh 1 < 2 <b>not bold</b>"
        guard session.server.tellsText else {
            let text = try await session.printed(on: image)
            guard text.contains("fresh") else {
                throw HarnessError("\(image) could not be read: \(text)")
            }
            return text.contains(PrintedText.letters(of: wanted)) ? Self.yes : Self.no
        }
        return widgets.contains { $0.text == wanted } ? Self.yes : Self.no
    }

    private mutating func buttons() async throws -> String {
        try await showImage("Choice", category: "five") { $0.subtitle = "Of five" }
        try await session.hover("Choice")
        try await session.screenshot("\(session.server.name)-buttons")
        if !session.server.draws.contains(.buttons) {
            try await session.choose("Five", of: "Choice")
            try await expectResponse(.custom("Five"), to: "Choice")
            try await clear("Choice")
            return "in a menu"
        }
        let widgets = try await session.tree.widgets()
        try await session.movePointerAway()
        try await clear("Choice")
        let count = widgets.filter { $0.role == .pushButton && Self.fiveLabels.contains($0.text) }
            .count
        if count > 0 { return "\(count)" }
        return widgets.contains { $0.role == .comboBox } ? "a list" : Self.no
    }

    // MARK: User actions

    private mutating func button() async throws -> String {
        try await show("Button")
        try await session.choose("Drink", of: "Button")
        try await expectResponse(.custom("drink"), to: "Button")
        try await session.waitUntilGone("Button")
        return Self.yes
    }

    private mutating func body() async throws -> String {
        try await show("Body")
        try await session.chooseDefault(labelled: "Open", of: "Body")
        try await expectResponse(.standard, to: "Body")
        try await session.waitUntilGone("Body")
        if case .button = session.server.defaultAction { return "by a button" }
        return Self.yes
    }

    private mutating func dismissal() async throws -> String {
        try await show("Dismissed")
        try await session.dismiss("Dismissed")
        let response = try await expectResponse(to: "Dismissed")
        return switch response.action {
        case .dismiss: Self.yes
        case .standard: "as a click on it"
        default: "as \(response.action)"
        }
    }

    /// If an expiry sent a response, the next trial would fail.
    private func expiry() async throws -> String {
        let isExpected = MatrixExpectations.outcome(of: .expiry, on: session.server) == Self.yes
        let recorder = try await BusRecorder(session.bus)
        try await post("Expiring") { $0.desktop?.expireTimeout = 2_000 }
        // A server that has not closed the popup after three times the timeout never will.
        let closed: Void? = try? await recorder.waitForLine(
            containing: "member=NotificationClosed", within: isExpected ? 60 : 6)
        await recorder.stop()
        try await clear("Expiring")
        return closed == nil ? "ignored" : Self.yes
    }

    private mutating func replacement() async throws -> String {
        try await show("First", identifier: "same")
        try await show("Second", identifier: "same")
        if session.server.tellsSummary { try await session.waitUntilGone("First") }
        try await session.choose("Drink", of: "Second")
        try await expectResponse(.custom("drink"), to: "Second")
        try await session.waitUntilGone("Second")
        return Self.yes
    }

    private mutating func reply() async throws -> String {
        let server = try await center.service.status().presenter
        let isInline = server.capabilities.contains("inline-reply")
        try await show("Question", category: "reply")
        if isInline {
            try await session.type(intoPopup: "On my way!")
        } else {
            try await session.choose("Reply", of: "Question")
            try await session.type(intoDialog: "On my way!")
        }
        try await session.screenshot("\(session.server.name)-reply")
        if isInline {
            try await session.pointer.press("Return")
        } else {
            try await session.acceptDialog()
        }
        try await expectResponse(.reply("reply", text: "On my way!"), to: "Question")
        try await session.movePointerAway()
        try await session.waitUntilGone("Question")
        return isInline ? "in the popup" : "by a dialog"
    }

    // MARK: Events around a popup

    private func doNotDisturb() async throws -> String {
        guard session.server.silence != nil else {
            return Self.hasNone
        }
        try await session.setDoNotDisturb(true)
        try await post("Quiet")
        let atOnce = try await session.isShown("Quiet")
        try await session.screenshot("\(session.server.name)-silence")
        // Check twice, because some servers draw after their answer.
        let shown = if atOnce { true } else { try await session.isShown("Quiet") }
        try await session.setDoNotDisturb(false)
        try await clear("Quiet")
        try await show("Loud")
        try await clear("Loud")
        return shown ? Self.no : Self.yes
    }

    private func unknownID() async throws -> String {
        let client = try await PlainClient(on: session.bus)
        let unknown: UInt32 = 99_999
        var seen: [String] = []
        do {
            let id = try await client.notify("Unknown", replacing: unknown)
            seen.append(id == unknown ? "taken" : "new id")
            try await client.close(id)
        } catch {
            seen.append("refused")
        }
        do {
            try await client.close(4_242)
            // A server sends any signal about the close before its next answer.
            _ = try await client.capabilities()
            let said = client.signals.all.contains { $0 == .closed(id: 4_242, reason: 3) }
            seen.append(said ? "told closed" : "silence")
        } catch {
            seen.append("error")
        }
        await client.disconnect()
        // Cinnamon 6.6 sends no signal about a popup that appears while another popup leaves.
        try await clear("Unknown")
        return seen.joined(separator: ", ")
    }

    /// Restarts the server; the centre posts the popups again on servers with a notification list.
    private mutating func restart() async throws -> String {
        let server = try await center.service.status().presenter
        let isPersistent = server.capabilities.contains("persistence")
        try await show("Before")
        let recorder = try await BusRecorder(session.bus)
        try await session.restart()
        if isPersistent { try await recorder.waitForLine(containing: "\"Before\"") }
        await recorder.stop()
        try await clear("Before")
        try await show("After")
        try await session.choose("Drink", of: "After")
        try await expectResponse(.custom("drink"), to: "After")
        try await clear()
        return isPersistent ? "shown again" : Self.yes
    }
}
