import TestSupport
import Testing
import WebPush

/// Messages and subscriptions made of arbitrary bytes.
@Suite struct WebPushFuzzTests {
    @Test func `a message of any bytes is refused, or decrypts to the encrypted payload`() throws {
        let keys = PushKeys()
        let payload = Array("tea".utf8)
        let body = try MessageEncryption.encrypt(
            payload,
            for: PushSubscription(
                endpoint: "https://push.example.net", publicKey: keys.publicKey,
                authenticationSecret: keys.authenticationSecret))
        try FuzzRun("web-push", rounds: 1_000).mutants(of: [body]) { bytes in
            do throws(WebPushError) {
                let decrypted = try MessageEncryption.decrypt(bytes, with: keys)
                #expect(decrypted == payload)
            } catch {
                #expect(error.code == .invalidMessage)
            }
        }
    }

    @Test func `a subscription of any bytes is refused, or it is written and read back unchanged`()
        throws
    {
        let keys = PushKeys()
        let sample = PushSubscription(
            endpoint: "https://push.example.net/\"é", publicKey: keys.publicKey,
            authenticationSecret: keys.authenticationSecret)
        try FuzzRun("push-subscription", rounds: 1_000).mutants(
            of: [try sample.json], words: ["\"keys\":", "\"auth\":", "\\u0000", "null", "{", "}"]
        ) { bytes in
            do throws(WebPushError) {
                let subscription = try PushSubscription(json: bytes)
                let written = try PushSubscription(json: subscription.json)
                #expect(written == subscription)
            } catch {
                #expect(error.code == .invalidSubscription)
            }
        }
    }
}
