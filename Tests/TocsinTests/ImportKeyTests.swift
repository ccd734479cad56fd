import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import tocsin

/// The keys of the JSON lines that `import` reads.
@Suite(.timeLimit(.minutes(5))) struct ImportKeyTests {
    /// If the import ignored a misspelt `trigger`, the request would fire immediately.
    @Test(
        arguments: [
            (#""tiltle":"A""#, "The key 'tiltle' of the line is unknown; did you mean 'title'?"),
            (#""triger":{"kind":"push"}"#, "is unknown; did you mean 'trigger'?"),
            (
                #""trigger":{"kind":"rule","rule":"every day at 09:00","timezone":"UTC"}"#,
                "'timezone' of 'trigger' of the line is unknown; did you mean 'timeZone'?"
            ),
            (
                #""actions":[{"id":"a"},{"id":"b","colour":"red"}]"#,
                "'colour' of 'actions' of the line is unknown; leave it out."
            ),
            (
                #""commands":{"clik":["id"],"actions":{},"directory":"/"}"#,
                "'clik' of 'commands' of the line is unknown; did you mean 'click'?"
            ),
        ])
    func `a line with an unknown key is refused, and the error names the key`(
        member: String, message: String
    ) throws {
        let error = try #require(throws: ToolError.self) {
            try ImportItem(line: Array(#"{"id":"a",\#(member)}"#.utf8))
        }
        #expect(error.status == .data)
        #expect(error.message.hasSuffix(message), "\(error.message)")
    }

    @Test func `keys that the user may choose are accepted`() throws {
        let line =
            #"{"id":"a","userInfo":{"x":{"tiltle":1}},"desktop":{"hints":{"x-y":1}},"#
            + #""commands":{"actions":{"yes":["id"]},"directory":"/"}}"#
        let item = try #require(try ImportItem(line: Array(line.utf8)))
        #expect(item.request.content.userInfo["x"] == .dictionary(["tiltle": .integer(1)]))
        #expect(item.commands != nil)
    }

    @Test func `import takes each object that the tool prints for a request`() async throws {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> String {
            let run = try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            return run.output
        }
        _ = try await tocsin(
            "every", "day at 9", "Tea", "--id", "tea", "-A", "yes=Yes", "--on", "yes=id")
        let file = "\(bus.directory)/line"
        for arguments in [
            ["show", "tea", "--json"], ["export", "--with-commands"],
            ["list", "--json", "--commands"], ["list", "--json"], ["export"],
        ] {
            let printed = try await ProgramTests.run(
                "tocsin", arguments, environment: bus.environment)
            try printed.output.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await tocsin("import", file, "--with-commands") == "tea", "\(arguments)")
        }
    }
}
