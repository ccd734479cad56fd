internal import Crypto

/// The encryption of Web Push messages between a sender and the receiver of a subscription.
///
/// The push service between sender and receiver sees the size of a payload, but not its content.
///
/// Source: RFC 8291.
public enum MessageEncryption {
    /// The largest encrypted message that every push service accepts, in bytes.
    public static let largestMessage = 4096
    /// The largest payload of one message, in bytes: 103 bytes less than the message.
    public static let largestPayload = largestMessage - headerSize - 1 - EncryptedContent.tagSize

    /// The size of a public key as an uncompressed point, in bytes.
    static let keySize = 65
    private static let headerSize = EncryptedContent.fixedHeaderSize + keySize

    /// Encrypts a payload with a new key pair and a new salt.
    ///
    /// The record size is 4,096, because some receivers accept no other size.
    ///
    /// - Returns: The body of the request to the push service, with the content encoding
    ///   `aes128gcm`.
    /// - Throws: `payloadTooLarge` beyond ``largestPayload``; `invalidKey` if a key of the
    ///   subscription is unusable.
    public static func encrypt(
        _ payload: [UInt8], for subscription: PushSubscription
    ) throws(WebPushError) -> [UInt8] {
        guard payload.count <= largestPayload else {
            throw WebPushError(
                .payloadTooLarge,
                "The payload has \(payload.count) bytes, but a message holds at most "
                    + "\(largestPayload). Shorten it, or let the app fetch the rest.")
        }
        let salt = PushKeys.randomBytes(EncryptedContent.saltSize)
        return try encrypt(payload, for: subscription, from: PushKeys(), salt: salt)
    }

    /// Encrypts a payload with the given key pair and salt.
    ///
    /// The caller must use a new key pair or a new salt for each payload.
    ///
    /// Tests use other record sizes and delimiters to make unusable messages.
    ///
    /// - Throws: `payloadTooLarge` if the payload does not fit the record size; `invalidKey` if a
    ///   key of the subscription is unusable.
    package static func encrypt(
        _ payload: [UInt8], for subscription: PushSubscription, from sender: PushKeys,
        salt: [UInt8], recordSize: UInt32 = UInt32(largestMessage),
        delimiter: UInt8 = EncryptedContent.lastDelimiter
    ) throws(WebPushError) -> [UInt8] {
        let inputKey = try inputKey(
            sender.sharedSecret(with: subscription.publicKey),
            authenticationSecret: subscription.authenticationSecret,
            receiver: subscription.publicKey, sender: sender.publicKey)
        return try EncryptedContent(
            payload, inputKey: inputKey, salt: salt, recordSize: recordSize,
            keyIdentifier: sender.publicKey, delimiter: delimiter
        ).body
    }

    /// Decrypts the body of a message.
    ///
    /// - Throws: `invalidMessage` if the body is no Web Push message, was changed, or was encrypted
    ///   for other keys.
    public static func decrypt(
        _ body: [UInt8], with keys: PushKeys
    ) throws(WebPushError) -> [UInt8] {
        guard body.count <= largestMessage else {
            throw EncryptedContent.unusable(
                "it has \(body.count) bytes, and at most \(largestMessage) are allowed")
        }
        let content = try EncryptedContent(body)
        guard content.keyIdentifier.count == keySize else {
            throw EncryptedContent.unusable("it does not name its sender's public key")
        }
        guard content.recordCount == 1 else {
            throw EncryptedContent.unusable("it has more than one record")
        }
        let secret: SharedSecret
        do throws(WebPushError) {
            secret = try keys.sharedSecret(with: content.keyIdentifier)
        } catch {
            throw EncryptedContent.unusable("its sender's public key is not on the curve P-256")
        }
        return try content.decrypt(
            with: inputKey(
                secret, authenticationSecret: keys.authenticationSecret,
                receiver: keys.publicKey, sender: content.keyIdentifier))
    }

    /// The input keying material for the content coding; RFC 8291, section 3.4.
    ///
    /// The key is derived from the shared secret, the authentication secret and both public keys.
    private static func inputKey(
        _ secret: SharedSecret, authenticationSecret: [UInt8], receiver: [UInt8], sender: [UInt8]
    ) -> SymmetricKey {
        secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: authenticationSecret,
            sharedInfo: Array("WebPush: info\0".utf8) + receiver + sender, outputByteCount: 32)
    }
}
