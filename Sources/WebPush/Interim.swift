internal import Crypto
internal import Foundation

public struct WebPushError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public var description: String { message }
    init(_ message: String) { self.message = message }
}

public struct PushKeys: Sendable {
    private let key: P256.KeyAgreement.PrivateKey
    public let authenticationSecret: [UInt8]
    public init() {
        key = P256.KeyAgreement.PrivateKey()
        authenticationSecret = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    }
    public init(privateKey: [UInt8], authenticationSecret: [UInt8]) throws(WebPushError) {
        guard authenticationSecret.count == 16,
            let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        else { throw WebPushError("bad keys") }
        self.key = key
        self.authenticationSecret = authenticationSecret
    }
    public var privateKey: [UInt8] { Array(key.rawRepresentation) }
    public var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }
    func secret(with other: P256.KeyAgreement.PublicKey) throws -> SharedSecret {
        try key.sharedSecretFromKeyAgreement(with: other)
    }
}

public struct PushSubscription: Hashable, Sendable {
    public var endpoint: String
    public var publicKey: [UInt8]
    public var authenticationSecret: [UInt8]
    public init(endpoint: String, publicKey: [UInt8], authenticationSecret: [UInt8]) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
    }
    private struct Keys: Codable { var p256dh: String; var auth: String }
    private struct Document: Codable { var endpoint: String; var keys: Keys }
    public init(json: [UInt8]) throws(WebPushError) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)),
            let key = Self.bytes(document.keys.p256dh), let auth = Self.bytes(document.keys.auth)
        else { throw WebPushError("bad subscription") }
        self.init(endpoint: document.endpoint, publicKey: key, authenticationSecret: auth)
    }
    public var json: [UInt8] {
        let document = Document(
            endpoint: endpoint,
            keys: Keys(p256dh: Self.text(publicKey), auth: Self.text(authenticationSecret)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(document)).map { Array($0) } ?? []
    }
    private static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
    private static func bytes(_ text: String) -> [UInt8]? {
        var text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
            of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).map { Array($0) }
    }
}

public enum MessageEncryption {
    private static func keys(
        _ secret: SharedSecret, auth: [UInt8], receiver: [UInt8], sender: [UInt8], salt: [UInt8]
    ) throws -> (SymmetricKey, AES.GCM.Nonce) {
        let ikm = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: auth,
            sharedInfo: Array("WebPush: info\0".utf8) + receiver + sender, outputByteCount: 32)
        let cek = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: ikm, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8),
            outputByteCount: 16)
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: ikm, salt: salt, info: Array("Content-Encoding: nonce\0".utf8),
            outputByteCount: 12)
        return (cek, try AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) }))
    }
    public static func encrypt(
        _ plaintext: [UInt8], for subscription: PushSubscription
    ) throws(WebPushError) -> [UInt8] {
        do {
            let sender = PushKeys()
            let salt: [UInt8] = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
            let receiver = try P256.KeyAgreement.PublicKey(
                x963Representation: subscription.publicKey)
            let (key, nonce) = try keys(
                sender.secret(with: receiver), auth: subscription.authenticationSecret,
                receiver: subscription.publicKey, sender: sender.publicKey, salt: salt)
            let box = try AES.GCM.seal(plaintext + [2], using: key, nonce: nonce)
            return salt + [0, 0, 16, 0, 65] + sender.publicKey + Array(box.ciphertext)
                + Array(box.tag)
        } catch { throw WebPushError("\(error)") }
    }
    public static func decrypt(
        _ body: [UInt8], with keys: PushKeys
    ) throws(WebPushError) -> [UInt8] {
        do {
            guard body.count >= 103, body.count <= 4096, body[20] == 65 else {
                throw WebPushError("bad body")
            }
            let sender = Array(body[21..<86])
            let other = try P256.KeyAgreement.PublicKey(x963Representation: sender)
            let (key, nonce) = try self.keys(
                keys.secret(with: other), auth: keys.authenticationSecret,
                receiver: keys.publicKey, sender: sender, salt: Array(body[..<16]))
            let box = try AES.GCM.SealedBox(
                nonce: nonce, ciphertext: body[86..<(body.count - 16)], tag: body.suffix(16))
            var plain = Array(try AES.GCM.open(box, using: key))
            while plain.last == 0 { plain.removeLast() }
            guard plain.popLast() == 2 else { throw WebPushError("bad delimiter") }
            return plain
        } catch { throw WebPushError("\(error)") }
    }
}
