internal import ArgumentParser
internal import NotificationModel

/// A notification as lists and reports have it.
enum ListedNotification {
    case pending(PendingNotification)
    case delivered(DeliveredNotification)
    /// Neither pending nor delivered; of its request the records keep the title alone.
    case ended(ApplicationID, NotificationRequest)

    /// The request that made it.
    var request: NotificationRequest {
        switch self {
        case .pending(let pending): pending.request
        case .delivered(let delivered): delivered.request
        case .ended(_, let request): request
        }
    }

    /// The app and the identifier.
    var key: NotificationKey {
        switch self {
        case .pending(let pending): pending.key
        case .delivered(let delivered): delivered.key
        case .ended(let app, let request):
            NotificationKey(app: app, identifier: request.identifier)
        }
    }
}

/// Finds the notification that the user means: by its identifier, by a unique prefix, by its number
/// in the list, or by `last`.
///
/// It owns the rules of an ID for every command that takes one. An ID with two meanings is an
/// error; it never chooses one of them.
enum NotificationLookup {
    /// The sentence about IDs in the help of commands.
    static let help = """
        ID is an identifier, the beginning of exactly one, its number in 'list', or 'last' for the \
        newest that this tool made.
        """

    /// The help of the argument that is one ID.
    static let argument = ArgumentHelp("Which one.", valueName: "id")

    /// The completion that a shell offers for an ID.
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

    /// Finds a pending request.
    static func pending(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws -> PendingNotification {
        // A whole identifier costs one row, not the list.
        let exact = try await center.requests.pending(of: app, identifiers: [text])
        if let exact = exact.first { return exact }
        let all = try await center.requests.pending(of: app)
        let identifier = try resolve(text, among: all.map(\.request))
        guard let found = all.first(where: { $0.request.identifier == identifier }) else {
            throw missing(text)
        }
        return found
    }

    /// Finds an ID among the pending requests, then among the delivered notifications, then among
    /// those that only records know.
    ///
    /// A number is that of the list of pending requests.
    static func anywhere(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws -> ListedNotification {
        let pending = try await center.requests.pending(of: app)
        let delivered = try await center.delivered(of: app)
        let records = try await center.records(of: app).filter { !$0.identifier.isEmpty }
        let present = unique(pending.map { .pending($0) } + delivered.map { .delivered($0) })
        let ended = unique(records.map { .ended(app, $0.request) })
        let identifier = try identifier(
            text, among: present.map(\.request), or: ended.map(\.request))
        let found = (present + ended).first { $0.request.identifier == identifier }
        guard let found else { throw missing(text) }
        return found
    }

    /// Prefers the notifications that are there to those that have ended.
    private static func identifier(
        _ text: String, among present: [NotificationRequest], or ended: [NotificationRequest]
    ) throws(ToolError) -> String {
        do throws(ToolError) {
            return try resolve(text, among: present)
        } catch {
            let isAmbiguous = present.contains { $0.identifier.hasPrefix(text) }
            guard !isAmbiguous, !text.isEmpty, text != "last",
                ended.contains(where: { $0.identifier.hasPrefix(text) })
            else { throw error }
            return try resolve(text, among: ended, numbered: [])
        }
    }

    private static func unique(_ notifications: [ListedNotification]) -> [ListedNotification] {
        var seen: Set<String> = []
        return notifications.filter { seen.insert($0.request.identifier).inserted }
    }

    private static func missing(_ text: String) -> ToolError {
        ToolError(
            missing: text.quotedForMessage(),
            "There is no notification \(text.quotedForMessage()).")
    }
}

extension CenterClient {
    /// The delivered or the pending notifications of one app or of all, in the order of `list`.
    func notifications(
        of app: ApplicationID?, delivered isDelivered: Bool
    ) async throws(NotificationError) -> [ListedNotification] {
        isDelivered
            ? try await delivered(of: app).map { .delivered($0) }
            : try await requests.pending(of: app).map { .pending($0) }
    }
}

extension NotificationRecord {
    /// The part of the request that the record keeps.
    fileprivate var request: NotificationRequest {
        NotificationRequest(identifier: identifier, content: NotificationContent(title: title))
    }
}
