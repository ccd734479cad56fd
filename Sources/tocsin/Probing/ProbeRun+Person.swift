internal import Freedesktop
internal import NotificationModel

/// The questions that a person at the screen answers.
extension ProbeRun {
    private static let five = ["One", "Two", "Three", "Four", "Five"]

    mutating func askPerson() async throws(ToolError) {
        Output.warn(
            "Each question shows one popup. Answer on this terminal, or do what is asked; 's' and "
                + "Return skips a question.")
        try await askWhatIsSeen()
        try await askForButton()
        try await askForBody()
        try await askForDismissal()
        try await askForReply()
    }

    // MARK: What is seen

    private mutating func askWhatIsSeen() async throws(ToolError) {
        let plain = try await show(ProbePopup("What is drawn"))
        try await ask(.name, "Does the popup say '\(ProbePopup.appName)'? [y/n]", Self.yesOrNo)
        try await ask(
            .icon, "Is an icon in it that stands for information? [y/n]", Self.yesOrNo)
        await clear(plain)
        var popup = ProbePopup("A picture")
        popup.hasPicture = true
        let pictured = try await show(popup)
        try await ask(.image, "Is a square of one bright pink in it? [y/n]", Self.yesOrNo)
        if report.outcomes[.icon] == "yes" {
            try await ask(.icon, "Is the icon there, too? [y/n]") { line in
                Self.yesOrNo(line).map { $0 == "yes" ? "yes" : "without a picture" }
            }
        }
        await clear(pictured)
        try await askForText()
        var five = ProbePopup("Five buttons")
        five.buttons = Self.five
        let choice = try await show(five)
        try await ask(
            .buttons,
            "How many of the buttons One to Five are there? [0-5, m: in a menu, l: in a list]",
            Self.count)
        await clear(choice)
    }

    private mutating func askForText() async throws(ToolError) {
        var popup = ProbePopup("Text")
        popup.subtitle = "Green & fresh"
        popup.body = "1 < 2 <b>not bold</b>"
        let id = try await show(popup)
        try await ask(
            .markup, "Does it say, as it stands here: Green & fresh 1 < 2 <b>not bold</b>? [y/n]",
            Self.yesOrNo)
        await clear(id)
    }

    /// Asks until an answer can be read; nothing is noted of what is skipped.
    private mutating func ask(
        _ cell: ProbeCell, _ question: String, _ reading: (String) -> String?
    ) async throws(ToolError) {
        while true {
            Output.warn("\(cell.title): \(question)")
            let line = try await first(within: limit) { event in
                if case .typed(let line) = event { line ?? "s" } else { nil as String? }
            }
            guard let line, line.lowercased() != "s" else { return }
            if let outcome = reading(line) {
                report.outcomes[cell] = outcome
                return
            }
            Output.warn("That is none of the answers.")
        }
    }

    static func yesOrNo(_ line: String) -> String? {
        switch line.lowercased().trimmed {
        case "y", "yes": "yes"
        case "n", "no": "no"
        default: nil
        }
    }

    static func count(_ line: String) -> String? {
        switch line.lowercased().trimmed {
        case "m": "in a menu"
        case "l": "a list"
        case "0": "no"
        case let text: Int(text).flatMap { (1...5).contains($0) ? "\($0)" : nil }
        }
    }

    // MARK: What is done

    private mutating func askForButton() async throws(ToolError) {
        var popup = ProbePopup("Press the button")
        popup.buttons = ["Like"]
        try await request(.button, popup, "Press the button 'Like', in its menu if it has one.") {
            switch $0 {
            case .action(ProbePopup.key("Like")): "yes"
            default: "no"
            }
        }
    }

    private mutating func askForBody() async throws(ToolError) {
        try await request(.body, ProbePopup("Click the text"), "Click on the text of the popup.") {
            switch $0 {
            case .action: "yes"
            case .closed: "closes"
            case .replied: "no"
            }
        }
    }

    private mutating func askForDismissal() async throws(ToolError) {
        var popup = ProbePopup("Close it")
        popup.buttons = ["Like"]
        try await request(
            .dismissal, popup, "Close the popup without choosing anything, as you usually do."
        ) {
            switch $0 {
            case .closed(reason: 2): "yes"
            case .closed(let reason): "reason \(reason)"
            case .action, .replied: "no"
            }
        }
    }

    /// The centre asks by a dialog where the server has no field.
    private mutating func askForReply() async throws(ToolError) {
        guard report.server.capabilities.contains("inline-reply") else {
            report.outcomes[.reply] = "by a dialog"
            return
        }
        var popup = ProbePopup("Type into it")
        popup.takesText = true
        try await request(.reply, popup, "Type 'hello' into the popup and send it.") {
            if case .replied = $0 { "in the popup" } else { "no" }
        }
    }

    /// What a person is to do with a popup; what the server says first of it counts.
    private mutating func request(
        _ cell: ProbeCell, _ popup: ProbePopup, _ wish: String,
        _ reading: (ProbeSignal) -> String
    ) async throws(ToolError) {
        let id = try await show(popup)
        Output.warn("\(cell.title): \(wish) [n: it cannot be done]")
        let outcome = try await first(within: limit) { event -> String? in
            switch event {
            case .signal(id, let signal): reading(signal)
            case .typed(let line):
                switch line?.lowercased().trimmed {
                case "n"?: "no"
                case "s"?, nil: ProbeReport.notMeasured
                default: nil
                }
            default: nil
            }
        }
        if let outcome { report.outcomes[cell] = outcome }
        await clear(id)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
