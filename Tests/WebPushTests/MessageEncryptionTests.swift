import Testing
import WebPush

/// The example of RFC 8291, appendix A, and messages that break its rules.
@Suite struct MessageEncryptionTests {
    private static let payload = Array("When I grow up, I want to be a watermelon".utf8)
    private static let senderPrivate = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    private static let senderPublic =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    private static let receiverPrivate = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    private static let receiverPublic =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
    private static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    private static let body =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
        + "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
        + "gSxsj_Qulcy4a-fN"

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    private func receiver() throws -> PushKeys {
        try PushKeys(
            privateKey: bytes(Self.receiverPrivate),
            authenticationSecret: bytes(Self.secret))
    }

    private func subscription() throws -> PushSubscription {
        try PushSubscription(
            endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
            publicKey: bytes(Self.receiverPublic), authenticationSecret: bytes(Self.secret))
    }

    @Test func `the public keys follow from the private keys of the example`() throws {
        #expect(Base64URL.encode(try receiver().publicKey) == Self.receiverPublic)
        let sender = try PushKeys(
            privateKey: bytes(Self.senderPrivate), authenticationSecret: bytes(Self.secret))
        #expect(Base64URL.encode(sender.publicKey) == Self.senderPublic)
    }

    @Test func `the example is encrypted to the bytes of the RFC`() throws {
        let sender = try PushKeys(
            privateKey: bytes(Self.senderPrivate), authenticationSecret: bytes(Self.secret))
        let body = try MessageEncryption.encrypt(
            Self.payload, for: subscription(), from: sender, salt: bytes(Self.salt))
        #expect(Base64URL.encode(body) == Self.body)
    }

    @Test func `the example is decrypted`() throws {
        #expect(try MessageEncryption.decrypt(bytes(Self.body), with: receiver()) == Self.payload)
    }

    @Test(arguments: [0, 1, 1000, 3993])
    func `a payload of any size decrypts unchanged, and equal payloads encrypt differently`(
        size: Int
    ) throws {
        let keys = PushKeys()
        let subscription = PushSubscription(
            endpoint: "https://push.example.net/a", publicKey: keys.publicKey,
            authenticationSecret: keys.authenticationSecret)
        let payload = [UInt8](repeating: 7, count: size)
        let first = try MessageEncryption.encrypt(payload, for: subscription)
        let second = try MessageEncryption.encrypt(payload, for: subscription)
        #expect(first != second)
        #expect(first.count == size + 103)
        #expect(try MessageEncryption.decrypt(first, with: keys) == payload)
        #expect(try MessageEncryption.decrypt(second, with: keys) == payload)
    }

    @Test func `a payload of 3,994 bytes is refused`() throws {
        let payload = [UInt8](repeating: 7, count: 3994)
        let error = #expect(throws: WebPushError.self) {
            try MessageEncryption.encrypt(payload, for: subscription())
        }
        #expect(error?.code == .payloadTooLarge)
    }

    @Test func `a message over 4,096 bytes is refused although it could be decrypted`() throws {
        let keys = PushKeys()
        let body = try message([UInt8](repeating: 7, count: 3994), to: keys, recordSize: 5000)
        #expect(body.count == 4097)
        expectUnusable(body, keys)
    }

    @Test func `a record size of 18 or more is accepted, and 17 is refused`() throws {
        let keys = PushKeys()
        for size: UInt32 in [18, 40, 4096, .max] {
            let body = try message([1], to: keys, recordSize: size)
            #expect(try MessageEncryption.decrypt(body, with: keys) == [1], "\(size)")
        }
        var body = try message([1], to: keys, recordSize: 18)
        body.replaceSubrange(16..<20, with: [0, 0, 0, 17])
        expectUnusable(body, keys)
    }

    @Test func `a message with a changed byte is refused, except in the record size`() throws {
        let keys = try receiver()
        let whole = try bytes(Self.body)
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 1
            // No key depends on the record size, so the message decrypts with any record size that
            // is large enough.
            if (16..<20).contains(place) { continue }
            expectUnusable(changed, keys)
        }
    }

    @Test func `a message for other keys, or with another secret, is unusable`() throws {
        expectUnusable(try bytes(Self.body), PushKeys())
        let other = try PushKeys(
            privateKey: bytes(Self.receiverPrivate),
            authenticationSecret: [UInt8](repeating: 0, count: 16))
        expectUnusable(try bytes(Self.body), other)
    }

    @Test func `a message that is cut off anywhere is unusable`() throws {
        let (keys, whole) = (try receiver(), try bytes(Self.body))
        for length in 0..<whole.count { expectUnusable(Array(whole[..<length]), keys) }
    }

    @Test func `a sender's or receiver's key that is not on the curve is refused`() throws {
        var body = try bytes(Self.body)
        body[85] ^= 1
        expectUnusable(body, try receiver())
        var key = try bytes(Self.receiverPublic)
        key[64] = 0x0F
        let subscription = PushSubscription(
            endpoint: "https://push.example.net/a", publicKey: key,
            authenticationSecret: try bytes(Self.secret))
        let error = #expect(throws: WebPushError.self) {
            try MessageEncryption.encrypt(Self.payload, for: subscription)
        }
        #expect(error?.code == .invalidKey)
    }

    @Test func `a key identifier that is not 65 bytes long is refused`() throws {
        let keys = PushKeys()
        let content = try EncryptedContent(message([1], to: keys, recordSize: 4096))
        for length in [0, 64, 66] {
            var changed = content
            changed.keyIdentifier = [UInt8](repeating: 4, count: length)
            expectUnusable(changed.body, keys)
        }
    }

    @Test func `a message of two records is refused`() throws {
        let keys = PushKeys()
        var content = try EncryptedContent(message([1], to: keys, recordSize: 4096))
        content.recordSize = 18
        content.records += content.records
        expectUnusable(content.body, keys)
    }

    @Test func `a message is refused if its only record does not have the delimiter 2`() throws {
        let keys = PushKeys()
        for delimiter: UInt8 in [0, 1, 3] {
            expectUnusable(try message([0, 0], to: keys, delimiter: delimiter), keys)
        }
        #expect(try MessageEncryption.decrypt(message([0, 0], to: keys), with: keys) == [0, 0])
    }

    @Test func `padding behind the delimiter is removed`() throws {
        let keys = PushKeys()
        let body = try message([7, 0, 2, 0, 0], to: keys, delimiter: 0)
        #expect(try MessageEncryption.decrypt(body, with: keys) == [7, 0])
    }

    /// Encrypts a payload; unlike our sender, a test can choose the record size and the delimiter.
    private func message(
        _ payload: [UInt8], to keys: PushKeys, recordSize: UInt32 = 4096, delimiter: UInt8 = 2
    ) throws -> [UInt8] {
        try MessageEncryption.encrypt(
            payload,
            for: PushSubscription(
                endpoint: "https://push.example.net/a", publicKey: keys.publicKey,
                authenticationSecret: keys.authenticationSecret),
            from: PushKeys(), salt: [UInt8](repeating: 3, count: 16), recordSize: recordSize,
            delimiter: delimiter)
    }

    private func expectUnusable(
        _ body: [UInt8], _ keys: PushKeys, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: WebPushError.self, sourceLocation: sourceLocation) {
            try MessageEncryption.decrypt(body, with: keys)
        }
        #expect(error?.code == .invalidMessage, sourceLocation: sourceLocation)
    }
}
