internal import NotificationModel

/// `tocsin send SUMMARY [BODY]` without any option.
///
/// There is nothing to parse then, and the parser's set-up would take longer than the sending:
/// the one command that scripts call by the thousand goes without it. A test compares its request
/// with the one of `SendCommand`.
struct PlainSend: ToolCommand {
    var summary: String
    var body: String

    /// The command, or nil where the words need the parser.
    init?(_ arguments: [String]) {
        guard (2...3).contains(arguments.count), arguments[0] == "send",
            !arguments.contains(where: { $0.hasPrefix("-") })
        else { return nil }
        summary = arguments[1]
        body = arguments.count == 3 ? arguments[2] : ""
    }

    func request(in environment: ToolEnvironment) -> NotificationRequest {
        var content = RequestMark.content(summary, body, at: environment.now)
        content.desktop = DesktopOptions()
        return NotificationRequest(identifier: RequestMark.newIdentifier(), content: content)
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let center = try await Center.open(environment, ahead: true)
        try await center.send(request(in: environment), for: .tocsin)
        return .done
    }
}
