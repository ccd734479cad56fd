internal import ArgumentParser
internal import NotificationModel

/// `tocsin remove`: removes pending requests or delivered notifications.
struct RemoveCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove pending or delivered notifications.",
        discussion: """
            tocsin remove tea
            tocsin remove --all --delivered

            \(NotificationLookup.help) If one of the IDs is not found, nothing is removed. 'tocsin \
            cancel' does the same.
            """)

    @Argument(
        help: ArgumentHelp("The IDs of the notifications.", valueName: "id"),
        completion: NotificationLookup.completion)
    var identifiers: [String] = []

    @Flag(help: "Removes all notifications of the app.")
    var all = false

    @Flag(help: "Removes delivered notifications and their popups.")
    var delivered = false

    @OptionGroup var selection: AppSelection

    @Flag(help: "Prints one JSON object a line for each removed notification.")
    var json = false

    func validate() throws {
        guard all != !identifiers.isEmpty else {
            throw ValidationError(
                all
                    ? "'--all' and identifiers exclude each other; give one or the other"
                    : "The identifiers are missing; give some, or '--all'")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        let app = try selection.resolved()
        let center =
            try await delivered
            ? .open(environment) : CenterClient.openOrInbox(environment, reading: true)
        var chosen: [String] = []
        for text in identifiers {
            let identifier = try await identifier(text, of: app, at: center)
            if !chosen.contains(where: { $0.hasSameBytes(as: identifier) }) {
                chosen.append(identifier)
            }
        }
        if all {
            chosen = try await center.notifications(
                of: app, delivered: delivered, as: \.request.identifier)
        }
        let selection: NotificationSelection = all ? .all : .identifiers(chosen)
        if delivered {
            try await center.service.removeDelivered(selection, of: app)
        } else {
            try await center.requests.removePending(selection, of: app)
        }
        if chosen.isEmpty, let notice = await OtherStore.notice(at: center) {
            Output.warn("tocsin: nothing was removed: \(notice)")
        }
        if json {
            try Output.lines(chosen.map { RecordValue.identifier($0).text })
        }
        guard let file = try? CommandFile(environment) else { return }
        do {
            try await file.prune(app, answered: Set(chosen), at: center, now: environment.now)
        } catch {
            // The notifications are removed, and a later call removes their commands.
            Output.warn(ToolError(error).text)
        }
    }

    /// The identifier that the user means.
    ///
    /// If only a delivered notification matches, the error says to add `--delivered`.
    private func identifier(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws -> String {
        let shown = try await NotificationLookup.delivered(text, of: app, at: center)
        if delivered {
            return try NotificationLookup.choose(text, among: shown, \.request).key.identifier
        }
        let waiting = try await NotificationLookup.pending(text, of: app, at: center)
        if waiting.isEmpty, shown.count == 1, Abbreviation(text).begins(shown[0].key.identifier) {
            throw ToolError.failure(
                "\(text.quotedForMessage()) is no longer pending: it was delivered. Add "
                    + "'--delivered' to remove it.")
        }
        return try NotificationLookup.choose(text, among: waiting, \.request).key.identifier
    }
}

/// `tocsin cancel`: `remove` under the name that many users try first.
struct CancelCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "The same as 'remove'.",
        discussion: """
            tocsin cancel tea
            tocsin cancel --all

            \(NotificationLookup.help) If one of the IDs is not found, nothing is removed.
            """)

    @OptionGroup var remove: RemoveCommand

    func run(in environment: ToolEnvironment) async throws {
        try await remove.run(in: environment)
    }
}
