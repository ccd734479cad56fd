import NotificationModel
import Testing

@testable import tocsin

/// `watch` on the command line.
@Suite struct WatchCommandTests {
    private static func line(
        _ action: NotificationResponse.Action, _ arguments: String...
    ) throws -> String {
        guard case .command(let command) = try Invocation.parse(["watch"] + arguments),
            let watch = command as? WatchCommand
        else { throw ToolError(.failure, "not a watch command") }
        let key = NotificationKey(app: .tocsin, identifier: "tea\u{1B}[2J")
        return watch.text(key, action)
    }

    @Test func `an answer is printed as a line`() throws {
        let app = ApplicationID.tocsin.rawValue
        let lines = try [.standard, .dismiss, .custom("pour"), .reply("say", text: "yes")].map {
            try Self.line($0)
        }
        for (line, end) in zip(lines, ["default", "dismissed", "action  pour", "reply  say  yes"]) {
            #expect(line.hasPrefix("\(app)  tea") && line.hasSuffix("  \(end)"), "\(line)")
            #expect(!line.contains("\u{1B}"))
        }
    }

    @Test func `an answer is printed as a JSON object`() throws {
        let line = try Self.line(.reply("say", text: "yes"), "--json")
        #expect(line.hasPrefix(#"{"app":"\#(ApplicationID.tocsin)","id":"tea"#))
        #expect(line.hasSuffix(#","outcome":"reply","action":"say","reply":"yes"}"#))
        #expect(try Self.line(.standard, "--json").hasSuffix(#""action":null,"reply":null}"#))
    }
}
