internal import Crypto

/// The keys of a subscription at the receiver: a P-256 key pair and an authentication secret.
///
/// The private key and the secret decrypt the messages to the subscription, so keep them where only
/// their user can read them.
///
/// Source: RFC 8291, section 2.
public struct PushKeys: Sendable {
    private let key: P256.KeyAgreement.PrivateKey
    /// The secret that the receiver shares with its senders, 16 bytes.
    public let authenticationSecret: [UInt8]

    /// The size of the authentication secret in bytes.
    static let secretSize = 16

    /// Makes new random keys.
    public init() {
        key = P256.KeyAgreement.PrivateKey()
        authenticationSecret = Self.randomBytes(Self.secretSize)
    }

    /// Takes existing keys.
    ///
    /// - Parameters:
    ///   - privateKey: The private key, 32 bytes.
    ///   - authenticationSecret: The secret, 16 bytes.
    /// - Throws: `invalidKey` if a parameter has another size, or if the private key is no key of
    ///   the curve P-256.
    public init(
        privateKey: [UInt8], authenticationSecret: [UInt8]
    ) throws(WebPushError) {
        guard authenticationSecret.count == Self.secretSize else {
            throw WebPushError(
                .invalidKey,
                "The authentication secret has \(authenticationSecret.count) bytes. It needs "
                    + "\(Self.secretSize).")
        }
        do {
            key = try P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        } catch {
            throw WebPushError(
                .invalidKey, "The private key is no key of the curve P-256: \(error).")
        }
        self.authenticationSecret = authenticationSecret
    }

    /// The private key, 32 bytes.
    public var privateKey: [UInt8] { Array(key.rawRepresentation) }

    /// The public key as an uncompressed point, 65 bytes.
    public var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    /// Random bytes from the kernel, which are fit for secrets.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// The secret that this key pair shares with the owner of another public key (ECDH).
    ///
    /// - Throws: `invalidKey` if the public key is not a point of the curve.
    func sharedSecret(with publicKey: [UInt8]) throws(WebPushError) -> SharedSecret {
        do {
            return try key.sharedSecretFromKeyAgreement(
                with: P256.KeyAgreement.PublicKey(x963Representation: publicKey))
        } catch {
            throw WebPushError(
                .invalidKey, "The public key is not a point of the curve P-256: \(error).")
        }
    }
}
