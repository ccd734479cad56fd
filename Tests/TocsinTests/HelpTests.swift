import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import tocsin

/// The whole help of each command equals its golden file in `Tests/TocsinTests/Help`.
///
/// `make transcript` writes these files.
@Suite(.serialized) struct HelpTests {
    private static let commands = Tocsin.configuration.subcommands.filter {
        $0.configuration.shouldDisplay
    }

    private static func kept(_ name: String) -> KeptText {
        KeptText(path: "Tests/TocsinTests/Help/\(name).txt")
    }

    @Test func `each command's help equals its golden file`() throws {
        for command in Self.commands {
            let name = try #require(command.configuration.commandName)
            let help = Tocsin.helpMessage(for: command, columns: 100)
            #expect(try Self.kept(name).isSame(as: help), "\(Self.kept(name).remedy)")
        }
    }

    @Test func `the tool's help equals its golden file and names each command`() throws {
        let text = Tocsin.helpMessage(columns: 100)
        #expect(try Self.kept("tocsin").isSame(as: text), "\(Self.kept("tocsin").remedy)")
        for command in Self.commands {
            let name = try #require(command.configuration.commandName)
            #expect(text.contains("\n  \(name)"), "\(name)")
        }
    }

    @Test func `a removed command has no golden file`() throws {
        let folder = KeptText.root + "/Tests/TocsinTests/Help"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let names = Self.commands.compactMap { $0.configuration.commandName } + ["tocsin"]
        #expect(files.sorted() == names.map { $0 + ".txt" }.sorted())
    }

    @Test func `the help of the named command is printed`() throws {
        guard case .text(let text) = try Invocation.parse(["remove", "--help"]) else {
            throw ToolError(.failure, "no text")
        }
        #expect(text + "\n" == Self.kept("remove").text || text == Self.kept("remove").text)
    }

    @Test func `help about an unknown command is an error`() throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(["help", "lst"]) }
        #expect(error.status == .usage)
        #expect(
            error.message == "There is no command 'lst'. Did you mean 'list'? See 'tocsin --help'.")
        for arguments in [["help"], ["help", "help"], ["help", "list"], ["help", "respond"]] {
            guard case .text = try Invocation.parse(arguments) else {
                throw ToolError(.failure, "no text")
            }
        }
    }
}
