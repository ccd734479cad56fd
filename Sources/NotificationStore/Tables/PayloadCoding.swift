package import Foundation
package import NotificationModel

/// The JSON in which the store keeps values.
///
/// Anyone can read JSON in a damaged store with only the sqlite3 shell. Decoding ignores unknown
/// keys of a later version.
package enum PayloadCoding {
    /// Encodes a value by its record; error messages call the value `subject`.
    ///
    /// - Throws: `invalidArgument` if a number is not finite, or a text or a key has a NUL
    ///   character.
    package static func encode<Value>(
        _ value: Value, as record: Record<Value>,
        of subject: @autoclosure () -> String = "the notification"
    ) throws(NotificationError) -> Data {
        let payload = Data(try RecordJSON.bytes(of: record.entries(of: value), subject()))
        guard !hasNUL(payload) else {
            throw NotificationError(
                .invalidArgument,
                "A text or a key of \(subject()) has a NUL character, which D-Bus cannot carry. "
                    + "Remove it.")
        }
        return payload
    }

    /// Encodes a request with the values that only the store knows.
    ///
    /// - Throws: `invalidArgument` if a number is not finite, or a text or a key has a NUL
    ///   character.
    package static func encode(
        _ request: NotificationRequest, isMutable: Bool = false, skipped: Instant? = nil,
        regular: DueTime? = nil, isInside: Bool? = nil, snoozedUntil: Instant? = nil,
        due: Instant? = nil
    ) throws(NotificationError) -> Data {
        try encode(
            StoredRequest(
                request: request, isMutable: isMutable, skipped: skipped, regular: regular,
                isInside: isInside, snoozedUntil: snoozedUntil, due: due),
            as: StoredRequest.record,
            of: "the request \(request.identifier.quotedForMessage())")
    }

    /// Whether a text or a key of the JSON has a NUL, which JSON writes as an escape.
    private static func hasNUL(_ payload: Data) -> Bool {
        let bytes = payload.span
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                if bytes[index] == 0 { return true }
                index += 1
                continue
            }
            if bytes.has(nul, at: index) { return true }
            // Skip the escaped character, which may be another backslash.
            index += 2
        }
        return false
    }

    /// Whether a payload has attachments or keys that only the store knows.
    ///
    /// A list decodes such a payload, to complete the paths of its attachments and to drop these
    /// keys. It shows any other payload as it is stored.
    ///
    /// A nested key with one of the searched names counts too: the list then decodes a payload
    /// without need, which does no harm.
    static func hasPrivateKeys(_ payload: Data) -> Bool {
        let bytes = payload.span
        // A key's quote follows a comma or a brace; a quote within a text follows a backslash.
        for index in bytes.indices.dropFirst() where bytes[index] == UInt8(ascii: "\"") {
            guard bytes[index - 1] == UInt8(ascii: ",") || bytes[index - 1] == UInt8(ascii: "{")
            else { continue }
            for key in privateKeys where bytes.has(key, at: index + 1) { return true }
        }
        return false
    }

    private static let privateKeys = ["attachments", "mutable", "skipped", "regular", "inside"].map
    {
        Array("\($0)\":".utf8)
    }

    private static let nul = Array(#"\u0000"#.utf8)

    package static func decodeRequest(
        from payload: Data
    ) throws(NotificationError) -> NotificationRequest {
        try decode(StoredRequest.record, from: payload).request
    }

    static func decode<Value>(
        _ record: Record<Value>, from payload: Data
    ) throws(NotificationError) -> Value {
        do throws(NotificationError) {
            guard !hasNUL(payload) else {
                throw NotificationError(.storeUnavailable, "a text has a NUL character")
            }
            return try record.value(
                of: RecordJSON.entries(of: Array(payload), "the payload"), "the payload")
        } catch {
            throw NotificationError(
                .storeUnavailable, "A row of the store cannot be read: \(error.message)")
        }
    }
}

extension Span<UInt8> {
    /// Whether the span has these bytes at `start`.
    fileprivate func has(_ other: [UInt8], at start: Int) -> Bool {
        guard other.count <= count - start else { return false }
        for index in other.indices where self[start + index] != other[index] { return false }
        return true
    }
}

/// A request with the values that only the store knows.
struct StoredRequest: Sendable {
    var request: NotificationRequest
    /// Whether a service extension may change the request before it is shown.
    var isMutable = false
    /// The last skipped date of a pending request; nil if no date was skipped.
    var skipped: Instant?
    /// The due time of a pending request before a snooze changed it; nil if it was not snoozed.
    var regular: DueTime?
    /// Whether the device was last known to be inside the request's region; nil if not known.
    var isInside: Bool?
    /// The date to which a snooze had delayed a delivered notification.
    var snoozedUntil: Instant?
    /// The date that a delivered notification missed; nil if it was punctual.
    var due: Instant?

    static let record = Record<StoredRequest>([
        Field(inline: NotificationRequest.fields, \.request),
        Field("mutable", \.isMutable, false),
        Field("skipped", \.skipped),
        Field("regular", \.regular) { DueTime.record },
        Field("inside", \.isInside),
        Field("snoozedUntil", \.snoozedUntil),
        Field("due", \.due),
    ]) {
        StoredRequest(
            request: NotificationRequest(identifier: "", content: NotificationContent()))
    }
}

extension DueTime {
    static let record = Record<DueTime>([
        Field(required: "wall", \.wall),
        Field("boot", \.boot),
        Field("zone", \.zone),
        Field("fired", \.fired),
    ]) { DueTime.never }
}
