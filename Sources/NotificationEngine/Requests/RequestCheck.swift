internal import Foundation
import NotificationModel
internal import NotificationStore

/// Checks requests, categories and identities before the store keeps them; pure.
///
/// A record, such as `NotificationRequest.record`, contains the limits of its fields.
/// `PayloadCoding` rejects a NUL in any text or dictionary key, so no check here looks for it.
enum RequestCheck {
    /// The identifiers of the notification centre's own notifications.
    private static let reserved = [
        MissedSummary.identifier, PermissionSubject.location.identifier,
    ]

    static func payload(
        of request: NotificationRequest, isMutable: Bool = false,
        from start: FireSchedule.Start? = nil
    ) throws(NotificationError) -> Data {
        try check(request)
        return try encoded(request, isMutable: isMutable, from: start)
    }

    static func encoded(
        _ request: NotificationRequest, isMutable: Bool = false,
        from start: FireSchedule.Start? = nil
    ) throws(NotificationError) -> Data {
        let payload = try PayloadCoding.encode(
            request, isMutable: isMutable, skipped: start?.skipped, regular: start?.regular)
        try Limits.payload.check(payload.count, of: name(of: request))
        return payload
    }

    /// Makes all checks that need no encoded request.
    static func check(_ request: NotificationRequest) throws(NotificationError) {
        try NotificationRequest.record.check(request, of: name(of: request))
        guard !reserved.contains(request.identifier) else {
            throw NotificationError(
                .invalidArgument,
                "The identifier \(request.identifier.quotedForMessage()) belongs to the "
                    + "notification centre. Use another one.")
        }
    }

    /// Whether the fields of a stored request are valid; the engine uses no invalid request.
    ///
    /// This function checks neither the reserved identifiers nor the encoded size.
    static func isUsable(_ request: NotificationRequest) -> Bool {
        (try? NotificationRequest.record.check(request, of: name(of: request))) != nil
    }

    static func check(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) throws(NotificationError) {
        try Limits.categories.check(categories.count, of: "\(app)")
        var size = 0
        for category in categories {
            let name = "the category \(category.identifier.quotedForMessage())"
            try NotificationCategory.record.check(category, of: name)
            size += try PayloadCoding.encode(
                category, as: NotificationCategory.record, of: name
            ).count
            try Limits.categoriesSize.check(size, of: "\(app)")
        }
    }

    static func check(
        _ application: ApplicationIdentity, identifiers: Set<String>?
    ) throws(NotificationError) {
        let name = "the app \(application.id)"
        let size = try PayloadCoding.encode(
            application, as: ApplicationIdentity.record, of: name
        ).count
        try Limits.identity.check(size, of: name)
        guard let identifiers else { return }
        try Limits.awaited.check(identifiers.count, of: "\(application.id)")
        for identifier in identifiers where !identifier.isEmpty {
            try Limits.identifier.check(identifier.utf8.count, of: "a request")
        }
    }

    private static func name(of request: NotificationRequest) -> String {
        "the request \(request.identifier.quotedForMessage())"
    }
}
