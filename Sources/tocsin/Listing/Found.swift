internal import NotificationModel

/// The notification that a person means, whether it waits or was delivered.
enum Found {
    case pending(PendingNotification)
    case delivered(DeliveredNotification)

    /// Looks for an ID among what waits, then among what was delivered.
    ///
    /// A number is that of the list of what waits.
    static func find(
        _ text: String, of app: ApplicationID, at center: Center
    ) async throws(ToolError) -> Found {
        let pending: [PendingNotification]
        let delivered: [DeliveredNotification]
        do throws(NotificationError) {
            pending = try await center.service.pending(of: app)
            delivered = try await center.service.delivered(of: app)
        } catch {
            throw ToolError(error)
        }
        let all = pending.map(\.request) + delivered.map(\.request)
        var unique: [NotificationRequest] = []
        for request in all
        where !unique.contains(where: { $0.identifier == request.identifier }) {
            unique.append(request)
        }
        let identifier = try IdentifierText.resolve(text, among: unique)
        if let found = pending.first(where: { $0.request.identifier == identifier }) {
            return .pending(found)
        }
        guard let found = delivered.first(where: { $0.request.identifier == identifier }) else {
            throw ToolError(.failure, "There is no notification \(text.quotedForMessage()).")
        }
        return .delivered(found)
    }

    /// What was asked for.
    var request: NotificationRequest {
        switch self {
        case .pending(let pending): pending.request
        case .delivered(let delivered): delivered.request
        }
    }

    /// Whose it is.
    var app: ApplicationID {
        switch self {
        case .pending(let pending): pending.app
        case .delivered(let delivered): delivered.app
        }
    }
}
