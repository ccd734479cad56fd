internal import Foundation

/// The endpoint to which a sender posts its messages, and the keys that encrypt the messages.
///
/// The JSON has the form of a browser's `PushSubscription`, which every library for Web Push reads.
///
/// Source: W3C Push API, "PushSubscription".
public struct PushSubscription: Hashable, Sendable {
    /// The URL of the push service to which messages are posted.
    public var endpoint: String
    /// The public key of the receiver as an uncompressed point, 65 bytes; in JSON `p256dh`.
    public var publicKey: [UInt8]
    /// The secret that the receiver shares with its senders, 16 bytes; in JSON `auth`.
    public var authenticationSecret: [UInt8]

    /// Makes a subscription.
    public init(endpoint: String, publicKey: [UInt8], authenticationSecret: [UInt8]) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
    }

    /// Reads a subscription from its JSON; unknown fields of the JSON are ignored.
    ///
    /// - Throws: `invalidSubscription` if a field is missing, empty, or of another type or size.
    public init(json: [UInt8]) throws(WebPushError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(json))
        } catch {
            throw Self.unusable("it is not the JSON of a PushSubscription")
        }
        guard !document.endpoint.isEmpty else { throw Self.unusable("its endpoint is empty") }
        self.init(
            endpoint: document.endpoint,
            publicKey: try Self.bytes(
                document.keys.p256dh, "p256dh", size: MessageEncryption.keySize),
            authenticationSecret: try Self.bytes(
                document.keys.auth, "auth", size: PushKeys.secretSize))
    }

    /// The subscription as JSON in UTF-8.
    ///
    /// - Throws: `invalidSubscription` if the endpoint cannot be written as JSON.
    public var json: [UInt8] {
        get throws(WebPushError) {
            let keys = Document.Keys(
                p256dh: Base64URL.encode(publicKey), auth: Base64URL.encode(authenticationSecret))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                return Array(try encoder.encode(Document(endpoint: endpoint, keys: keys)))
            } catch {
                throw Self.unusable("it cannot be written as JSON: \(error)")
            }
        }
    }

    private struct Document: Codable {
        struct Keys: Codable {
            var p256dh: String
            var auth: String
        }

        var endpoint: String
        var keys: Keys
    }

    private static func bytes(
        _ text: String, _ name: String, size: Int
    ) throws(WebPushError) -> [UInt8] {
        guard let bytes = Base64URL.decode(text), bytes.count == size else {
            throw unusable("its key '\(name)' is not \(size) bytes in base64url")
        }
        return bytes
    }

    private static func unusable(_ reason: String) -> WebPushError {
        WebPushError(
            .invalidSubscription,
            "The subscription cannot be used: \(reason). Pass the JSON that the app got when it "
                + "registered.")
    }
}
