internal import Foundation
import NotificationModel

/// The JSON in which the store keeps values.
///
/// JSON because a person can read a damaged store with nothing but the sqlite3 shell, and because
/// unknown keys of a later version are passed over.
struct PayloadCoding {
    private static let encoder = JSONEncoder()
    private static let decoder = JSONDecoder()

    static func encode(_ value: some Encodable) throws(NotificationError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw NotificationError(
                .invalidArgument,
                "The notification cannot be stored: \(error). Use finite numbers and property-list "
                    + "values only.")
        }
    }

    static func encode(
        _ request: NotificationRequest, isMutable: Bool = false, skipped: Instant? = nil,
        regular: DueTime? = nil
    ) throws(NotificationError) -> Data {
        try encode(
            StoredRequest(request, isMutable: isMutable, skipped: skipped, regular: regular))
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from payload: Data
    ) throws(NotificationError) -> Value {
        do {
            return try decoder.decode(type, from: payload)
        } catch {
            throw NotificationError(
                .storeUnavailable, "A row of the store cannot be read: \(error).")
        }
    }

    static func decodeRequest(from payload: Data) throws(NotificationError) -> NotificationRequest {
        try decode(StoredRequest.self, from: payload).request
    }
}
