internal import Crypto
internal import Foundation

/// The key that signs a server's messages, so that a push service can identify the server (VAPID).
///
/// If an app subscribes with the public key, the push service accepts only messages that this key
/// signs.
///
/// Source: RFC 8292.
public struct ServerKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// The longest lifetime of a signature that push services accept.
    public static let longestLifetime = Duration.seconds(86_400)

    /// Makes a new random key.
    public init() { key = P256.Signing.PrivateKey() }

    /// Takes an existing key.
    ///
    /// - Parameter privateKey: The private key, 32 bytes.
    /// - Throws: `invalidKey` if the key has another size, or is no key of the curve P-256.
    public init(privateKey: [UInt8]) throws(WebPushError) {
        do {
            key = try P256.Signing.PrivateKey(rawRepresentation: privateKey)
        } catch {
            throw WebPushError(
                .invalidKey, "The private key is no key of the curve P-256: \(error).")
        }
    }

    /// Takes an existing key, in base64url without padding: 43 characters.
    ///
    /// - Throws: `invalidKey` if the text is not such a key.
    public init(text: String) throws(WebPushError) {
        guard let bytes = Base64URL.decode(text) else {
            throw WebPushError(
                .invalidKey,
                "The private key is not in base64url. A private key has 43 characters.")
        }
        try self.init(privateKey: bytes)
    }

    /// The private key, 32 bytes.
    public var privateKey: [UInt8] { Array(key.rawRepresentation) }

    /// The private key in base64url; keep it where only the server can read it.
    public var text: String { Base64URL.encode(privateKey) }

    /// The public key in base64url, 87 characters; apps pass this text when they register.
    public var publicKeyText: String { Base64URL.encode(Array(key.publicKey.x963Representation)) }

    /// The value of the header `Authorization` for messages to an endpoint.
    ///
    /// The value is valid for all endpoints of the same origin until the signature expires.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of a subscription.
    ///   - subject: How the push service reaches the sender: a `mailto:` or an `https:` URL.
    ///   - expiration: When the signature expires, in seconds since 1970; push services refuse a
    ///     time that is more than ``longestLifetime`` from now.
    /// - Throws: `invalidSubscription` if the endpoint is no http or https URL; `invalidHeader` if
    ///   the subject is no `mailto:` or `https:` URL.
    public func authorization(
        for endpoint: String, subject: String, expiration: Int64
    ) throws(WebPushError) -> String {
        guard subject.hasPrefix("mailto:") || subject.hasPrefix("https:") else {
            throw WebPushError(
                .invalidHeader,
                "The subject '\(subject)' is neither a mailto: nor an https: URL. Write how the "
                    + "push service can reach you, such as mailto:you@example.org.")
        }
        let claims = Claims(
            aud: try Self.origin(of: endpoint), exp: expiration, sub: subject)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let header = Base64URL.encode(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
            let text = header + "." + Base64URL.encode(Array(try encoder.encode(claims)))
            let signature = try key.signature(for: Array(text.utf8)).rawRepresentation
            return "vapid t=\(text).\(Base64URL.encode(Array(signature))), k=\(publicKeyText)"
        } catch {
            throw WebPushError(.invalidKey, "The message cannot be signed: \(error).")
        }
    }

    private struct Claims: Encodable {
        var aud: String
        var exp: Int64
        var sub: String
    }

    /// The scheme and host of an endpoint, and its port if that is not the scheme's default port.
    ///
    /// Source: RFC 6454, section 6.2.
    ///
    /// - Throws: `invalidSubscription` if the endpoint is no http or https URL.
    package static func origin(of endpoint: String) throws(WebPushError) -> String {
        guard let parts = URLComponents(string: endpoint),
            let scheme = parts.scheme?.lowercased(), ["https", "http"].contains(scheme),
            let host = parts.encodedHost?.lowercased(), !host.isEmpty
        else {
            throw WebPushError(
                .invalidSubscription, "The endpoint '\(endpoint)' is no http or https URL.")
        }
        let ownPort = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == ownPort ? nil : ":\($0)" } ?? ""
        return scheme + "://" + host + port
    }
}
