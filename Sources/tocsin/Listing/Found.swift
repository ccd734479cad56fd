internal import NotificationModel

/// The notification that a person means, whether it waits, was delivered, or came to nothing.
enum Found {
    case pending(PendingNotification)
    case delivered(DeliveredNotification)
    /// Neither waits nor was delivered; of what was asked for its records keep the title alone.
    case ended(ApplicationID, NotificationRequest)

    /// Looks for an ID among what waits, then among what was delivered, then among what is known
    /// by its records alone.
    ///
    /// A number is that of the list of what waits.
    static func find(
        _ text: String, of app: ApplicationID, at center: Center
    ) async throws(ToolError) -> Found {
        let pending: [PendingNotification]
        let delivered: [DeliveredNotification]
        let records: [NotificationRecord]
        do throws(NotificationError) {
            pending = try await center.requests.pending(of: app)
            delivered = try await center.delivered(of: app)
            records = try await center.records(of: app)
        } catch {
            throw ToolError(error)
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
            return try IdentifierText.resolve(text, among: present)
        } catch {
            let isAmbiguous = present.contains { $0.identifier.hasPrefix(text) }
            guard !isAmbiguous, !text.isEmpty, text != "last",
                ended.contains(where: { $0.identifier.hasPrefix(text) })
            else { throw error }
            return try IdentifierText.resolve(text, among: ended, numbered: [])
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
