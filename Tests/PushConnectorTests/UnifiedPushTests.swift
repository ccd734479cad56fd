import DesktopBus
import Testing

@testable import PushConnector

/// The fields of UnifiedPush's calls.
@Suite struct UnifiedPushTests {
    @Test func `a message or endpoint with a malformed field is nil`() {
        let body = [UInt8](repeating: 1, count: 4_096)
        #expect(PushMessage(token: .string("t"), body: .bytes(body), id: nil) != nil)
        #expect(PushMessage(token: .string("t"), body: .bytes(body + [1]), id: nil) == nil)
        #expect(PushMessage(token: .string("t"), body: .bytes([]), id: nil) == nil)
        #expect(PushMessage(token: .string(""), body: .bytes(body), id: nil) == nil)
        #expect(PushMessage(token: nil, body: .bytes(body), id: nil) == nil)
        #expect(PushMessage(token: .string("t"), body: .string("x"), id: nil) == nil)
        #expect(PushMessage(token: .string("t"), body: .bytes(body), id: .bool(true)) == nil)
        let long = String(repeating: "t", count: 101)
        #expect(PushMessage(token: .string(long), body: .bytes(body), id: nil) == nil)
        #expect(PushEndpoint(token: .string("t"), url: .string("https://a")) != nil)
        for url in ["", "file:///etc/passwd", "https://a b", "https://\u{0}", "https://ä"] {
            #expect(PushEndpoint(token: .string("t"), url: .string(url)) == nil)
        }
        let path = String(repeating: "a", count: 1_000)
        #expect(PushEndpoint(token: .string("t"), url: .string("https://" + path)) == nil)
    }

    @Test func `an app's name is cut to the byte limit of a description`() {
        #expect(UnifiedPush.description(of: "Tea") == "Tea")
        let umlauts = String(repeating: "ä", count: 51)
        #expect(UnifiedPush.description(of: umlauts) == String(repeating: "ä", count: 50))
    }
}
