import DesktopBus
import NotificationModel
import Testing

@testable import Freedesktop

/// The ids and action names that a portal receives, and the meaning of its signal.
struct PortalKeyTests {
    @Test(arguments: [
        "one", "", "a/b", "ünï ☕", "-", String(repeating: "x", count: 300),
        // Swift combines this mark and the slash before it into one `Character`.
        "\u{301}a/b",
    ])
    func `a request's key is read back from its portal id`(identifier: String) throws {
        let key = try Samples.key(identifier)
        #expect(PortalKeys.id(of: key) == "org.example.App/" + identifier)
        #expect(PortalKeys.key(of: PortalKeys.id(of: key)) == key)
    }

    @Test(arguments: ["", "one", "no app", "/", "a b\u{0}/x"])
    func `a foreign portal id names no request`(id: String) {
        #expect(PortalKeys.key(of: id) == nil)
    }

    @Test(arguments: ["drink", "default", "app.quit", "a-b", "reply::x", "ünï ☕", "", "(','"])
    func `an action has a name that every backend accepts`(identifier: String) {
        let name = PortalKeys.name(ofAction: identifier)
        let plain = name.utf8.allSatisfy { byte in
            let scalar = Character(Unicode.Scalar(byte))
            return scalar.isASCII && (scalar.isLetter || scalar.isNumber || "-.".contains(scalar))
        }
        #expect(plain, "\(name)")
        #expect(!name.hasPrefix("app."))
        #expect(PortalKeys.action(of: name) == .custom(identifier))
    }

    @Test func `unknown names are no actions`() {
        #expect(PortalKeys.action(of: "standard") == .standard)
        for name in ["", "default", "app.open", "action", "action.-", "action.-g0", "action.-1"] {
            #expect(PortalKeys.action(of: name) == nil, "\(name)")
        }
    }

    private func heard(_ action: String, _ parameters: [BusValue]) -> PortalAnswer? {
        PortalAnswer(arguments: [
            .string("org.example.App/one"), .string(action),
            .array(element: "v", parameters.map { .variant($0) }),
        ])
    }

    @Test func `version 1 of the portal reports only the action`() throws {
        let answer = try #require(heard("action.drink", []))
        #expect(answer.key == (try Samples.key()))
        #expect(answer.action == .custom("drink"))
        #expect(answer.activationToken == nil)
    }

    @Test func `version 2 of the portal reports a token and the typed text`() throws {
        let platform = BusValue.vardict([("activation-token", .string("token"))])
        let click = try #require(heard("standard", [platform]))
        #expect(click.action == .standard)
        #expect(click.activationToken == "token")
        let reply = try #require(heard("action.answer", [platform, .string("on my way")]))
        #expect(reply.action == .reply("answer", text: "on my way"))
        #expect(reply.activationToken == "token")
        let window = BusValue.vardict([("desktop-startup-id", .string("startup"))])
        #expect(heard("standard", [window])?.activationToken == "startup")
    }

    @Test func `a reply that is too long is cut, and a token that is too long is left out`() throws
    {
        let long = String(repeating: "x", count: 70_000)
        let platform = BusValue.vardict([("activation-token", .string(long))])
        let answer = try #require(heard("action.answer", [platform, .string(long)]))
        #expect(answer.activationToken == nil)
        guard case .reply(_, let text?) = answer.action else {
            Issue.record("\(answer)")
            return
        }
        #expect(text.unicodeScalars.count == 65_536)
    }

    @Test func `a signal with arguments of other types is ignored`() {
        #expect(PortalAnswer(arguments: []) == nil)
        #expect(PortalAnswer(arguments: [.string("org.example.App/one")]) == nil)
        #expect(
            PortalAnswer(arguments: [
                .string("org.example.App/one"), .uint32(1), .array(element: "v", []),
            ]) == nil)
        #expect(
            PortalAnswer(arguments: [
                .string("org.example.App/one"), .string("standard"), .string("no list"),
            ]) == nil)
    }
}
