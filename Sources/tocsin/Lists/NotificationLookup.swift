internal import ArgumentParser
internal import NotificationModel

/// The notification that a person means, whether it waits, was delivered, or came to nothing.
enum NotificationLookup {
    case pending(PendingNotification)
    case delivered(DeliveredNotification)
    /// Neither waits nor was delivered; of what was asked for its records keep the title alone.
    case ended(ApplicationID, NotificationRequest)

    /// Looks for an ID among what waits, then among what was delivered, then among what is known
    /// by its records alone.
    ///
    /// A number is that of the list of what waits.
    static func find(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws(ToolError) -> NotificationLookup {
        let (pending, delivered, records) = try await translatingErrors {
            () async throws(NotificationError) in
            (
                try await center.requests.pending(of: app), try await center.delivered(of: app),
                try await center.records(of: app)
            )
        }
        let present = unique(pending.map(\.request) + delivered.map(\.request))
        let ended = unique(records.filter { !$0.identifier.isEmpty }.map(\.request))
        let identifier = try identifier(text, among: present, or: ended)
        if let found = pending.first(where: { $0.request.identifier == identifier }) {
            return .pending(found)
        }
        if let found = delivered.first(where: { $0.request.identifier == identifier }) {
            return .delivered(found)
        }
        guard let found = ended.first(where: { $0.identifier == identifier }) else {
            throw ToolError(
                missing: text.quotedForMessage(),
                "There is no notification \(text.quotedForMessage()).")
        }
        return .ended(app, found)
    }

    /// What is there is meant before what has gone.
    private static func identifier(
        _ text: String, among present: [NotificationRequest], or ended: [NotificationRequest]
    ) throws(ToolError) -> String {
        do throws(ToolError) {
            return try IdentifierResolver.resolve(text, among: present)
        } catch {
            let isAmbiguous = present.contains { $0.identifier.hasPrefix(text) }
            guard !isAmbiguous, !text.isEmpty, text != "last",
                ended.contains(where: { $0.identifier.hasPrefix(text) })
            else { throw error }
            return try IdentifierResolver.resolve(text, among: ended, numbered: [])
        }
    }

    private static func unique(_ requests: [NotificationRequest]) -> [NotificationRequest] {
        var seen: Set<String> = []
        return requests.filter { seen.insert($0.identifier).inserted }
    }

    /// What was asked for.
    var request: NotificationRequest {
        switch self {
        case .pending(let pending): pending.request
        case .delivered(let delivered): delivered.request
        case .ended(_, let request): request
        }
    }

    /// Whose it is.
    var app: ApplicationID {
        switch self {
        case .pending(let pending): pending.app
        case .delivered(let delivered): delivered.app
        case .ended(let app, _): app
        }
    }
}

extension NotificationRecord {
    /// What is left of the request.
    fileprivate var request: NotificationRequest {
        NotificationRequest(identifier: identifier, content: NotificationContent(title: title))
    }
}

/// Finds the request that a person means: by identifier, by a unique prefix, by its number in the
/// list, or `last`.
enum IdentifierResolver {
    /// What the help of commands says of it.
    static let help = """
        ID is an identifier, the beginning of exactly one, its number in 'list', or 'last' for the \
        newest that this tool made.
        """

    /// What a shell offers in place of one.
    ///
    /// bash expands what it is offered, and puts it on the command line as it is: an identifier such
    /// as `$(command)` is never offered. In zsh a colon begins a description, unless it is escaped:
    /// here it is \x3a, because one in the command would end the words of which the command is one.
    static var completion: CompletionKind {
        let command = "tocsin list --ids --plain 2>/dev/null"
        return .shellCommand(
            CompletionShell.requesting == .zsh
                ? command + #" | sed "s/\x3a/\\\\&/g""# : command)
    }

    /// The identifier, or the error that says why there is none.
    ///
    /// Numbers are those of the list of what waits, where that is given, too.
    static func resolve(
        _ text: String, among requests: [NotificationRequest],
        numbered listed: [NotificationRequest]? = nil
    ) throws(ToolError) -> String {
        if requests.contains(where: { $0.identifier == text }) { return text }
        if text == "last" { return try last(requests) }
        var matches = requests.map(\.identifier).filter { !text.isEmpty && $0.hasPrefix(text) }
        if let numbered = numbered(text, among: listed ?? requests), !matches.contains(numbered) {
            matches.append(numbered)
        }
        switch matches.count {
        case 1: return matches[0]
        case 0:
            throw ToolError(
                missing: text.quotedForMessage(),
                "There is no notification \(text.quotedForMessage()). 'tocsin list' shows those "
                    + "that wait, 'tocsin list --delivered' the others.")
        default:
            let shown = matches.prefix(3).map { $0.quotedForMessage() }.joined(separator: ", ")
            throw ToolError(
                .failure,
                "\(text.quotedForMessage()) may mean \(matches.count) notifications "
                    + "(\(shown)\(matches.count > 3 ? ", …" : "")). Write more of the identifier.")
        }
    }

    /// The one in this line of the list, from 1.
    private static func numbered(
        _ text: String, among requests: [NotificationRequest]
    ) -> String? {
        guard text.allSatisfy(\.isNumber), let number = Int(text),
            requests.indices.contains(number - 1)
        else { return nil }
        return requests[number - 1].identifier
    }

    private static func last(_ requests: [NotificationRequest]) throws(ToolError) -> String {
        let dated = requests.compactMap { request in
            RequestTag.creation(of: request).map { (date: $0, id: request.identifier) }
        }
        guard let newest = dated.max(by: { $0.date < $1.date }) else {
            throw ToolError(
                missing: "The last notification",
                "There is no last notification: none here was made by this tool. 'tocsin list' "
                    + "shows the identifiers.")
        }
        return newest.id
    }
}
