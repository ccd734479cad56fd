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
        var desktop = DesktopOptions()
        desktop.offersClick = false
        content.desktop = desktop
        return NotificationRequest(identifier: RequestMark.newIdentifier(), content: content)
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let center = try await Center.open(environment, ahead: true, followsStore: false)
        let request = request(in: environment)
        let reason: DirectPost.Reason
        do throws(ToolError) {
            try await center.send(request, for: .tocsin)
            return .done
        } catch {
            reason = try await DirectPost.reason(
                after: error, on: center.connection, in: environment)
        }
        let identity = ApplicationIdentity(id: .tocsin, name: "Tocsin")
        _ = try await DirectPost(
            request, for: identity, because: reason, on: center.connection, in: environment
        ).perform()
        return .done
    }
}
