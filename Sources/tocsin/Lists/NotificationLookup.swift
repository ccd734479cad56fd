internal import ArgumentParser
internal import NotificationModel

/// A notification of a list or a report.
enum ListedNotification {
    case pending(PendingNotification)
    case delivered(DeliveredNotification)
    /// A notification that is neither pending nor delivered, found in the records.
    ///
    /// A record has only its identifier and title, so its request has nothing else.
    case ended(ApplicationID, NotificationRequest)

    var request: NotificationRequest {
        switch self {
        case .pending(let pending): pending.request
        case .delivered(let delivered): delivered.request
        case .ended(_, let request): request
        }
    }

    var key: NotificationKey {
        switch self {
        case .pending(let pending): pending.key
        case .delivered(let delivered): delivered.key
        case .ended(let app, let request):
            NotificationKey(app: app, identifier: request.identifier)
        }
    }
}

/// Finds the notification that the user means.
///
/// The user gives its identifier, a unique prefix, its number in the list, or `last`. If several
/// notifications match a prefix, the lookup throws an error and chooses none of them.
enum NotificationLookup {
    static let help = """
        ID is an identifier, a prefix that only one identifier has, a number in 'list', or 'last' \
        for the newest notification.
        """

    static let argument = ArgumentHelp("The ID of the notification.", valueName: "id")

    /// The completion that a shell offers for an ID.
    ///
    /// `--plain` leaves out identifiers such as `$(command)`, because bash would expand them. zsh
    /// takes the text after a colon as a description, so sed escapes each colon. The sed script
    /// itself writes a colon as `\x3a`, because zsh would split the script at a colon.
    static var completion: CompletionKind {
        let command = "tocsin list --ids --plain 2>/dev/null"
        return .shellCommand(
            CompletionShell.requesting == .zsh
                ? command + #" | sed "s/\x3a/\\\\&/g""# : command)
    }

    /// How many candidates an error names.
    ///
    /// The query asks for one more candidate, to find out whether the error leaves candidates out.
    private static let namedLimit = 10

    private static func query(_ text: String) -> ListQuery {
        ListQuery(abbreviation: text, limit: namedLimit + 1)
    }

    static func pending(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws(NotificationError) -> [ListedNotification] {
        try await center.requests.pendingPage(query(text), of: app).notifications
            .map { .pending($0) }
    }

    /// The delivered notifications that the user may mean; none if requests go to the inbox.
    static func delivered(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws(NotificationError) -> [ListedNotification] {
        if center.waitsForLogin { return [] }
        return try await center.service.deliveredPage(query(text), of: app).notifications
            .map { .delivered($0) }
    }

    /// The candidates among the pending requests, then among the delivered notifications.
    ///
    /// A number selects from the list of pending requests alone.
    static func present(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws -> [ListedNotification] {
        async let pending = pending(text, of: app, at: center)
        async let delivered = delivered(text, of: app, at: center).filter {
            text == "last" || Abbreviation(text).begins($0.key.identifier)
        }
        return try await pending + delivered
    }

    /// Finds a pending or delivered notification; if none matches, searches the records.
    static func anywhere(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws -> ListedNotification {
        var candidates = try await present(text, of: app, at: center)
        if candidates.isEmpty, text != "last", !center.waitsForLogin {
            candidates = try await center.service.recordPage(query(text), of: app).notifications
                .filter { Abbreviation(text).begins($0.identifier) }
                .map { .ended(app, $0.request) }
        }
        return try choose(text, among: candidates, \.request)
    }

    static func waiting(
        _ text: String, of app: ApplicationID, at center: CenterClient
    ) async throws -> PendingNotification {
        let candidates = try await center.requests.pendingPage(query(text), of: app).notifications
        return try choose(text, among: candidates, \.request)
    }

    /// The candidate that the user means; throws if no candidate matches, or if several match.
    static func choose<Candidate>(
        _ text: String, among candidates: [Candidate],
        _ request: (Candidate) -> NotificationRequest
    ) throws(ToolError) -> Candidate {
        // Compare bytes, as the store does: Swift treats canonically equivalent texts as equal.
        var seen: Set<[UInt8]> = []
        let candidates = candidates.filter {
            seen.insert(Array(request($0).identifier.utf8)).inserted
        }
        let exact = candidates.first { request($0).identifier.hasSameBytes(as: text) }
        if let exact { return exact }
        if text == "last" { return try last(candidates, request) }
        guard let first = candidates.first else {
            throw ToolError(
                missing: text.quotedForMessage(),
                "There is no notification \(text.quotedForMessage()). 'tocsin list' shows the "
                    + "pending ones, 'tocsin list --delivered' the delivered ones.")
        }
        guard candidates.count > 1 else { return first }
        let isMore = candidates.count > namedLimit
        let names = candidates.prefix(namedLimit).map {
            request($0).identifier.quotedForMessage()
        }
        throw ToolError.failure(
            "\(text.quotedForMessage()) may mean "
                + "\(isMore ? "more than \(namedLimit)" : "\(candidates.count)") notifications "
                + "(\(names.joined(separator: ", "))\(isMore ? ", …" : "")). Write more of the "
                + "identifier.")
    }

    /// The newest candidate, by the creation times that the tool writes into its requests.
    ///
    /// The candidates are the last pending request and the last delivered notification.
    private static func last<Candidate>(
        _ candidates: [Candidate], _ request: (Candidate) -> NotificationRequest
    ) throws(ToolError) -> Candidate {
        let newest = candidates.max { left, right in
            let none = Instant(microseconds: .min)
            return RequestTag.creation(of: request(left)) ?? none
                < RequestTag.creation(of: request(right)) ?? none
        }
        guard let newest else {
            throw ToolError(
                missing: "The last notification",
                "There is no notification that 'last' can mean. 'tocsin list --all-apps' shows "
                    + "the pending ones of every app.")
        }
        return newest
    }
}

extension CenterClient {
    /// Maps the delivered or pending notifications of one app or all apps, in the order of `list`.
    func notifications<Row: Sendable>(
        of app: ApplicationID?, delivered isDelivered: Bool,
        as row: @escaping @Sendable (ListedNotification) -> Row
    ) async throws(NotificationError) -> [Row] {
        isDelivered
            ? try await delivered(of: app).map { row(.delivered($0)) }
            : try await requests.pending(of: app, identifiers: nil) { row(.pending($0)) }
    }
}

extension NotificationRecord {
    fileprivate var request: NotificationRequest {
        NotificationRequest(identifier: identifier, content: NotificationContent(title: title))
    }
}
