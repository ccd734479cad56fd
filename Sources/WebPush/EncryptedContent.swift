internal import Crypto
internal import Foundation

/// A body in the content coding `aes128gcm`: a header and encrypted records.
///
/// This type implements only the coding. `MessageEncryption` adds the rules of Web Push, which
/// allow only one record.
///
/// Source: RFC 8188.
package struct EncryptedContent: Hashable, Sendable {
    /// The size in bytes of the header's three fixed fields: the salt, the record size, and the
    /// length of the key identifier.
    static let fixedHeaderSize = 21
    static let saltSize = 16
    static let tagSize = 16
    /// The smallest size of a record: a tag, a delimiter and one byte.
    static let smallestRecord = 18

    package static let lastDelimiter: UInt8 = 2
    private static let delimiter: UInt8 = 1

    package var salt: [UInt8]
    /// The size of each record in bytes, including its tag; the last record may be shorter.
    package var recordSize: UInt32
    package var keyIdentifier: [UInt8]
    /// The encrypted records, one after another.
    package var records: [UInt8]

    /// Reads a body.
    ///
    /// - Throws: `invalidMessage` if the body ends within the header or the first tag, or if its
    ///   record size is too small.
    package init(_ body: [UInt8]) throws(WebPushError) {
        guard body.count > Self.fixedHeaderSize else {
            throw Self.unusable("it has only \(body.count) bytes")
        }
        salt = Array(body[..<Self.saltSize])
        recordSize = body[Self.saltSize..<Self.fixedHeaderSize - 1].reduce(0) {
            $0 << 8 | UInt32($1)
        }
        let end = Self.fixedHeaderSize + Int(body[Self.fixedHeaderSize - 1])
        guard body.count > end + Self.tagSize else {
            throw Self.unusable("it ends within its header or its first record")
        }
        guard recordSize >= Self.smallestRecord else {
            throw Self.unusable("its records have only \(recordSize) bytes")
        }
        keyIdentifier = Array(body[Self.fixedHeaderSize..<end])
        records = Array(body[end...])
    }

    var recordCount: Int {
        // The record size may be larger than any body, so compute with Int.
        (records.count - 1) / Int(recordSize) + 1
    }

    /// The body: the header and the records.
    package var body: [UInt8] {
        let size = (0..<4).reversed().map { UInt8(truncatingIfNeeded: recordSize >> (8 * $0)) }
        return salt + size + [UInt8(truncatingIfNeeded: keyIdentifier.count)] + keyIdentifier
            + records
    }

    // MARK: Decryption

    /// Decrypts all records.
    ///
    /// - Throws: `invalidMessage` if a record was changed or cut off, was encrypted with another
    ///   key, or has the wrong delimiter.
    package func decrypt(with inputKey: [UInt8]) throws(WebPushError) -> [UInt8] {
        try decrypt(with: SymmetricKey(data: inputKey))
    }

    func decrypt(with inputKey: SymmetricKey) throws(WebPushError) -> [UInt8] {
        let keys = Keys(inputKey, salt: salt)
        var plaintext: [UInt8] = []
        for number in 0..<recordCount {
            let start = number * Int(recordSize)
            let end = min(records.count, start + Int(recordSize))
            let record = try keys.open(records[start..<end], number: number)
            plaintext += try Self.withoutPadding(record, isLast: end == records.count)
        }
        return plaintext
    }

    /// Removes the delimiter and the padding after it.
    ///
    /// The last record has a delimiter of its own. If that delimiter is missing, records were cut
    /// off.
    private static func withoutPadding(
        _ record: [UInt8], isLast: Bool
    ) throws(WebPushError) -> ArraySlice<UInt8> {
        guard let place = record.lastIndex(where: { $0 != 0 }) else {
            throw unusable("a record has no delimiter")
        }
        guard record[place] == (isLast ? lastDelimiter : delimiter) else {
            throw unusable("a record has the delimiter \(record[place])")
        }
        return record[..<place]
    }

    static func unusable(_ reason: String) -> WebPushError {
        WebPushError(.invalidMessage, "The message cannot be decrypted: \(reason).")
    }

    // MARK: Encryption

    /// Encrypts a plaintext as one record without padding.
    ///
    /// - Throws: `payloadTooLarge` if the record does not fit the record size.
    init(
        _ plaintext: [UInt8], inputKey: SymmetricKey, salt: [UInt8], recordSize: UInt32,
        keyIdentifier: [UInt8], delimiter: UInt8
    ) throws(WebPushError) {
        let most = Int(recordSize) - Self.tagSize - 1
        guard plaintext.count <= most else {
            throw WebPushError(
                .payloadTooLarge,
                "The payload has \(plaintext.count) bytes, but a message holds at most \(most).")
        }
        self.salt = salt
        self.recordSize = recordSize
        self.keyIdentifier = keyIdentifier
        records = try Keys(inputKey, salt: salt).seal(plaintext + [delimiter])
    }

    // MARK: Keys

    /// The key and the nonces that are derived from the input key and the salt.
    private struct Keys {
        private let contentKey: SymmetricKey
        private let nonce: [UInt8]

        init(_ inputKey: SymmetricKey, salt: [UInt8]) {
            let random = SymmetricKey(
                data: HKDF<SHA256>.extract(inputKeyMaterial: inputKey, salt: salt))
            contentKey = HKDF<SHA256>.expand(
                pseudoRandomKey: random, info: Array("Content-Encoding: aes128gcm\0".utf8),
                outputByteCount: 16)
            // Compute the first block of HKDF's expansion, which is one HMAC of 32 bytes. The nonce
            // needs only 12 of these bytes.
            let code = HMAC<SHA256>.authenticationCode(
                for: Array("Content-Encoding: nonce\0".utf8) + [1], using: random)
            nonce = Array(code.prefix(12))
        }

        func open(_ record: ArraySlice<UInt8>, number: Int) throws(WebPushError) -> [UInt8] {
            guard record.count > EncryptedContent.tagSize else {
                throw unusable("its last record is cut off")
            }
            do {
                let box = try AES.GCM.SealedBox(
                    nonce: try nonce(of: number),
                    ciphertext: record.dropLast(EncryptedContent.tagSize),
                    tag: record.suffix(EncryptedContent.tagSize))
                return Array(try AES.GCM.open(box, using: contentKey))
            } catch {
                throw unusable("it was changed on its way, or encrypted for other keys")
            }
        }

        func seal(_ record: [UInt8]) throws(WebPushError) -> [UInt8] {
            do {
                let box = try AES.GCM.seal(record, using: contentKey, nonce: try nonce(of: 0))
                return Array(box.ciphertext) + Array(box.tag)
            } catch {
                throw WebPushError(
                    .invalidMessage, "The message cannot be encrypted: \(error).")
            }
        }

        /// The base nonce, with its last bytes XORed with the record's number.
        private func nonce(of number: Int) throws -> AES.GCM.Nonce {
            var bytes = nonce
            for (place, shift) in zip(bytes.indices.reversed(), stride(from: 0, to: 64, by: 8)) {
                bytes[place] ^= UInt8(truncatingIfNeeded: number >> shift)
            }
            return try AES.GCM.Nonce(data: bytes)
        }
    }
}
