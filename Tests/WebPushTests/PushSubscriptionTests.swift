import Testing
import WebPush

@Suite struct PushSubscriptionTests {
    private let keys = PushKeys()

    @Test func `a subscription is read back unchanged from its JSON`() throws {
        let subscription = PushSubscription(
            endpoint: "https://push.example.net/\"a\\\u{1}é", publicKey: keys.publicKey,
            authenticationSecret: keys.authenticationSecret)
        #expect(try PushSubscription(json: subscription.json) == subscription)
    }

    @Test func `the JSON of a browser is read, padding and unknown keys included`() throws {
        let key = Base64URL.encode(keys.publicKey)
        let secret = Base64URL.encode(keys.authenticationSecret)
        let json =
            #"{"endpoint":"https://a.example/b","expirationTime":null,"keys":"#
            + #"{"p256dh":"\#(key)=","auth":"\#(secret)=="}}"#
        let subscription = try PushSubscription(json: Array(json.utf8))
        #expect(subscription.publicKey == keys.publicKey)
        #expect(subscription.authenticationSecret == keys.authenticationSecret)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"endpoint":"https://a.example"}"#,
        #"{"endpoint":"","keys":{"p256dh":"AA","auth":"AA"}}"#,
        #"{"endpoint":"https://a.example","keys":{"p256dh":"AA","auth":"AA"}}"#,
        #"{"endpoint":"https://a.example","keys":{"p256dh":"??","auth":"??"}}"#,
        #"{"endpoint":7,"keys":{"p256dh":"AA","auth":"AA"}}"#,
    ])
    func `a text that is no subscription is refused with a reason`(json: String) {
        let error = #expect(throws: WebPushError.self) {
            try PushSubscription(json: Array(json.utf8))
        }
        #expect(error?.code == .invalidSubscription)
        #expect(error?.message.hasPrefix("The subscription cannot be used: ") == true)
    }

    @Test func `base64url is written without padding, and bytes of every length are read back`()
        throws
    {
        for count in 0..<9 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 251 + $0 * 3) }
            let text = Base64URL.encode(bytes)
            #expect(!text.contains(where: { "+/=".contains($0) }))
            #expect(Base64URL.decode(text) == bytes)
        }
        #expect(Base64URL.decode("a b") == nil)
        #expect(Base64URL.decode("A") == nil)
    }

    @Test func `keys with a wrong size or value are refused`() {
        let error = #expect(throws: WebPushError.self) {
            try PushKeys(privateKey: [1, 2], authenticationSecret: keys.authenticationSecret)
        }
        #expect(error?.code == .invalidKey)
        #expect(throws: WebPushError.self) {
            try PushKeys(privateKey: keys.privateKey, authenticationSecret: [1])
        }
        #expect(throws: WebPushError.self) {
            try PushKeys(
                privateKey: [UInt8](repeating: 0, count: 32),
                authenticationSecret: keys.authenticationSecret)
        }
    }
}
