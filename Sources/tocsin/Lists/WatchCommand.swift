internal import ArgumentParser
internal import NotificationModel

/// `tocsin watch`: prints responses until it is interrupted.
struct WatchCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print responses as they come.",
        discussion: """
            Prints one line for each response to a notification of any app, until it is \
            interrupted. The responses still go to their apps.
            """)

    @Option(
        "Prints only responses to notifications of this app.",
        value: "id", name: .customLong("app"), parsing: .next)
    var appID: String?

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func run(in environment: ToolEnvironment) async throws {
        let app = try appID.map(AppSelection.id)
        let center = try await CenterClient.open(environment)
        let (changes, feed) = AsyncStream.makeStream(of: ServiceChange.self)
        await center.connection.onLoss { feed.finish() }
        _ = try await center.service.watch(app) { feed.yield($0) }
        for await change in changes {
            guard case .answer(let key, let action) = change else { continue }
            try Output.line(text(key, action))
        }
        throw ToolError.unreachable(
            "The session bus was lost, so the tool receives no more responses. Run the command "
                + "again in a running session.")
    }

    func text(_ key: NotificationKey, _ action: NotificationResponse.Action) -> String {
        guard !json else {
            return RecordValue.record(
                [.init("app", key.app.rawValue), .init("id", key.identifier)] + action.members
            ).text
        }
        let (outcome, identifier, reply) = action.words
        let words = [key.app.rawValue, key.identifier, outcome, identifier, reply]
        return words.compactMap { $0.map(TerminalEscaping.line) }.joined(separator: "  ")
    }
}
