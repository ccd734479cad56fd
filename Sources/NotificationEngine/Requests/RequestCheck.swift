internal import Foundation
import NotificationModel
internal import NotificationStore

/// What a request, a set of categories and an identity must be before anything of them is kept;
/// pure.
///
/// The tables of fields name the bounds of each. `PayloadCoding` finds a NUL in what is stored, so
/// that no text and no key can be forgotten.
enum RequestCheck {
    /// Checks a request, and returns what the store keeps of it.
    static func payload(
        of request: NotificationRequest, isMutable: Bool = false
    ) throws(NotificationError) -> Data {
        try check(request)
        return try encoded(request, isMutable: isMutable)
    }

    /// Encodes a request that was checked, as the store keeps it.
    static func encoded(
        _ request: NotificationRequest, isMutable: Bool = false
    ) throws(NotificationError) -> Data {
        let payload = try PayloadCoding.encode(request, isMutable: isMutable)
        try Limits.payload.check(payload.count, of: name(of: request))
        return payload
    }

    /// Checks all that can be checked before the request is encoded.
    static func check(_ request: NotificationRequest) throws(NotificationError) {
        try NotificationRequest.record.check(request, of: name(of: request))
        guard request.identifier != MissedSummary.identifier else {
            throw NotificationError(
                .invalidArgument,
                "The identifier \(request.identifier.quotedForMessage()) belongs to the "
                    + "notification centre. Use another one.")
        }
    }

    /// Whether a stored request is such that it would be accepted: nothing computes with others.
    static func isUsable(_ request: NotificationRequest) -> Bool {
        do throws(NotificationError) {
            try NotificationRequest.record.check(request, of: name(of: request))
            return true
        } catch {
            return false
        }
    }

    /// Checks the whole set of an app's categories.
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

    /// Checks what an app says of itself, and whose responses it waits for.
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
