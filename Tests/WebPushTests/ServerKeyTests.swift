import Crypto
import Foundation
import Testing
import WebPush

/// Signatures as RFC 8292 describes them, checked with the public key in the header.
@Suite struct ServerKeyTests {
    /// The parts of a header `Authorization`.
    private struct Header {
        var token: [String]
        var key: String

        init(_ value: String) throws {
            let rest = try #require(value.wholeMatch(of: /vapid t=([^,]+), ?k=(.+)/))
            token = rest.1.split(separator: ".").map(String.init)
            key = String(rest.2)
        }

        func isSigned() throws -> Bool {
            let key = try P256.Signing.PublicKey(
                x963Representation: #require(Base64URL.decode(key)))
            let signature = try P256.Signing.ECDSASignature(
                rawRepresentation: #require(Base64URL.decode(token[2])))
            return key.isValidSignature(signature, for: Data((token[0] + "." + token[1]).utf8))
        }

        func claims() throws -> [String: Any] {
            let json = try JSONSerialization.jsonObject(
                with: Data(#require(Base64URL.decode(token[1]))))
            return try #require(json as? [String: Any])
        }
    }

    @Test func `this suite's signature check accepts the RFC's example`() throws {
        let header = try Header(
            "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5u"
                + "ZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xf"
                + "xCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, "
                + "k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2"
                + "EmClBPs")
        #expect(try header.isSigned())
    }

    @Test func `a header names the endpoint's origin, the expiration and the sender`() throws {
        let key = ServerKey()
        let header = try Header(
            key.authorization(
                for: "https://Push.Example.net:8443/a/b?c=d", subject: "mailto:push@example.com",
                expiration: 1_453_523_768))
        #expect(try header.isSigned())
        #expect(header.key == key.publicKeyText)
        #expect(header.key.utf8.count == 87)
        let claims = try header.claims()
        #expect(claims["aud"] as? String == "https://push.example.net:8443")
        #expect(claims["exp"] as? Int == 1_453_523_768)
        #expect(claims["sub"] as? String == "mailto:push@example.com")
        #expect(claims.count == 3)
    }

    @Test(
        arguments: [
            ("https://push.example:443/a", "https://push.example"),
            ("http://push.example:80", "http://push.example"),
            ("https://push.example:80/a", "https://push.example:80"),
            ("https://[2001:DB8::1]:8443/a", "https://[2001:db8::1]:8443"),
            ("HTTPS://User@Push.example/a#b", "https://push.example"),
        ])
    func `an origin leaves out the default port of its scheme`(
        endpoint: String, origin: String
    ) throws {
        #expect(try ServerKey.origin(of: endpoint) == origin)
    }

    @Test func `a key is read back from its text, and an invalid text is refused`() throws {
        let key = ServerKey()
        #expect(key.text.utf8.count == 43)
        #expect(try ServerKey(text: key.text).publicKeyText == key.publicKeyText)
        for text in ["", "AA", "not base64!", String(repeating: "A", count: 43)] {
            let error = #expect(throws: WebPushError.self) { try ServerKey(text: text) }
            #expect(error?.code == .invalidKey)
        }
    }

    @Test(arguments: [
        "", "push.example.net/a", "ftp://push.example.net/a", "https:///a", "mailto:a",
    ])
    func `an endpoint that is no web address is refused`(endpoint: String) {
        let error = #expect(throws: WebPushError.self) {
            try ServerKey().authorization(
                for: endpoint, subject: "mailto:push@example.com", expiration: 0)
        }
        #expect(error?.code == .invalidSubscription)
    }

    @Test func `a subject that is no mailto: or https: URL is refused`() {
        let error = #expect(throws: WebPushError.self) {
            try ServerKey().authorization(
                for: "https://push.example.net", subject: "push@example.com", expiration: 0)
        }
        #expect(error?.code == .invalidHeader)
    }
}
